// The Python interface of the core: a position string goes in, plain results come out.
//
// One call is one complete search, without the GIL. An invalid text raises ValueError;
// noughts.engine checks texts before it calls the core. A second call of a busy engine raises
// EngineBusy. No call outlives Python: at exit all are stopped, and awaited.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "count.hpp"
#include "engine.hpp"
#include "five_engine.hpp"
#include "hint.hpp"
#include "notation.hpp"
#include "self_play.hpp"
#include "strategy.hpp"
#include "strategy_search.hpp"

namespace noughts {

#define NOUGHTS_ROW_ENGINE extern template
#include "row_engines.hpp"

}  // namespace noughts

namespace nb = nanobind;
using namespace noughts;

void bind_batch(nb::module_& module);  // batch_bindings.cpp

namespace {

struct EngineBusy : std::runtime_error {
  EngineBusy()
      : std::runtime_error("this engine is searching: end that search first, or use another one") {}
};

class PythonEngine;

// A call that leaves the GIL. A thread that came back after the end of Python would abort the
// program, and a forked child does not have the other threads of its parent.
class Call {
 public:
  explicit Call(PythonEngine* engine = nullptr) : engine_(engine) {
    if (closing) refuse();
    if (engine && is_open(engine)) throw EngineBusy();
    open.push_back(this);
  }
  ~Call() { std::erase(open, this); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  static bool is_open(const PythonEngine* engine) {
    return std::any_of(open.begin(), open.end(),
                       [&](const Call* call) { return call->engine_ == engine; });
  }
  static void end_all();
  static void after_fork();

  static inline std::atomic<bool> closing{false};

 private:
  // Other threads than the one that ends Python run no further; their work would be lost anyway.
  static void refuse() {
    if (std::this_thread::get_id() == closer)
      throw std::runtime_error("no search can begin while Python ends");
    nb::gil_scoped_release unlocked;
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }

  static inline std::vector<Call*> open;  // guarded by the GIL
  static inline std::thread::id closer;

  PythonEngine* engine_;
  std::thread::id thread_ = std::this_thread::get_id();
};

// Refusals of arguments that only a programmer can give.
[[noreturn]] void refuse_text(const std::string& text) {
  throw nb::value_error(("the core cannot read " + text).c_str());
}
[[noreturn]] void refuse_proof(const std::string& text) {
  throw nb::value_error(("no position to prove: " + text).c_str());
}
[[noreturn]] void refuse_limit() { throw nb::value_error("a limit is out of range"); }

// Call `work` with a control, without the GIL, and poll for signals, such as Ctrl-C, which Python
// delivers to the main thread only. Rethrow the exception of a signal handler.
template <class Work>
void run(const std::string& text, const Limit& limit, const std::atomic<bool>& stop, Work&& work) {
  bool known, interrupted = false;
  {
    nb::gil_scoped_release unlocked;
    const auto may_continue = [&] {
      if (Call::closing) return false;
      nb::gil_scoped_acquire locked;
      interrupted = interrupted || PyErr_CheckSignals() != 0;
      return !interrupted;
    };
    Control control(limit, stop, {may_continue});
    known = work(control);
  }
  if (interrupted) throw nb::python_error();
  if (!known) refuse_text(text);
}

// Parse `text` and call `visit` with the position and a control, without the GIL.
template <class Visit>
void with_position(const std::string& text, Visit&& visit) {
  const Call call;
  const std::atomic<bool> never{false};
  run(text, {}, never, [&](Control& control) {
    return visit_position(text, [&](auto&& position) { visit(position, control); });
  });
}

std::uint64_t perft_of(const std::string& text, int depth) {
  if (depth < 0) refuse_limit();
  std::uint64_t nodes = 0, moves = 0;
  with_position(text, [&](const auto& position, Control& control) {
    nodes = perft(position, depth, [&] { return !control.must_stop(++moves); });
  });
  return nodes;
}

// A random game: the legal moves and the move played at each ply; then the outcome (1 X wins, 2 O
// wins, 3 a draw).
using Plies = std::vector<std::pair<std::vector<int>, int>>;

std::pair<Plies, int> random_game(const std::string& text, std::uint64_t seed) {
  Plies plies;
  int outcome = 0;
  with_position(text, [&](auto position, Control&) {
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

// The sentences of a hint, as JSON.
std::string hint_of(const std::string& text, const std::string& values) {
  std::optional<Json> found;
  {
    const Call call;
    nb::gil_scoped_release unlocked;
    found = hint(text, values);
  }
  if (!found) refuse_text(text + " " + values);
  return found->text();
}

// The tree of a win by threats, as `ThreatTree::Codes`.
std::vector<int> threat_tree_of(const std::string& text, bool loses, int first, int most,
                                std::uint64_t nodes) {
  const auto id = parse_row_id(split(text, '~')[0]);
  if (!id || !has_threat_trees(*id)) refuse_text(text);
  if (most < 1) refuse_limit();
  const Call call;
  const std::atomic<bool> never{false};
  Limit limit;
  limit.nodes = nodes;
  std::vector<int> codes;
  run(text, limit, never, [&](Control& control) {
    codes = threat_tree(*id, text, loses, first, most, control);
    return true;
  });
  return codes;
}

// The index of a Connect Four position in a book, and the length of that book.
std::pair<std::uint64_t, std::uint64_t> book_place(const std::string& text) {
  std::optional<std::pair<std::uint64_t, std::uint64_t>> result;
  with_position(text, [&](const auto& position, Control&) { result = place_in_book(position); });
  if (!result) refuse_text(text);
  return *result;
}

// A layer of a count as Python sees it: for each outcome (0 unfinished, 1 X wins, 2 O wins, 3 a
// draw) the classes, the positions and the move sequences.
using Row = std::tuple<std::uint64_t, std::uint64_t, nb::int_>;
using LayerListener = nb::typed<nb::callable, void(std::vector<Row>)>;

std::vector<Row> rows_of(const Layer& layer) {
  std::vector<Row> rows;
  for (const auto& tally : layer) {
    const auto& words = tally.sequences.word;
    const nb::object sequences = (nb::int_(words[1]) << nb::int_(64)) | nb::int_(words[0]);
    rows.emplace_back(tally.classes, tally.positions, nb::int_(sequences));
  }
  return rows;
}

// Count the positions and games that follow from a start position; return why the count ended.
CountEnd count_of(const std::string& text, int plies, double seconds, std::uint64_t bytes,
                  const LayerListener& report) {
  const Call call;
  const std::atomic<bool> never{false};
  Limit limit;
  limit.seconds = seconds;
  CountEnd end{};
  run(text, limit, never, [&](Control& control) {
    return visit_position(text, [&](const auto& position) {
      end = count_positions(position, plies, bytes, control, [&](const Layer& layer) {
        nb::gil_scoped_acquire locked;
        report(rows_of(layer));
      });
    });
  });
  return end;
}

using Listener = nb::typed<nb::callable, void(Finding)>;
using ScoresListener = nb::typed<nb::callable, void(Scores)>;

// A net that several engines may share: the tables of a nested one take 11 MiB.
struct PythonNet {
  AnyNet net;

  explicit PythonNet(const nb::bytes& text) {
    const auto read = AnyNet::of({text.c_str(), text.size()});
    if (!read) throw nb::value_error(AnyNet::refusal().c_str());
    net = *read;
  }

  int estimate(const std::string& text) const {
    std::optional<int> result;
    with_position(
        text, [&](const auto& position, Control&) { result = estimate_of(net, position, text); });
    if (!result) refuse_text(text);
    return *result;
  }
};

[[noreturn]] void refuse_net() { throw nb::value_error("the net evaluates other games"); }

// The samples of one game, as `Sample` or `FiveSample` writes them.
nb::bytes self_play_of(const std::string& rules_id, std::uint64_t seed, std::uint64_t nodes,
                       const PythonNet* net) {
  const auto rules = parse_nested_id(rules_id);
  const auto row = parse_row_id(rules_id);
  if (!rules && !(row && plays_five(*row))) refuse_text(rules_id);
  if (net && !(rules ? net->net.nested != nullptr : net->net.five != nullptr)) refuse_net();
  std::vector<std::uint8_t> samples;
  const auto play = [&]<class Base, class Evaluation>(const Base&, const Evaluation& evaluation) {
    AlphaBeta<NestedPosition, Evaluation> search(2, 1, Selection{}, evaluation);
    self_play<Base>(search, *rules, mixed(seed), nodes, Call::closing, samples);
  };
  const auto play_with = [&]<class Base>(const Base& base) {
    if (net) play(base, NetEvaluation<Base>(net->net.nested));
    else play(base, base);
  };
  {
    const Call call;
    nb::gil_scoped_release unlocked;
    if (!rules)
      samples = five_self_play(*row, seed, nodes, net ? net->net.five : nullptr, Call::closing);
    else if (rules->one_line) play_with(SafetyEvaluation{});
    else play_with(ChancesEvaluation{});
  }
  return nb::bytes(samples.data(), samples.size());
}

// Ends searches of other threads.
struct StopFlag {
  std::atomic<bool> stops{false};
  static inline const std::atomic<bool> never{false};
};

// Call `visit` with a position that proofs can begin with, and a control.
template <class Visit>
void with_proof_position(const std::string& text, const Limit& limit, Visit&& visit,
                         const StopFlag* flag = nullptr) {
  const Call call;
  bool suits = false;
  run(text, limit, flag ? flag->stops : StopFlag::never, [&](Control& control) {
    return visit_position(text, [&](const auto& position) {
      if constexpr (std::is_same_v<std::decay_t<decltype(position)>, NestedPosition>)
        if (position.rules.one_line && position.outcome == Outcome::going_on) {
          suits = true;
          visit(position, control);
        }
    });
  });
  if (!suits) refuse_text(text);
}

Limit of_expansions(std::uint64_t expansions) {
  Limit limit;
  limit.nodes = expansions;
  return limit;
}

std::vector<int> replies_of(const std::string& text) {
  std::vector<int> replies;
  bool wins = false;
  with_proof_position(text, {}, [&](const NestedPosition& position, Control&) {
    const Node<NestedPosition> place(position);
    wins = SafeMoves(place).wins;
    const MoveList list = replies_to_answer(place);
    replies.assign(list.begin(), list.end());
  });
  if (wins) refuse_proof(text);
  return replies;
}

void check_attacker(int attacker) {
  if (attacker != 0 && attacker != 1) refuse_limit();
}

std::tuple<Verdict, std::uint64_t, int> proof_of(const std::string& text, int attacker,
                                                 std::uint64_t expansions) {
  check_attacker(attacker);
  std::tuple<Verdict, std::uint64_t, int> result;
  bool fits = true;
  with_proof_position(text, of_expansions(expansions), [&](const auto& position, Control& control) {
    fits = position.ply >= 81 - Prover::max_empty;
    if (!fits) return;
    Prover prover;
    const auto numbers = prover.prove(position, attacker, control);
    const bool attacks = position.turn() == attacker;
    const Verdict verdict = numbers.proof == 0      ? attacks ? Verdict::won : Verdict::lost
                            : numbers.disproof == 0 ? attacks ? Verdict::lost : Verdict::won
                                                    : Verdict::open;
    result = {verdict, prover.expansions(), prover.move()};
  });
  if (!fits) refuse_proof(text);
  return result;
}

// A strategy as Python sees it: verdict, codes, expansions, leaves, changed choices.
using StrategyRow = std::tuple<Verdict, nb::bytes, std::uint64_t, int, int>;

StrategyRow strategy_of(const std::string& text, const PythonNet& net, int leaf_ply,
                        std::uint64_t policy_nodes, const std::vector<std::uint64_t>& budgets,
                        std::uint64_t expansions, const StopFlag* stop) {
  if (leaf_ply < 81 - Prover::max_empty || budgets.empty()) refuse_limit();
  if (!net.net.nested) refuse_net();
  Strategy found;
  bool fits = true, is_even = true;
  with_proof_position(
      text, of_expansions(expansions),
      [&](const auto& position, Control& control) {
        const Node<NestedPosition> place(position);
        fits = !(place.final_boards(position.turn()) & position.reach());
        is_even = position.ply >= leaf_ply || (leaf_ply - position.ply) % 2 == 0;
        if (fits && is_even) {
          StrategySearch search(net.net.nested);
          found = search.prove(position, {leaf_ply, policy_nodes, budgets}, control);
        }
      },
      stop);
  if (!fits) refuse_proof(text);
  if (!is_even) refuse_limit();
  return {found.verdict, nb::bytes(found.codes.data(), found.codes.size()), found.expansions,
          found.leaves, found.changes};
}

// Read the codes of a strategy by `read`, which returns nothing if they are none.
template <class Read>
auto read_strategy(const std::string& text, int attacker, const nb::bytes& codes, int cut,
                   Read&& read) {
  check_attacker(attacker);
  StrategyReader reader({codes.c_str(), codes.size()}, attacker, cut);
  decltype(read(reader, std::declval<const NestedPosition&>())) found;
  with_proof_position(text, {},
                      [&](const auto& position, Control&) { found = read(reader, position); });
  if (!found) throw nb::value_error(("no strategy: code " + std::to_string(reader.at())).c_str());
  return std::pair{*found, reader.leaves()};
}

// The part of a strategy before a ply, and its leaves.
std::pair<nb::bytes, std::uint64_t> part_of(const std::string& text, int attacker,
                                            const nb::bytes& codes, int cut, int shorter) {
  const auto [part, leaves] = read_strategy(
      text, attacker, codes, cut,
      [&](StrategyReader& reader, const auto& position) { return reader.part(position, shorter); });
  return {nb::bytes(part.data(), part.size()), leaves};
}

// The number of codes of each ply.
std::vector<std::size_t> counts_of_strategy(const std::string& text, int attacker,
                                            const nb::bytes& codes, int cut) {
  return read_strategy(
             text, attacker, codes, cut,
             [](StrategyReader& reader, const auto& position) { return reader.counts(position); })
      .first;
}

// The moves from the root of a strategy to leaves.
std::vector<nb::bytes> leaf_paths(const std::string& text, int attacker, const nb::bytes& codes,
                                  int cut, const std::vector<std::size_t>& leaves) {
  const auto paths =
      read_strategy(text, attacker, codes, cut, [&](StrategyReader& reader, const auto& position) {
        return reader.paths(position, leaves);
      }).first;
  std::vector<nb::bytes> result;
  for (const std::string& path : paths) result.emplace_back(path.data(), path.size());
  return result;
}

// A strategy by the position.
class PythonStrategyBook {
 public:
  PythonStrategyBook(const std::string& text, int attacker, const nb::bytes& codes, int cut) {
    with_proof_position(text, {}, [&](const auto& position, Control&) {
      book_.emplace(position, std::string(codes.c_str(), codes.size()), attacker, cut);
    });
    if (!book_->is_valid()) throw nb::value_error("no strategy");
  }

  std::optional<int> find(const std::string& text) {
    std::optional<int> found;
    with_proof_position(text, {},
                        [&](const auto& position, Control&) { found = book_->find(position); });
    return found;
  }

 private:
  std::optional<StrategyBook> book_;
};

// An engine, and the flag by which another thread stops its search.
class PythonEngine {
 public:
  PythonEngine(const std::string& rules_id, int table_mib, std::uint64_t seed,
               const std::string& evaluation, int stones, const nb::bytes& book,
               const PythonNet* net, int threads)
      : book_(book), make_([=, this, weights = net ? net->net : AnyNet{}] {
          return make_engine(rules_id, {table_mib, threads, seed}, evaluation, stones,
                             {book_.c_str(), book_.size()}, weights);
        }) {
    make();
    if (!engine_) refuse_text(rules_id + " " + evaluation);
  }

  void make() { engine_ = make_(); }
  void arm() {
    if (!Call::is_open(this)) stop_.store(false);
  }
  void stop() { stop_.store(true); }

  void clear() {
    const Call call(this);
    engine_->clear();
  }

  Finding search(const std::string& text, Method method, const Limit& limit,
                 const std::optional<Listener>& report) {
    const Call call(this);
    Finding found;
    run(text, limit, stop_, [&](Control& control) {
      return engine_->search(text, method, control, teller<Report>(report), found);
    });
    return found;
  }

  Scores scores(const std::string& text, Method method, const Limit& limit,
                const std::optional<ScoresListener>& report) {
    const Call call(this);
    Scores found;
    run(text, limit, stop_, [&](Control& control) {
      return engine_->scores(text, method, control, teller<ScoresReport>(report), found);
    });
    return found;
  }

 private:
  template <class Report, class Listener>
  static Report teller(const std::optional<Listener>& listener) {
    if (!listener) return {};
    return [&listener](const auto& found) {
      nb::gil_scoped_acquire locked;
      (*listener)(found);
    };
  }

  nb::bytes book_;  // the engine refers to its text
  std::function<std::unique_ptr<Engine>()> make_;
  std::unique_ptr<Engine> engine_;
  std::atomic<bool> stop_{false};
};

// Stop all calls and wait for their ends; later ones do not begin.
void Call::end_all() {
  closer = std::this_thread::get_id();
  closing = true;
  for (const Call* call : open)
    if (call->engine_) call->engine_->stop();
  const auto is_foreign = [](const Call* call) { return call->thread_ != closer; };
  while (std::any_of(open.begin(), open.end(), is_foreign)) {
    nb::gil_scoped_release unlocked;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Forget the calls of other threads. Replace their engines, since tables may be half written.
void Call::after_fork() {
  const auto foreign = std::partition(open.begin(), open.end(), [](const Call* call) {
    return call->thread_ == std::this_thread::get_id();
  });
  const std::vector<Call*> lost(foreign, open.end());
  open.erase(foreign, open.end());
  for (const Call* call : lost)
    if (call->engine_) call->engine_->make();
}

Limit make_limit(std::optional<int> depth, std::optional<std::uint64_t> nodes,
                 std::optional<double> seconds, std::optional<std::uint64_t> simulations,
                 std::optional<double> target) {
  Limit limit;
  if (depth) limit.depth = *depth;
  if (nodes) limit.nodes = *nodes;
  if (seconds) limit.seconds = *seconds;
  if (simulations) limit.simulations = *simulations;
  if (target) limit.target = *target;
  return limit;
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "The native core: fast positions and searches.";
  nb::set_leak_warnings(false);  // threads that wait for the end of the process hold references
  nb::exception<EngineBusy>(module, "EngineBusy", PyExc_RuntimeError);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&Call::end_all));
  nb::module_ os = nb::module_::import_("os");
  if (nb::hasattr(os, "register_at_fork"))
    os.attr("register_at_fork")(nb::arg("after_in_child") = nb::cpp_function(&Call::after_fork));

  module.def("perft", &perft_of, nb::arg("position"), nb::arg("depth"),
             "Count the move sequences of exactly `depth` plies.");
  module.def(
      "random_game", &random_game, nb::arg("position"), nb::arg("seed"),
      "Play random moves to the end; return [(legal moves, move played), ...] and the outcome.");

  module.def("hint", &hint_of, nb::arg("position"), nb::arg("values"),
             "Return the sentences of a hint as JSON, from the values of all legal moves.");

  module.def(
      "threat_tree", &threat_tree_of, nb::arg("position"), nb::arg("loses"), nb::arg("first"),
      nb::arg("most"), nb::arg("nodes"),
      "Return the tree of a win of five in a row by threats as codes; none if no win is found.");

  module.def("book_place", &book_place, nb::arg("position"),
             "Return the index of a Connect Four position in a book, and the length of that book.");

  nb::enum_<CountEnd>(module, "CountEnd")
      .value("complete", CountEnd::complete)
      .value("plies", CountEnd::plies)
      .value("seconds", CountEnd::seconds)
      .value("memory", CountEnd::memory)
      .value("overflow", CountEnd::overflow);
  module.def(
      "count", &count_of, nb::arg("position"), nb::arg("plies"), nb::arg("seconds"),
      nb::arg("bytes"), nb::arg("report"),
      "Count the positions of each ply after a start position; return the reason of the end.");

  module.attr("WIN") = win;
  module.attr("SURE") = sure;
  module.attr("ESTIMATE_UNIT") = estimate_unit;

  nb::enum_<Method>(module, "Method")
      .value("alphabeta", Method::alphabeta)
      .value("selective", Method::selective)
      .value("mcts", Method::mcts)
      .value("mcts_random", Method::mcts_random)
      .value("solve", Method::solve)
      .value("solve_weakly", Method::solve_weakly)
      .value("assisted", Method::assisted)
      .value("best", Method::best);

  nb::class_<Limit>(module, "Limit", "Limits of a search; the first one reached ends it.")
      .def(
          "__init__",
          [](Limit* limit, std::optional<int> depth, std::optional<std::uint64_t> nodes,
             std::optional<double> seconds, std::optional<std::uint64_t> simulations,
             std::optional<double> target) {
            new (limit) Limit(make_limit(depth, nodes, seconds, simulations, target));
          },
          nb::arg("depth").none(), nb::arg("nodes").none(), nb::arg("seconds").none(),
          nb::arg("simulations").none(), nb::arg("target") = nb::none());

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

  nb::class_<PythonNet>(module, "Weights", "The weights of a net, a learned evaluation.")
      .def(nb::init<const nb::bytes&>(), nb::arg("weights"))
      .def("estimate", &PythonNet::estimate, nb::arg("position"),
           "Return the estimate of an unfinished position of the net's games, without a search.");
  module.attr("NET_SIZE") = Net::size;
  module.attr("SMALL_NET_SIZE") = Net::small_size;
  module.attr("FIVE_NET_SIZE") = FiveNet::size;
  module.attr("SAMPLE_SIZE") = Sample::size;
  module.attr("FIVE_SAMPLE_SIZE") = five_sample_size;
  module.def("self_play", &self_play_of, nb::arg("rules"), nb::arg("seed"), nb::arg("nodes"),
             nb::arg("net").none(),
             "Play a nine-board game or Gomoku, without the GIL; return its positions as samples.");

  nb::class_<StopFlag>(module, "StopFlag", "Ends the searches that it was given to.")
      .def(nb::init<>())
      .def("set", [](StopFlag& flag) { flag.stops = true; })
      .def("is_set", [](const StopFlag& flag) { return flag.stops.load(); });
  nb::enum_<Verdict>(module, "Verdict")
      .value("open", Verdict::open)
      .value("won", Verdict::won)
      .value("lost", Verdict::lost);
  module.def("replies_to_answer", &replies_of, nb::arg("position"),
             "Return the safe replies of `advanced`, without images of earlier ones.");
  module.def("prove", &proof_of, nb::arg("position"), nb::arg("attacker"), nb::arg("expansions"),
             "Search for a proof that the attacker (0 is X) wins, or does not; return the verdict, "
             "the expansions and the best move.");
  module.def(
      "strategy", &strategy_of, nb::arg("position"), nb::arg("net"), nb::arg("leaf_ply"),
      nb::arg("policy_nodes"), nb::arg("budgets"), nb::arg("expansions"),
      nb::arg("stop").none() = nb::none(),
      "Search for a winning strategy of the side to move; return the verdict, its codes, the "
      "expansions, the leaves, and the nodes where the first choice was not the last.");
  module.def("part_of_strategy", &part_of, nb::arg("position"), nb::arg("attacker"),
             nb::arg("codes"), nb::arg("cut"), nb::arg("shorter"),
             "Return the codes of a strategy before the ply `shorter`, and the leaves there.");
  module.def("counts_of_strategy", &counts_of_strategy, nb::arg("position"), nb::arg("attacker"),
             nb::arg("codes"), nb::arg("cut"), "Return the number of codes of each ply.");
  module.def("leaf_paths", &leaf_paths, nb::arg("position"), nb::arg("attacker"), nb::arg("codes"),
             nb::arg("cut"), nb::arg("leaves"),
             "Return the moves to leaves of a strategy, whose numbers ascend.");
  nb::class_<PythonStrategyBook>(module, "StrategyBook", "A strategy by the position.")
      .def(nb::init<const std::string&, int, const nb::bytes&, int>(), nb::arg("position"),
           nb::arg("attacker"), nb::arg("codes"), nb::arg("cut"))
      .def("find", &PythonStrategyBook::find, nb::arg("position"),
           "Return the attacker's move in an unfinished position of the strategy; -1 if the other "
           "side is to move, or at a leaf; None if the strategy does not have the position.");

  nb::class_<PythonEngine>(module, "Engine", "The searches of one set of rules, with their tables.")
      .def(nb::init<const std::string&, int, std::uint64_t, const std::string&, int,
                    const nb::bytes&, const PythonNet*, int>(),
           nb::arg("rules"), nb::arg("table_mib"), nb::arg("seed"), nb::arg("evaluation"),
           nb::arg("stones"), nb::arg("book"), nb::arg("net") = nb::none(), nb::arg("threads") = 1)
      .def("arm", &PythonEngine::arm, "Reset the stop flag; a later `stop` ends the next search.")
      .def("stop", &PythonEngine::stop, "Stop the search in progress, or the next one.")
      .def("search", &PythonEngine::search, nb::arg("position"), nb::arg("method"),
           nb::arg("limit"), nb::arg("report").none(),
           "Search without the GIL; call `report` with each better finding.")
      .def("scores", &PythonEngine::scores, nb::arg("position"), nb::arg("method"),
           nb::arg("limit"), nb::arg("report").none(),
           "Find the value of every legal move, without the GIL.")
      .def("clear", &PythonEngine::clear, "Clear all tables: the next search starts from nothing.");

  bind_batch(module);
}
