// The Python interface of the core: a position string goes in, plain results come out.
//
// One call is one complete search, without the GIL. An invalid text raises ValueError;
// noughts.engine checks texts before it calls the core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "notation.hpp"

namespace nb = nanobind;
using namespace noughts;

namespace {

// Parse `text` and call `visit` with the position, without the GIL.
template <class Visit>
void with_position(const std::string& text, Visit&& visit) {
  bool known;
  {
    nb::gil_scoped_release unlocked;
    known = visit_position(text, visit);
  }
  if (!known) throw nb::value_error(("the core cannot read " + text).c_str());
}

std::uint64_t perft_of(const std::string& text, int depth) {
  std::uint64_t nodes = 0;
  with_position(text, [&](const auto& position) { nodes = perft(position, depth); });
  return nodes;
}

// A random game: the legal moves and the move played at each ply; then the outcome (1 X wins, 2 O
// wins, 3 a draw).
using Plies = std::vector<std::pair<std::vector<int>, int>>;

std::pair<Plies, int> random_game(const std::string& text, std::uint64_t seed) {
  Plies plies;
  int outcome = 0;
  with_position(text, [&](auto position) {
    MoveList list;
    for (position.moves(list); list.size; position.moves(list)) {
      seed = mixed(seed);
      const int move = list.move[seed % list.size];
      plies.emplace_back(std::vector<int>(list.begin(), list.end()), move);
      position.play(move);
    }
    outcome = static_cast<int>(position.outcome);
  });
  return {plies, outcome};
}

// The index of a Connect Four position in a book, and the length of that book.
std::pair<std::uint64_t, std::uint64_t> book_place(const std::string& text) {
  std::optional<std::pair<std::uint64_t, std::uint64_t>> result;
  with_position(text, [&](const auto& position) {
    if constexpr (std::is_same_v<decltype(position), const RowPosition<Bits64>&>)
      if (position.rules->gravity && position.ply <= Connect4Board::mirrored_up_to) {
        const Connect4Board board(*position.rules);
        const Bits64 key = position.marks[position.turn()] + position.occupied();
        const BookIndex index(*position.rules, position.ply);
        result.emplace(index[board.canonical(key, position.ply)], index.size());
      }
  });
  if (!result) throw nb::value_error(("no book can hold the position " + text).c_str());
  return *result;
}

using Listener = nb::typed<nb::callable, void(Finding)>;
using ScoresListener = nb::typed<nb::callable, void(Scores)>;

// An engine, and the flag by which another thread stops its search. A search polls for signals,
// such as Ctrl-C; Python delivers them to the main thread only.
class PythonEngine {
 public:
  PythonEngine(const std::string& rules_id, int table_mib, std::uint64_t seed,
               const std::string& evaluation, int stones, const nb::bytes& book)
      : book_(book),
        engine_(make_engine(rules_id, table_mib, seed, evaluation, stones,
                            {book_.c_str(), book_.size()})) {
    if (!engine_)
      throw nb::value_error(
          ("the core has no engine for " + rules_id + " " + evaluation + " with this book")
              .c_str());
  }

  void arm() { stop_.store(false); }
  void stop() { stop_.store(true); }

  void clear() { engine_->clear(); }

  Finding search(const std::string& text, Method method, const Limit& limit,
                 const std::optional<Listener>& report) {
    Finding found;
    run(text, limit, [&](Control& control) {
      return engine_->search(text, method, control, teller<Report>(report), found);
    });
    return found;
  }

  Scores scores(const std::string& text, Method method, const Limit& limit,
                const std::optional<ScoresListener>& report) {
    Scores found;
    run(text, limit, [&](Control& control) {
      return engine_->scores(text, method, control, teller<ScoresReport>(report), found);
    });
    return found;
  }

 private:
  // Call `work` without the GIL; rethrow the exception of a signal handler.
  template <class Work>
  void run(const std::string& text, const Limit& limit, Work&& work) {
    bool known, interrupted = false;
    {
      nb::gil_scoped_release unlocked;
      Control control(limit, stop_, [&] {
        nb::gil_scoped_acquire locked;
        interrupted = interrupted || PyErr_CheckSignals() != 0;
        return !interrupted;
      });
      known = work(control);
    }
    if (interrupted) throw nb::python_error();
    if (!known) throw nb::value_error(("the core cannot read " + text).c_str());
  }

  template <class Report, class Listener>
  static Report teller(const std::optional<Listener>& listener) {
    if (!listener) return {};
    return [&listener](const auto& found) {
      nb::gil_scoped_acquire locked;
      (*listener)(found);
    };
  }

  nb::bytes book_;  // the engine refers to its text
  std::unique_ptr<Engine> engine_;
  std::atomic<bool> stop_{false};
};

Limit make_limit(std::optional<int> depth, std::optional<std::uint64_t> nodes,
                 std::optional<double> seconds, std::optional<std::uint64_t> simulations) {
  Limit limit;
  if (depth) limit.depth = *depth;
  if (nodes) limit.nodes = *nodes;
  if (seconds) limit.seconds = *seconds;
  if (simulations) limit.simulations = *simulations;
  return limit;
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "The native core: fast positions and searches.";
  module.def("perft", &perft_of, nb::arg("position"), nb::arg("depth"),
             "Count the move sequences of exactly `depth` plies.");
  module.def(
      "random_game", &random_game, nb::arg("position"), nb::arg("seed"),
      "Play random moves to the end; return [(legal moves, move played), ...] and the outcome.");

  module.def("book_place", &book_place, nb::arg("position"),
             "Return the index of a Connect Four position in a book, and the length of that book.");

  module.attr("WIN") = win;
  module.attr("SURE") = sure;
  module.attr("ESTIMATE_UNIT") = estimate_unit;

  nb::enum_<Method>(module, "Method")
      .value("alphabeta", Method::alphabeta)
      .value("mcts", Method::mcts)
      .value("mcts_random", Method::mcts_random)
      .value("solve", Method::solve)
      .value("solve_weakly", Method::solve_weakly)
      .value("assisted", Method::assisted);

  nb::class_<Limit>(module, "Limit", "Limits of a search; the first one reached ends it.")
      .def(
          "__init__",
          [](Limit* limit, std::optional<int> depth, std::optional<std::uint64_t> nodes,
             std::optional<double> seconds, std::optional<std::uint64_t> simulations) {
            new (limit) Limit(make_limit(depth, nodes, seconds, simulations));
          },
          nb::arg("depth").none(), nb::arg("nodes").none(), nb::arg("seconds").none(),
          nb::arg("simulations").none());

  nb::class_<Finding>(module, "Finding", "Result of a search.")
      .def_ro("move", &Finding::move)
      .def_ro("score", &Finding::score)
      .def_ro("exact", &Finding::exact)
      .def_ro("lower", &Finding::lower)
      .def_ro("upper", &Finding::upper)
      .def_ro("depth", &Finding::depth)
      .def_ro("nodes", &Finding::nodes)
      .def_ro("simulations", &Finding::simulations)
      .def_ro("seconds", &Finding::seconds)
      .def_ro("table_use", &Finding::table_use)
      .def_ro("pv", &Finding::pv);

  nb::class_<PythonEngine>(module, "Engine", "The searches of one set of rules, with their tables.")
      .def(nb::init<const std::string&, int, std::uint64_t, const std::string&, int,
                    const nb::bytes&>(),
           nb::arg("rules"), nb::arg("table_mib"), nb::arg("seed"), nb::arg("evaluation"),
           nb::arg("stones"), nb::arg("book"))
      .def("arm", &PythonEngine::arm, "Reset the stop flag; a later `stop` ends the next search.")
      .def("stop", &PythonEngine::stop, "Stop the search in progress, or the next one.")
      .def("search", &PythonEngine::search, nb::arg("position"), nb::arg("method"),
           nb::arg("limit"), nb::arg("report").none(),
           "Search without the GIL; call `report` with each better finding.")
      .def("scores", &PythonEngine::scores, nb::arg("position"), nb::arg("method"),
           nb::arg("limit"), nb::arg("report").none(),
           "Find the value of every legal move, without the GIL.")
      .def("clear", &PythonEngine::clear, "Clear all tables: the next search starts from nothing.");
}
