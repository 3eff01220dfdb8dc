// The door between Python and the core: a position string goes in, plain results come out.
//
// One call does one whole piece of work, without the GIL. A text that the core cannot read is a
// ValueError; noughts.engine checks texts before it comes here.
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

// Call `visit` with the position that `text` stands for, without the GIL.
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

// A random game: for each ply the legal moves and the one played, and the winner at the end (1 X,
// 2 O, 3 a draw).
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

// The place that a book has for a position of Connect Four, and the number of its places.
std::pair<std::uint64_t, std::uint64_t> book_place(const std::string& text) {
  std::optional<std::pair<std::uint64_t, std::uint64_t>> result;
  with_position(text, [&](const auto& position) {
    if constexpr (std::is_same_v<decltype(position), const RowPosition<Bits64>&>)
      if (position.rules->gravity && position.ply <= Connect4Board::mirrored_up_to) {
        const Connect4Board board(*position.rules);
        const Bits64 key = position.marks[position.turn()] + position.occupied();
        const Places places(*position.rules, position.ply);
        result.emplace(places[board.canonical(key, position.ply)], places.size());
      }
  });
  if (!result) throw nb::value_error(("there are no books with " + text).c_str());
  return *result;
}

using Listener = nb::typed<nb::callable, void(Finding)>;
using ScoresListener = nb::typed<nb::callable, void(Scores)>;

// An engine, and the flag that ends its search from another thread. A search that is called from
// the main thread looks for signals now and then; in others Python has none to look for.
class Door {
 public:
  Door(const std::string& rules_id, int table_mib, std::uint64_t seed,
       const std::string& evaluation, int stones, const nb::bytes& book)
      : book_(book),
        engine_(make_engine(rules_id, table_mib, seed, evaluation, stones,
                            {book_.c_str(), book_.size()})) {
    if (!engine_)
      throw nb::value_error(
          ("the core has no game " + rules_id + " " + evaluation + " with this book").c_str());
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
  // Call `work` without the GIL; a signal that comes raises what its handler does.
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

  nb::bytes book_;  // the engine looks into it
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
  module.doc() = "The native core: fast positions and searches behind one narrow door.";
  module.def("perft", &perft_of, nb::arg("position"), nb::arg("depth"),
             "Count the move sequences of exactly `depth` plies.");
  module.def("random_game", &random_game, nb::arg("position"), nb::arg("seed"),
             "Play at random to the end: [(legal moves, move played), ...] and the outcome.");

  module.def("book_place", &book_place, nb::arg("position"),
             "The place of a position of Connect Four in a book, and how many places there are.");

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

  nb::class_<Limit>(module, "Limit", "How far a search may go; whichever comes first ends it.")
      .def(
          "__init__",
          [](Limit* limit, std::optional<int> depth, std::optional<std::uint64_t> nodes,
             std::optional<double> seconds, std::optional<std::uint64_t> simulations) {
            new (limit) Limit(make_limit(depth, nodes, seconds, simulations));
          },
          nb::arg("depth").none(), nb::arg("nodes").none(), nb::arg("seconds").none(),
          nb::arg("simulations").none());

  nb::class_<Finding>(module, "Finding", "What a search has found out.")
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

  nb::class_<Door>(module, "Engine", "The searches of one set of rules, with their tables.")
      .def(nb::init<const std::string&, int, std::uint64_t, const std::string&, int,
                    const nb::bytes&>(),
           nb::arg("rules"), nb::arg("table_mib"), nb::arg("seed"), nb::arg("evaluation"),
           nb::arg("stones"), nb::arg("book"))
      .def("arm", &Door::arm, "Make ready for a search, which `stop` ends from then on.")
      .def("stop", &Door::stop, "End the search under way, or the next one.")
      .def("search", &Door::search, nb::arg("position"), nb::arg("method"), nb::arg("limit"),
           nb::arg("report").none(), "Search without the GIL; `report` is told of findings.")
      .def("scores", &Door::scores, nb::arg("position"), nb::arg("method"), nb::arg("limit"),
           nb::arg("report").none(), "Find the value of every legal move, as `search` does.")
      .def("clear", &Door::clear, "Forget everything, so that the next search is as the first.");
}
