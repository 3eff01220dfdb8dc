// The searches of one set of rules, with their tables.
//
//     alphabeta     iterative deepening; also gives the value of every legal move
//     selective     the same for the best move, with pruning: deeper, but proves only wins; in
//                   `ultimate` with proofs beside it (`NestedJudge`)
//     mcts          Monte Carlo tree search, with decisive playouts
//     mcts_random   the same with purely random playouts
//     solve         the exact score, or bounds: the exact solver of the game, else alpha-beta
//     solve_weakly  win, draw or loss only, where the solver can omit the distance or finds none
//     assisted      alpha-beta and the solver in turns: after each depth the solver gets `share`
//                   nodes for each node of alpha-beta and reports proven bounds of moves; a proven
//                   score ends the search. Only this method uses the book.
//     best          the one of these that plays the game best at equal time (`bench/strength.py`)
//
// An engine never exceeds its memory: a change of method frees the tables of the one before, and
// alpha-beta and the solver of `assisted` get half each.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "alphabeta.hpp"
#include "any_net.hpp"
#include "connect4_solver.hpp"
#include "engine_interface.hpp"
#include "evaluation.hpp"
#include "five_engine.hpp"
#include "gravity_solver.hpp"
#include "mcts.hpp"
#include "nested_judge.hpp"
#include "nested_solver.hpp"
#include "notation.hpp"
#include "row_solver.hpp"
#include "search.hpp"

namespace noughts {

// Solver type of games without an exact solver.
struct NoSolver {};

// Turn a finding for the position after `move` into a finding for `move`.
inline Finding for_mover(const Finding& after, int move) {
  Finding found = after;
  found.move = move;
  found.score = -after.score;
  found.lower = -after.upper;
  found.upper = -after.lower;
  found.pv.insert(found.pv.begin(), move);
  return found;
}

// Combine the finding of a search with that of a proof. The move of the proof wins, unless it
// proves only a loss and not its distance: then the search's move delays the loss as far as it
// sees.
inline Finding merged(Finding found, const Finding& proof) {
  const bool settled = found.lower == found.upper, settles = proof.lower == proof.upper;
  found.lower = std::max(found.lower, proof.lower);
  found.upper = std::min(found.upper, proof.upper);
  if (proof.exact && (!found.exact || (settles && !settled))) {
    found.exact = true;
    found.score = proof.score;
    if (proof.move >= 0 && proof.move != found.move && (settles || !is_loss(proof.score))) {
      found.move = proof.move;
      found.pv = proof.pv.empty() ? std::vector<int>{proof.move} : proof.pv;
    }
  }
  found.score = std::clamp(found.score, found.lower, found.upper);
  return found;
}

// The book that a solver takes.
template <class Solver>
concept TakesBook = requires { typename Solver::Book; };
struct NoBook {};
template <class Solver>
struct BookFor {
  using Book = NoBook;
};
template <TakesBook Solver>
struct BookFor<Solver> {
  using Book = typename Solver::Book;
};

template <class Position, class Evaluation, class Solver>
class EngineOf : public Engine {
 public:
  using Book = typename BookFor<Solver>::Book;

  template <class Rules>
  EngineOf(const Rules& rules, const Resources& resources, std::optional<Book> book = {},
           const Evaluation& evaluation = {})
      : rules_(rules),
        table_mib_(resources.table_mib),
        threads_(resources.threads),
        seed_(resources.seed),
        book_(std::move(book)),
        evaluation_(evaluation) {}

  bool search(std::string_view text, Method method, Control& control, const Report& report,
              Finding& found) override {
    const auto position = parse(text);
    if (!position) return false;
    if (method == Method::best) method = best();
    method = prepare(method, *position, control, prunes_for_best);
    age();
    if (mcts_) found = mcts_->analyse(*position, control, report);
    else if (method == Method::solve) found = solve(*position, control, Aim::score);
    else if (method == Method::solve_weakly) found = solve(*position, control, Aim::value);
    else if (method == Method::assisted) found = take_turns(*position, control, report);
    else if (judges(control)) found = judged(*position, control, report);
    else if (selective_) found = selective_->analyse(*position, control, report);
    else found = alphabeta_->analyse(*position, control, report);
    return true;
  }

  bool value_moves(std::string_view text, Method method, Control& control,
                   const ScoresReport& report, Scores& found) override {
    const auto position = parse(text);
    if (!position) return false;
    if (method == Method::best) method = best();
    const bool fours = method == Method::selective && !has_depth(control);
    if (method != Method::assisted) method = Method::alphabeta;
    const bool assisted = prepare(method, *position, control, false) == Method::assisted;
    age();
    found = assisted ? scores_in_turns(*position, control, report)
                     : alphabeta_->scores(*position, control, report, true, fours);
    return true;
  }

  void clear() override {
    if (mcts_) mcts_.reset(), held_.reset();
    if (alphabeta_) alphabeta_->clear();
    if (selective_) selective_->clear();
    if (judge_) judge_->clear();
    if constexpr (can_solve)
      if (solver_) solver_->clear();
  }

 private:
  using Rules = typename Position::Rules;
  static constexpr bool can_solve = !std::is_same_v<Solver, NoSolver>;
  // Whether the solver finds no distances: it then serves only where none is asked for.
  static constexpr bool only_weakly = requires { requires Solver::only_weakly; };
  static constexpr bool takes_book = TakesBook<Solver>;
  // Whether the alpha-beta of `assisted` prunes if it looks for the best move alone.
  static constexpr bool prunes_for_best = std::is_same_v<Position, NestedPosition>;
  static constexpr int large_board = 81;  // cells
  // A judge has a quarter as many nodes as alpha-beta, and three times as many where that finds
  // about a draw: a deeper search would find it again. It begins once alpha-beta has spent this
  // part of the nodes of a proof, and `min_turn` nodes are due.
  static constexpr int about_a_draw = estimate_unit / 50;
  static constexpr std::uint64_t min_turn = 2'000, first_part = 8, first_part_of_draws = 32;
  // The nodes in which about half of all positions are proven, by the plies left (bench/even.py).
  static std::uint64_t nodes_of_proof(int plies_left) {
    return static_cast<std::uint64_t>(1'000 * std::exp2((plies_left - 19) / 2.5));
  }
  static constexpr std::uint64_t first_turn =
      10'000;  // nodes of alpha-beta before the first turn of the solver

  std::optional<Position> parse(std::string_view text) const {
    const auto fields = split(text, '~');
    if constexpr (std::is_same_v<Position, NestedPosition>) return parse_nested(rules_, fields);
    else return parse_row(rules_, fields);
  }

  // The exact solvers of small row games, and of the nine-board game that the first line decides,
  // gain more than the time that they take. On large boards there is none that helps to play, and
  // in `ultimate` alpha-beta finds most wins as soon as the proof-number search.
  Method best() const {
    if constexpr (std::is_same_v<Position, NestedPosition>)
      return rules_.one_line ? Method::assisted : Method::selective;
    else {
      const bool is_open = rules_.size() >= large_board && !rules_.gravity && !rules_.misere;
      return is_open ? Method::selective : Method::assisted;
    }
  }

  static bool has_depth(const Control& control) {
    return control.limit().depth < std::numeric_limits<int>::max();
  }

  // Create the searches of a method, and return the method used. Alpha-beta replaces a method that
  // needs the solver if there is none or no memory for it, if the game is over, or, for `assisted`
  // and `selective`, if the depth is limited.
  // `prunes` is for the alpha-beta of `assisted`.
  Method prepare(Method method, const Position& position, const Control& control, bool prunes) {
    const bool assists = method == Method::assisted;
    const bool over = position.outcome != Outcome::going_on;
    const bool to_a_depth = has_depth(control);
    const bool solves = method == Method::solve || method == Method::solve_weakly;
    if ((assists || solves) && (!can_solve || over)) method = Method::alphabeta;
    if ((assists || method == Method::solve) && only_weakly) method = Method::alphabeta;
    if (assists && (to_a_depth || table_mib_ < 2)) method = Method::alphabeta;
    if (method == Method::selective && to_a_depth) method = Method::alphabeta;
    const Method holds = method == Method::solve_weakly ? Method::solve : method;
    prunes = prunes && method == Method::assisted;
    if (holds == held_ && prunes == prunes_) return method;
    alphabeta_.reset();
    selective_.reset();
    judge_.reset();
    mcts_.reset();
    solver_.reset();
    held_.reset();  // until all allocations have succeeded
    const bool judged = method == Method::selective && has_judge() && table_mib_ >= 2;
    const int mib = method == Method::assisted ? table_mib_ / 2
                    : judged                   ? table_mib_ - table_mib_ / 4
                                               : table_mib_;
    if (judged) judge_ = std::make_unique<NestedJudge>(table_mib_ / 4.0);
    if (method == Method::selective)
      selective_ = std::make_unique<AlphaBeta<Position, Evaluation>>(mib, seed_, Selection{},
                                                                     evaluation_, threads_);
    if (method == Method::alphabeta || method == Method::assisted)
      alphabeta_ = std::make_unique<AlphaBeta<Position, Evaluation>>(
          mib, seed_, prunes ? std::optional<Selection>(Selection{}) : std::nullopt, evaluation_,
          threads_);
    if (method == Method::mcts || method == Method::mcts_random)
      mcts_ = std::make_unique<MonteCarlo<Position>>(mib, seed_);
    if (method == Method::mcts_random) mcts_->playout = Playout::random;
    if constexpr (can_solve)
      if (holds == Method::solve || method == Method::assisted) {
        if constexpr (std::is_same_v<Position, NestedPosition>)
          solver_ = std::make_unique<Solver>(rules_, mib, book(), net());
        else if constexpr (takes_book) solver_ = std::make_unique<Solver>(rules_, mib, book());
        else solver_ = std::make_unique<Solver>(rules_, mib);
      }
    held_ = holds;
    prunes_ = prunes;
    return method;
  }

  // Tell a solver whose table knows ages that a search begins.
  void age() {
    if constexpr (requires { solver_->new_search(); })
      if (solver_) solver_->new_search();
  }

  std::shared_ptr<const Net> net() const {
    if constexpr (requires { evaluation_.net(); }) return evaluation_.net();
    else return {};
  }
  Book* book() { return book_ ? &*book_ : nullptr; }

  Finding solve(const Position& position, Control& control, Aim aim) {
    if constexpr (requires { solver_->solve(position, control, aim); })
      return solver_->solve(position, control, aim);
    else if constexpr (requires { solver_->solve(position, control, true); })
      return solver_->solve(position, control, aim != Aim::value);
    else if constexpr (can_solve) return solver_->solve(position, control);
    else return {};
  }

  // Whether the solver cannot improve a finding.
  static bool is_done(const Finding& found) {
    if constexpr (can_solve)
      return found.exact && (!Solver::finds_distances || found.lower == found.upper);
    else return true;
  }

  // Whether a selective search has proofs beside it: not in the game that the first line decides,
  // where `assisted` is better.
  bool has_judge() const {
    if constexpr (std::is_same_v<Position, NestedPosition>) return !rules_.one_line;
    else return false;
  }
  // Whether this search has them: helpers do not see the nodes of the judge.
  bool judges(const Control& control) const { return judge_ && (threads_ == 1 || helped(control)); }

  // A selective search and the judge in turns.
  Finding judged([[maybe_unused]] const Position& position, [[maybe_unused]] Control& control,
                 [[maybe_unused]] const Report& report) {
    if constexpr (std::is_same_v<Position, NestedPosition>) {
      if (position.outcome != Outcome::going_on)
        return selective_->analyse(position, control, report);
      judge_->begin(position);
      const int left = Node<NestedPosition>(position).plies_left();
      std::uint64_t spent = 0;
      const auto whole = [&](Finding found) {
        found.nodes += spent;
        found.seconds = control.seconds();
        return judge_->applied(found);
      };
      const auto take_turn = [&](const Finding& so_far) {
        if (report) report(whole(so_far));
        if (so_far.exact) return;
        const bool is_last = so_far.depth >= left;
        const bool is_even = std::abs(so_far.score) <= about_a_draw;
        const std::uint64_t hoped = so_far.nodes * (is_even ? first_part_of_draws : first_part);
        const std::uint64_t due = hoped < nodes_of_proof(left) ? 0
                                  : is_even                    ? 3 * so_far.nodes
                                                               : so_far.nodes / 4;
        const auto advance = [&](int move, std::uint64_t nodes) {
          nodes = judge_->advance(move, control.part(nodes), is_even ? 2 : 4);
          control.charge(nodes, so_far.nodes);
          spent += nodes;
          if (judge_->is_done()) control.end();
        };
        const std::uint64_t rest = control.limit().nodes - so_far.nodes;
        if (is_last) {
          // Alpha-beta would search the same plies again; proofs of all moves need fewer nodes.
          for (std::uint64_t turn = std::max(so_far.nodes, min_turn);
               !control.must_stop(so_far.nodes); turn *= 2) {
            advance(so_far.move, std::min(turn, control.limit().nodes - so_far.nodes));
            for (int move : judge_->moves())
              if (!control.must_stop(so_far.nodes))
                advance(move, std::min(turn, control.limit().nodes - so_far.nodes));
          }
        } else if (due >= spent + min_turn && rest >= min_turn) {
          advance(so_far.move, std::min(due - spent, rest));
        }
      };
      return whole(selective_->analyse(position, control, take_turn,
                                       [&](int move) { return judge_->bounds_of(move); }));
    } else return {};
  }

  // Whether alpha-beta has helpers beside a solver. They do not see its nodes, so not if these
  // count.
  static bool helped(const Control& control) {
    return control.limit().nodes == std::numeric_limits<std::uint64_t>::max();
  }

  // The nodes of the next turn of the solver, given the nodes of alpha-beta and the solver so far.
  static std::uint64_t next_turn(const Control& control, std::uint64_t searched,
                                 std::uint64_t solved) {
    if constexpr (!can_solve) return 0;
    else {
      const std::uint64_t due = Solver::share * searched;
      if (searched < first_turn || due <= solved) return 0;
      return std::min(due - solved, control.limit().nodes - searched);
    }
  }

  // The solver's bounds of a move, without a search.
  Finding known(const Position& position, int move) {
    Finding found;
    found.move = move;
    if constexpr (takes_book) {
      Position after = position;
      after.play(move);
      if (after.outcome == Outcome::going_on) {
        const Bounds bounds = solver_->bounds_of(position, move);
        found.lower = bounds.lower, found.upper = bounds.upper;
        found.score = std::clamp(0, found.lower, found.upper);
        found.exact = found.lower > 0 || found.upper < 0 || found.lower == found.upper;
      }
    }
    return found;
  }

  Finding take_turns(const Position& position, Control& control, const Report& report) {
    Finding proof;
    MoveBounds bounds;
    if constexpr (requires { solver_->bounds_of(position, 0); })
      bounds = [&](int move) { return solver_->bounds_of(position, move); };
    const auto whole = [&](Finding found) {
      found.nodes += proof.nodes;
      found.seconds = control.seconds();
      return merged(found, proof);
    };
    Finding found = alphabeta_->analyse(
        position, control,
        [&](const Finding& so_far) {
          const Finding known = whole(so_far);
          if (report) report(known);
          if (is_done(so_far)) {
            // Alpha-beta would look for the distance, which a book does not tell.
            const Bounds told = bounds ? bounds(so_far.move) : Bounds{};
            if (told.lower > 0 || told.upper < 0) control.end();
            return;
          }
          const std::uint64_t before = proof.nodes;
          const std::uint64_t turn = next_turn(control, so_far.nodes, before);
          if (turn == 0) return;
          Control part = control.part(turn);
          proof = solve(position, part, so_far.score < 0 ? Aim::loss_first : Aim::win_first);
          control.charge(proof.nodes, so_far.nodes);
          proof.nodes += before;
          if (is_done(proof) && !part.stopped()) control.end();
        },
        bounds, helped(control));
    return whole(found);
  }

  Scores scores_in_turns(const Position& position, Control& control, const ScoresReport& report) {
    Scores proofs;
    std::uint64_t spent = 0;
    const auto whole = [&](Scores scores) {
      for (auto& [move, found] : scores) {
        for (const auto& [proven, proof] : proofs)
          if (proven == move) found = merged(found, proof);
        if (!found.exact) found = merged(found, known(position, move));
        found.nodes += spent;
        found.seconds = control.seconds();
      }
      sort_best_first(scores);
      return scores;
    };
    const Scores found = alphabeta_->scores(
        position, control,
        [&](const Scores& so_far) {
          Scores scores = whole(so_far);
          std::uint64_t turn = next_turn(control, so_far.front().second.nodes, spent);
          std::uint64_t open = std::count_if(
              scores.begin(), scores.end(), [](const auto& each) { return !is_done(each.second); });
          for (const auto& [move, known] : scores) {
            if (is_done(known) || turn < open) continue;
            Position after = position;
            after.play(move);
            if (after.outcome != Outcome::going_on) continue;
            Control part = control.part(turn / open--);
            const Finding proof = solve(after, part, Aim::win_first);
            turn -= proof.nodes;
            spent += proof.nodes;
            control.charge(proof.nodes, so_far.front().second.nodes);
            if (proof.exact) proofs.emplace_back(move, for_mover(proof, move));
          }
          scores = whole(so_far);
          if (report) report(scores);
          if (std::all_of(scores.begin(), scores.end(), [](const auto& each) {
                return each.second.exact && each.second.lower == each.second.upper;
              }))
            control.end();
        },
        helped(control));
    return whole(found);
  }

  Rules rules_;
  int table_mib_, threads_;
  std::uint64_t seed_;
  std::optional<Book> book_;
  std::optional<Method> held_;
  bool prunes_ = false;  // the alpha-beta of `assisted`
  Evaluation evaluation_;
  std::unique_ptr<AlphaBeta<Position, Evaluation>> alphabeta_, selective_;
  std::unique_ptr<NestedJudge> judge_;
  std::unique_ptr<MonteCarlo<Position>> mcts_;
  std::unique_ptr<Solver> solver_;
};

template <class Bits, class Solver, class Evaluation = ThreatsEvaluation<Bits>>
std::unique_ptr<Engine> make_row_engine(const RowId& id, const Resources& resources) {
  const RowRules<Bits> rules(id);
  return std::make_unique<EngineOf<RowPosition<Bits>, Evaluation, Solver>>(rules, resources);
}

template <class Bits>
std::unique_ptr<Engine> make_connect4_engine(const RowId& id, const Resources& resources,
                                             int stones, std::string_view text) {
  using Connect4Engine = EngineOf<RowPosition<Bits>, ZugzwangEvaluation, Connect4Solver>;
  const RowRules<Bits> rules(id);
  std::optional<Book> book;
  if (!text.empty()) {
    if (stones < 0 || stones > Connect4Board::mirrored_up_to) return nullptr;
    const BookIndex index(rules, stones);
    if (index.size() != text.size()) return nullptr;
    book.emplace(index, text);
  }
  return std::make_unique<Connect4Engine>(rules, resources, book);
}

template <class Evaluation>
std::unique_ptr<Engine> make_nested_engine(const NestedRules& rules, const Resources& resources,
                                           std::optional<StrategyBook> book,
                                           const Evaluation& evaluation = {}) {
  using NestedEngine = EngineOf<NestedPosition, Evaluation, NestedSolver>;
  return std::make_unique<NestedEngine>(rules, resources, std::move(book), evaluation);
}

// Make the engine of a game without gravity.
inline std::unique_ptr<Engine> make_open_engine(const RowId& id, const Resources& resources) {
  if (id.bits() <= 64) return make_row_engine<Bits64, RowSolver<Bits64>>(id, resources);
  if (id.bits() <= 128) return make_row_engine<Bits128, RowSolver<Bits128>>(id, resources);
  return make_row_engine<Wide, NoSolver, LinesEvaluation<Wide>>(id, resources);
}

// Make an engine; null if the rules, or an evaluation or book for them, do not exist. An empty
// `evaluation` means the default; `report` is that of a course report, for comparison. `book` is
// the text of a book, empty for none: in Connect Four the values of positions with `stones` stones,
// in the nine-board game that the first line decides X's moves of a proof before the ply `stones`.
// It must outlive the engine. `net`, or none, evaluates the positions of nine-board games or
// Gomoku.
inline std::unique_ptr<Engine> make_engine(std::string_view rules_id, const Resources& resources,
                                           std::string_view evaluation = "", int stones = 0,
                                           std::string_view book = "", const AnyNet& net = {}) {
  if (const auto rules = parse_nested_id(rules_id)) {
    if (net.five) return nullptr;
    std::optional<StrategyBook> strategy;
    if (!book.empty()) {
      if (!rules->one_line) return nullptr;
      strategy.emplace(NestedPosition(*rules), std::string(book), 0, stones);
    }
    const auto make = [&]<class Evaluation>(const Evaluation& chosen) {
      return make_nested_engine(*rules, resources, std::move(strategy), chosen);
    };
    if (evaluation == "report" && !net.nested) return make(ReportEvaluation{});
    if (!evaluation.empty()) return nullptr;
    const auto with_net = [&]<class Base>(const Base& base) {
      return net.nested ? make(NetEvaluation<Base>(net.nested)) : make(base);
    };
    return rules->one_line ? with_net(SafetyEvaluation{}) : with_net(ChancesEvaluation{});
  }
  if (!evaluation.empty() || net.nested) return nullptr;
  const auto id = parse_row_id(rules_id);
  if (!id || (net.five && !plays_five(*id))) return nullptr;
  if (id->gravity && id->k == 4 && id->bits() <= 64)
    return make_connect4_engine<Bits64>(*id, resources, stones, book);
  if (!book.empty()) return nullptr;
  if (id->gravity) {
    if (id->bits() <= 64)
      return make_row_engine<Bits64, GravitySolver<Bits64>, ZugzwangEvaluation>(*id, resources);
    if (id->bits() <= 128) return make_row_engine<Bits128, GravitySolver<Bits128>>(*id, resources);
    return make_row_engine<Wide, NoSolver, LinesEvaluation<Wide>>(*id, resources);
  }
  if (plays_five(*id))
    return make_five_engine(*id, resources, net.five,
                            [id = *id](const Resources& its) { return make_open_engine(id, its); });
  return make_open_engine(*id, resources);
}

}  // namespace noughts
