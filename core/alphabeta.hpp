// Alpha-beta for the nine-board games and the larger row games.
//
// Fail-soft: `search` returns a value v of the position, from the side to move, such that
//     alpha < v < beta: v is the value;  v <= alpha: the value is at most v;
//     v >= beta: the value is at least v.
// The value is the minimax value over all moves to the given depth, with the evaluation at the
// leaves. The search skips only moves whose exact score `Outlook` knows and, at the root, moves
// that are symmetric to another. So every win or loss it finds is proven.
//
// A selective search also skips nodes and plies by estimates (`Selection`). Its wins and losses are
// proven too, since a node that it skips has an estimate. Draws and distances are not: they need a
// search of all moves, which follows once the selective one has proven a win or come to the end.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "move_order.hpp"
#include "nested.hpp"
#include "outlook.hpp"
#include "table.hpp"
#include "threads.hpp"

namespace noughts {

// What a selective search leaves out, where no proof depends on it: nodes whose estimate is far
// above the window, and plies below moves that come late in the order.
struct Selection {
  int margin = 500;       // per ply that is left, in estimate units, for the estimate to suffice
  int max_futile = 8;     // largest depth at which the estimate may suffice
  int first_reduced = 3;  // moves before this one are not reduced
  int min_reduced = 3;    // smallest depth at which moves are reduced
  int share_reduced = 2;  // a quiet move is reduced by depth / share_reduced, others by 1 less
};

// The search for wins by fours, where a node has one.
template <class Place>
struct FoursOf {
  struct type {};
};
template <class Place>
  requires requires { typename Place::Fours; }
struct FoursOf<Place> {
  using type = typename Place::Fours;
};

template <class Position, class Evaluation>
class AlphaBeta {
  using Place = Node<Position>;
  static constexpr bool nested = std::is_same_v<Position, NestedPosition>;
  static constexpr bool has_fours = requires { typename Place::Fours; };

 public:
  // Search in `threads` threads, all but one of them helpers: they search the same position, with
  // the same table.
  AlphaBeta(std::size_t table_mib, std::uint64_t seed, std::optional<Selection> selection = {},
            const Evaluation& evaluation = {}, int threads = 1)
      : AlphaBeta(std::make_shared<Table>(table_mib), seed, selection, evaluation) {
    if (threads > 1) busy_ = std::make_shared<Busy>();
    for (int i = 1; i < threads; ++i) {
      helpers_.emplace_back(new AlphaBeta(table_, seed, selection, evaluation));
      helpers_.back()->busy_ = busy_;
    }
  }

  // Clear all tables: the next search starts from nothing.
  void clear() {
    table_->clear();
    forget();
    for (auto& helper : helpers_) helper->forget();
  }

  // Deepen until a limit, or until the value is proven with its distance. Reports each depth.
  // A stopped search returns the move of the last complete depth, or a better move found since, or
  // the best one by the bounds that `known` has proven.
  // With `helped` false only one thread searches.
  Finding analyse(const Position& position, Control& control, const Report& report,
                  const MoveBounds& known = {}, bool helped = true) {
    const Step root = start(position);
    begin(control, root.place, helped);
    Finding found;
    if (position.outcome != Outcome::going_on) {
      found.score = ended(position);
      settle(found, root.place, 0);
      return found;
    }
    if (mode_.prunes) found = win_by_fours(root.place, report);
    if (!found.exact) found = deepen_all(root, control, report, known, helped);
    if (mode_.prunes && !control.stopped() && !is_settled(found)) {
      // A draw, and the distance of a win, need a search of all moves. Its entries stay apart.
      mode_.prunes = false;
      mode_.salt = mixed(1);
      const Finding whole = deepen_all(root, control, {}, known, helped);
      if (is_settled(whole)) found = whole;
      tell(found);
      if (report) report(found);
    }
    return found;
  }

  // The value of every legal move, for the side to move, each with a full window. Reports each
  // depth, from 0 on: depth 0 is the outcome, or the evaluation, of the position after the move.
  // All estimates are of the last complete depth, since those of different depths do not compare;
  // proven values are kept at once. Settled and symmetric moves are not searched again. With
  // `fours` it first looks for wins by fours of both sides; their moves are not searched.
  Scores scores(const Position& position, Control& control, const ScoresReport& report,
                bool helped = true, bool fours = false) {
    const Step root = start(position);
    begin(control, root.place, helped);
    if (position.outcome != Outcome::going_on) return {};
    if (!helped) return value_moves(root, control, report, fours);
    return with_help(
        position, control, [&] { return value_moves(root, control, report, fours); },
        [&](std::size_t helper, const Step& its_root, Control& its_control) {
          helpers_[helper]->value_moves(its_root, its_control, {}, fours);
        });
  }

 private:
  using Moves = typename Place::Moves;

  // A node of the search with the state of the evaluation.
  struct Step {
    Place place;
    typename Evaluation::State state;
  };
  // Of moves that are symmetric to each other only the most promising, `like`, is searched;
  // `symmetry` maps it to `move`. `score` and `bounds` are of the last search, for most moves one
  // with a null window.
  struct RootMove {
    int move, promise, like = -1, symmetry = 0, score = promise;
    Bounds bounds{};
  };

  // How the search in progress works.
  struct Mode {
    bool prunes = false;     // leaves out what `Selection` says
    std::uint64_t salt = 0;  // of the keys in the table
    std::size_t threads = 1;
    bool helps = false;  // is one of another search's helpers
  };

  // The largest score that `within` maps to no more than `best`.
  static int before(int best, Bounds bounds) {
    if (is_win(best) || is_loss(best)) return best;
    if (bounds.upper <= 0) best = 2 * best + estimate_unit;
    if (bounds.lower >= 0) best = 2 * best - estimate_unit;
    return std::clamp(best, 1 - estimate_unit, estimate_unit - 1);
  }

  AlphaBeta(std::shared_ptr<Table> table, std::uint64_t seed, std::optional<Selection> selection,
            const Evaluation& evaluation)
      : evaluation_(evaluation), table_(std::move(table)), seed_(seed), selection_(selection) {}

  static int ended(const Position& position) { return final_score(position, position.turn()); }
  // In the table, distances to the end count from the position, not from the start of the game.
  static int to_table(int score, int ply) {
    return is_win(score) ? score + ply : is_loss(score) ? score - ply : score;
  }
  static int from_table(int score, int ply) {
    return is_win(score) ? score - ply : is_loss(score) ? score + ply : score;
  }

  Step start(const Position& position) {
    const Place place(position);
    return {place, evaluation_.start(place)};
  }
  Step after(const Step& step, int move) const {
    Step next = step;
    next.place.play(move);
    evaluation_.play(next.state, next.place, move);
    return next;
  }
  int estimate(const Step& step) const {
    if (step.place.position.outcome != Outcome::going_on) return ended(step.place.position);
    return evaluation_.estimate(step.place, step.state);
  }

  // Return the result of `work`, while `help` runs in the thread of each helper, with its index.
  template <class Work, class Help>
  auto with_help(const Position& position, const Control& control, Work&& work, Help&& help) {
    struct Helpers {
      std::atomic<bool> over{false};
      Threads threads;
      ~Helpers() { over = true; }
    } running;
    Limit limit = control.limit();
    limit.seconds = std::numeric_limits<double>::infinity();
    Mode its_mode = mode_;
    its_mode.helps = true;
    for (std::size_t i = 0; i < helpers_.size(); ++i) {
      const bool runs = running.threads.start([&, limit, its_mode, i] {
        AlphaBeta& helper = *helpers_[i];
        Control its_control(limit, running.over);
        helper.begin(its_control, its_mode);
        help(i, helper.start(position), its_control);
      });
      if (!runs) break;
    }
    return work();
  }

  // The win by fours of the side to move, if there is one; none where a line can be completed.
  Finding win_by_fours(const Place& place, const Report& report) {
    Finding found;
    if constexpr (has_fours) {
      if (!place.outlook().moves) return found;
      const std::uint64_t part = control_->limit().nodes / first_part_of_fours;
      const int nodes = static_cast<int>(std::min<std::uint64_t>(part, first_nodes_of_fours));
      const int plies = plies_of_fours(place, place.position.turn(), nodes);
      if (plies == 0) return found;
      found.score = win - (place.position.ply + plies);
      settle(found, place, plies);
      append(found.pv, place, fours_.win().line);
      found.move = found.pv.front();
      tell(found);
      if (report) report(found);
    }
    return found;
  }

  // Deepen with all threads. The deepest result counts.
  Finding deepen_all(const Step& root, Control& control, const Report& report,
                     const MoveBounds& known, bool helped) {
    if (!helped || helpers_.empty()) return deepen(root, control, report, known);
    std::vector<Finding> others(helpers_.size());
    Finding found = with_help(
        root.place.position, control, [&] { return deepen(root, control, report, known); },
        [&](std::size_t helper, const Step& its_root, Control& its_control) {
          others[helper] = helpers_[helper]->deepen(its_root, its_control, {}, {});
        });
    for (const Finding& other : others) {
      if (other.move < 0 || (known && is_loss(known(other.move).upper))) continue;
      const bool proves = is_done(other) && !is_done(found);
      if (proves || (other.depth > found.depth && !is_done(found))) found = other;
    }
    tell(found);
    return found;
  }

  // Deepen until a limit, or until the value is proven, without pruning with its distance.
  Finding deepen(const Step& root, Control& control, const Report& report,
                 const MoveBounds& known) {
    Finding found;
    // Raw scores of the last complete depth, and of the depth before that of `found`.
    int complete = infinite, before_found = infinite;
    auto moves = root_moves(root);
    std::erase_if(moves, [](const RootMove& each) { return each.like != each.move; });
    found.move = moves.front().move;
    const int most = std::min(control.limit().depth, root.place.plies_left());
    Clarity clarity;
    const auto bounds_of = [&](const RootMove& each) {
      return known ? known(root.place.number(each.move)) : Bounds{};
    };
    for (int depth = 1; depth <= most && !is_done(found) && !control.stopped(); ++depth) {
      if (count_and_stop()) break;
      const Moves later =
          mode_.prunes ? omitted(root.place, root.place.outlook().moves, depth) : Moves{};
      if (control.stopped()) break;
      const auto is_later = [&](const RootMove& each) {
        return bool(later & bit<Moves>(each.move));
      };
      std::stable_partition(moves.begin(), moves.end(), std::not_fn(is_later));
      if (mode_.prunes)  // moves proven to lose come last
        std::stable_partition(moves.begin(), moves.end(), [&](const RootMove& each) {
          return !is_loss(bounds_of(each).upper);
        });
      int best = -infinite;
      std::size_t searched = 0;
      for (; searched < moves.size(); ++searched) {
        RootMove& each = moves[searched];
        if (is_later(each) && !is_loss(best)) break;
        const bool to_the_end = !mode_.prunes && depth >= root.place.plies_left();
        const Bounds bounds = to_the_end ? Bounds{} : bounds_of(each);
        if (bounds.upper <= best) continue;
        const int alpha = before(best, bounds);
        int score =
            child_score(root, each.move, depth, alpha, infinite, static_cast<int>(searched));
        if (control.stopped()) break;
        each.score = score;
        each.bounds = bounds;
        score = within(score, bounds);
        if (score <= best) continue;
        best = score;
        std::rotate(moves.begin(), moves.begin() + searched, moves.begin() + searched + 1);
        found.move = moves.front().move;
        found.score = score;
        before_found = complete;
      }
      if (control.stopped()) {
        if (is_loss(best) && searched < moves.size() && !is_loss(moves[searched].score)) {
          // All moves so far lose: play one that may not.
          std::rotate(moves.begin(), moves.begin() + searched, moves.begin() + searched + 1);
          found.move = moves.front().move;
          found.score = within(moves.front().score, bounds_of(moves.front()));
        }
        break;
      }
      settle(found, root.place, depth);
      table_->store(key_of(root.place), depth, to_table(best, root.place.position.ply),
                    Table::exact, found.move, !mode_.helps);
      found.pv = line_from(found, root.place, found.move);
      tell(found);
      if (report) {
        Finding shown = found;
        shown.move = root.place.number(found.move);
        if (!found.exact) shown.score = steady(found.score, before_found);
        report(shown);
      }
      complete = found.score;
      clarity.learn(found.move, found.score);
      if (control.is_short(moves.size() == 1 ? 0 : clarity.share())) break;
    }
    if (bounds_of(moves.front()).upper < moves.front().bounds.upper) {
      const auto worth = [&](const RootMove& each) { return within(each.score, bounds_of(each)); };
      const auto best = std::max_element(
          moves.begin(), moves.end(),
          [&](const RootMove& a, const RootMove& b) { return worth(a) < worth(b); });
      found.move = best->move;
      found.score = worth(*best);
    }
    tell(found);
    if (found.pv.empty() || found.pv.front() != root.place.number(found.move))
      found.pv = line_from(found, root.place, found.move);
    found.move = root.place.number(found.move);
    if (!found.exact) found.score = steady(found.score, before_found);
    return found;
  }

  // The score to show of two successive depths: with a net their mean, if both are estimates. An
  // odd depth sees a last move of the own side, and so a little too much.
  static int steady(int score, int before) {
    if constexpr (requires { Evaluation::is_net; })
      if (!is_win(score) && !is_loss(score) && !is_win(before) && !is_loss(before))
        return (score + before) / 2;
    return score;
  }

  // The values of all moves, from depth 1 to the limit.
  Scores value_moves(const Step& root, Control& control, const ScoresReport& report, bool fours) {
    const auto moves = root_moves(root);
    std::vector<Finding> found(Place::cells);
    ++nodes_;
    for (const RootMove& each : moves) {
      if (each.like != each.move) continue;
      const Step next = after(root, each.move);
      Finding& of_move = found[each.move];
      of_move.score = -estimate(next);
      of_move.exact = next.place.position.outcome != Outcome::going_on;
      if (of_move.exact) of_move.lower = of_move.upper = of_move.score;
    }
    std::vector<int> before(Place::cells, infinite);  // raw scores of the depth before
    const auto shown = [&] {
      std::vector<Finding> all = found;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (!all[i].exact) all[i].score = steady(all[i].score, before[i]);
      return best_first(root, moves, all);
    };
    if (report) report(shown());
    if constexpr (has_fours)
      if (fours) {
        value_fours(root, moves, found);
        if (report) report(shown());
      }
    const int most = std::min(control.limit().depth, root.place.plies_left());
    for (int depth = 1; depth <= most && !control.stopped(); ++depth) {
      if (count_and_stop()) break;
      std::vector<Finding> deeper = found;
      for (const RootMove& each : moves) {
        Finding& of_move = deeper[each.move];
        if (each.like != each.move || is_done(of_move) || !of_move.pv.empty()) continue;
        const int score = child_score(root, each.move, depth, -infinite, infinite, 0);
        if (control.stopped()) break;
        of_move.score = score;
        settle(of_move, root.place, depth);
        if (of_move.exact) found[each.move] = of_move;
      }
      if (control.stopped()) break;
      for (std::size_t i = 0; i < before.size(); ++i) before[i] = found[i].score;
      found = deeper;
      if (report) report(shown());
    }
    return shown();
  }

  // Value the move that begins a win by fours, and those after which the other side has one. Only
  // they get a principal variation.
  void value_fours(const Step& root, const std::vector<RootMove>& moves,
                   std::vector<Finding>& found) {
    if constexpr (has_fours) {
      const int side = root.place.position.turn(), ply = root.place.position.ply;
      const auto part = [&](std::uint64_t share, int most) {
        const std::uint64_t nodes = control_->limit().nodes / first_part_of_fours / share;
        return static_cast<int>(std::min<std::uint64_t>(nodes, most));
      };
      const auto last_first = [&] {
        return std::vector<int>(fours_.win().line.rbegin(), fours_.win().line.rend());
      };
      if (root.place.outlook().moves)
        if (const int plies = plies_of_fours(root.place, side, part(1, first_nodes_of_fours))) {
          std::vector<int> line = last_first();
          const auto first = std::find_if(moves.begin(), moves.end(), [&](const RootMove& each) {
            return each.move == line.front();
          });
          // The same line from the move that is searched in place of its first.
          int symmetry = 0;
          while (!root.place.is_kept_by(symmetry) ||
                 root.place.image(line.front(), symmetry) != first->like)
            ++symmetry;
          for (int& move : line) move = root.place.image(move, symmetry);
          Finding& of_move = found[first->like];
          of_move.score = of_move.lower = win - (ply + plies);
          of_move.exact = true;
          of_move.depth = plies;
          of_move.pv = line;
        }
      for (const RootMove& each : moves) {
        Finding& of_move = found[each.move];
        if (each.like != each.move || of_move.exact || control_->stopped()) continue;
        const Place next = after(root, each.move).place;
        if (!next.outlook().moves) continue;
        const int plies = plies_of_fours(next, side ^ 1, part(moves.size(), nodes_of_each_move));
        if (plies == 0) continue;
        of_move.score = of_move.upper = -(win - (ply + 1 + plies));
        of_move.exact = true;
        of_move.depth = plies + 1;
        of_move.pv = last_first();
        of_move.pv.insert(of_move.pv.begin(), each.move);
      }
    }
  }

  void begin(Control& control, const Place& root, bool helped) {
    const std::size_t threads = helped ? helpers_.size() + 1 : 1;
    table_->new_search(root.plies_left(), threads);
    begin(control, {.prunes = selection_.has_value(), .threads = threads});
    for (auto& helper : helpers_) helper->nodes_ = 0;
  }
  void begin(Control& control, const Mode& mode) {
    control_ = &control;
    mode_ = mode;
    nodes_ = 0;
    cutoffs_.fade();
  }
  void forget() { cutoffs_.forget(); }

  // Count a node, and tell whether the search must end. All threads search about as many nodes.
  bool count_and_stop() {
    const std::uint64_t nodes = nodes_.load(std::memory_order_relaxed) + 1;
    nodes_.store(nodes, std::memory_order_relaxed);
    return control_->must_stop(nodes, mode_.threads);
  }

  // All legal moves, the most promising first; the seed breaks ties.
  std::vector<RootMove> root_moves(const Step& root) const {
    std::vector<RootMove> moves;
    const auto outlook = root.place.outlook();
    MoveList legal;
    root.place.position.moves(legal);
    for (int i = 0; i < Place::cells; ++i) {
      const bool searched(outlook.moves & bit<Moves>(i));
      if (!searched && !is_legal(root.place, legal, i)) continue;
      int promise = -infinite;
      if (i == outlook.move && is_win(outlook.score)) promise = infinite;
      if (searched) {
        const Step next = after(root, i);
        promise = -estimate(next);
      }
      moves.push_back({i, promise});
    }
    std::sort(moves.begin(), moves.end(), [this](const RootMove& a, const RootMove& b) {
      if (a.promise != b.promise) return a.promise > b.promise;
      return mixed(seed_ ^ static_cast<unsigned>(a.move)) <
             mixed(seed_ ^ static_cast<unsigned>(b.move));
    });
    std::vector<RootMove*> of_cell(Place::cells);
    for (RootMove& each : moves) of_cell[each.move] = &each;
    unsigned kept = 0;
    for (int symmetry = 0; symmetry < symmetries; ++symmetry)
      kept |= static_cast<unsigned>(root.place.is_kept_by(symmetry)) << symmetry;
    for (const RootMove& each : moves) {
      if (each.like >= 0) continue;
      for (int symmetry = symmetries; symmetry-- > 0;)  // the identity last
        if (kept >> symmetry & 1) {
          RootMove& image = *of_cell[root.place.image(each.move, symmetry)];
          image.like = each.move;
          image.symmetry = symmetry;
        }
    }
    return moves;
  }
  // All moves, each with the result of the move that it is symmetric to.
  Scores best_first(const Step& root, const std::vector<RootMove>& moves,
                    const std::vector<Finding>& found) const {
    Finding so_far;
    tell(so_far);
    Scores all;
    for (const RootMove& each : moves) {
      Finding of_move = found[each.like];
      of_move.move = root.place.number(each.move);
      of_move.nodes = so_far.nodes;
      of_move.seconds = so_far.seconds;
      of_move.table_use = so_far.table_use;
      for (int& move : of_move.pv) move = root.place.number(root.place.image(move, each.symmetry));
      if (of_move.pv.empty()) of_move.pv = line_from(of_move, root.place, each.like, each.symmetry);
      all.emplace_back(of_move.move, std::move(of_move));
    }
    sort_best_first(all);
    return all;
  }
  static bool is_legal(const Place& place, const MoveList& legal, int index) {
    if constexpr (std::is_same_v<Position, NestedPosition>)
      return std::find(legal.begin(), legal.end(), index) != legal.end();
    else return bool(place.position.landings() & bit<Moves>(index));
  }

  // The score of a move; `rank` is its number in the order, from 0.
  int child_score(const Step& step, int move, int depth, int alpha, int beta, int rank) {
    const Step next = after(step, move);
    if (rank == 0) return -search(next, depth - 1, -beta, -alpha);
    const int less = mode_.prunes ? reduction(step, next, depth, rank) : 0;
    int score = -search(next, depth - 1 - less, -alpha - 1, -alpha);
    if (less > 0 && score > alpha && !control_->stopped())
      score = -search(next, depth - 1, -alpha - 1, -alpha);
    if (score <= alpha || score >= beta || control_->stopped()) return score;
    return -search(next, depth - 1, -beta, -alpha);
  }

  // The plies that a selective search does without below a move.
  int reduction(const Step& step, const Step& next, int depth, int rank) const {
    if (rank < selection_->first_reduced || depth < selection_->min_reduced) return 0;
    const int plies = depth / selection_->share_reduced;
    return is_quiet(step.place, next.place) ? plies : plies - 1;
  }
  // Whether a move wins no board and makes no threat to win at once.
  static bool is_quiet(const Place& before, const Place& after) {
    if constexpr (std::is_same_v<Position, NestedPosition>) {
      const int mover = before.position.turn();
      return before.position.won[mover] == after.position.won[mover] &&
             !(after.one_step[mover] & ~before.one_step[mover]);
    } else {
      return !(after.completing.of(after.position, before.position.turn()) &
               after.position.landings());
    }
  }

  int search(const Step& step, int depth, int alpha, int beta) {
    if (count_and_stop()) return 0;
    const Place& place = step.place;
    const Position& position = place.position;
    if (position.outcome != Outcome::going_on) return ended(position);
    if (depth <= 0) {
      const int score = place.settled();
      return score != unsettled ? score : evaluation_.estimate(place, step.state);
    }
    const auto outlook = place.outlook();
    if (!outlook.moves) return outlook.score;

    // No win can come sooner than at the next ply.
    const int ply = position.ply, hoped = win - (ply + 1);
    if (hoped <= alpha) return hoped;
    int best = outlook.score, best_move = -1;
    if (best >= beta) return best;

    if (mode_.prunes && beta - alpha == 1 && depth <= selection_->max_futile && !is_win(beta) &&
        !is_loss(beta)) {
      const int sure_of = evaluation_.estimate(place, step.state) - selection_->margin * depth;
      if (sure_of >= beta) return sure_of;
    }

    // To search a frontier node is faster than to look it up; on the principal variation its move
    // is needed.
    const bool kept = depth > 1 || beta - alpha > 1;
    const std::uint64_t key = kept ? key_of(place) : 0;
    int table_move = -1;
    if (const auto entry = kept ? table_->find(key) : std::nullopt) {
      table_move = entry->move;
      const int score = from_table(entry->score, ply);
      if (entry->depth >= depth &&
          (entry->bound == Table::exact ||
           (entry->bound == Table::lower ? score >= beta : score <= alpha)))
        return score;
    }

    const int first_alpha = alpha;
    alpha = std::max(alpha, best);
    if constexpr (requires { evaluation_.enter(place, step.state); })
      evaluation_.enter(place, step.state);
    Moves later{};
    if (mode_.prunes) {
      if (const int plies = plies_of_fours(place, position.turn(), fours_nodes(depth))) {
        const int score = win - (ply + plies);
        table_->store(key, depth, to_table(score, ply), Table::lower, first_of_fours(),
                      !mode_.helps);
        return score;
      }
      later = omitted(place, outlook.moves, depth);
      if (control_->stopped()) return 0;
    }
    int rank = 0;
    for (Moves now = outlook.moves & ~later; now && alpha < beta;
         now = std::exchange(later, Moves{})) {
      auto order = ordered(step, now, depth, table_move);
      for (int move; (move = order.next()) >= 0; ++rank) {
        const bool shared = mode_.threads > 1 && depth >= min_shared;
        const std::uint64_t task = shared ? mixed(key ^ static_cast<unsigned>(move)) : 0;
        if (shared && rank > 0 && !order.is_put_off() && busy_->has(task)) {
          order.put_off(move);
          continue;
        }
        if (shared) busy_->begin(task);
        const int score = child_score(step, move, depth, alpha, beta, rank);
        if (shared) busy_->end(task);
        if (control_->stopped()) return 0;
        if (score <= best && best_move >= 0) continue;
        best_move = move;
        best = std::max(best, score);
        alpha = std::max(alpha, best);
        if (alpha >= beta) {
          cutoffs_.credit(position.ply, position.turn(), move, depth);
          break;
        }
      }
      if (!is_loss(best)) break;  // a loss needs a search of all moves
    }
    if (kept)
      table_->store(key, depth, to_table(best, ply),
                    best >= beta          ? Table::lower
                    : best <= first_alpha ? Table::upper
                                          : Table::exact,
                    best <= first_alpha ? -1 : best_move, !mode_.helps);
    return best;
  }

  // The moves of a node: the table's first, then the most promising. From a depth on, their
  // promise is the estimate after them; wide boards have many to estimate.
  MoveOrder<Place::cells> ordered(const Step& step, Moves moves, int depth, int table_move) const {
    constexpr int look_depth = Place::cells > 128 ? 2 : 3;
    MoveOrder<Place::cells> order;
    const Position& position = step.place.position;
    while (moves) {
      const int move = lowest(moves);
      moves ^= bit<Moves>(move);
      const int side = position.turn();
      int promise = cutoffs_.promise(position.ply, side, move);
      if (move == table_move) promise = order.first_of_all;
      else if (depth >= look_depth)
        promise = cutoffs_.of(side, move) / 64 - estimate(after(step, move)) * 16;
      order.add(move, promise);
    }
    return order;
  }

  // The moves that a selective search leaves out unless all others lose: those far from all marks,
  // and those that neither touch a win by fours of the other side nor make a four.
  Moves omitted(const Place& place, const Moves& moves, int depth) {
    if constexpr (has_fours) {
      Moves out = place.far() & moves;
      const int mine = place.position.turn();
      if (moves & (moves - 1) && plies_of_fours(place, mine ^ 1, fours_nodes(depth)))
        out |= moves & ~(fours_.win().cells | place.fours_of(mine));
      return out == moves ? Moves{} : out;
    } else return {};
  }

  // The plies in which a side, if it is to move, wins by fours; 0 if the search finds no win.
  int plies_of_fours([[maybe_unused]] const Place& place, [[maybe_unused]] int side,
                     [[maybe_unused]] int nodes) {
    if constexpr (has_fours) {
      const auto& rules = *place.position.rules;
      if (rules.gravity || rules.misere || control_->stopped()) return 0;
      return fours_
          .find(place.position, side, place.danger_of(side ^ 1), nodes,
                [&] { return !count_and_stop(); })
          .plies();
    } else return 0;
  }
  static constexpr int fours_nodes(int depth) {
    return depth < min_fours ? 0 : nodes_of_fours << std::min(depth, max_fours);
  }
  int first_of_fours() const {
    if constexpr (has_fours) return fours_.win().line.back();
    else return -1;
  }

  // The principal variation that begins with `move`, from the table, and from the outlook at the
  // end of the game; mapped by a symmetry. Each move of a proven line keeps the value.
  std::vector<int> line_from(const Finding& found, Place place, int move, int symmetry = 0) const {
    std::vector<int> line;
    int score = found.score;
    while (move >= 0) {
      line.push_back(place.number(place.image(move, symmetry)));
      place.play(move);
      move = -1;
      score = -score;
      if (place.position.outcome != Outcome::going_on) break;
      const auto outlook = place.outlook();
      if (!outlook.moves) move = outlook.move;
      else if (const auto entry = table_->find(key_of(place)))
        if (entry->move >= 0 && bool(outlook.moves & bit<Moves>(entry->move)) &&
            (!found.exact || reaches(*entry, score, place.position.ply)))
          move = entry->move;
      if (move < 0 && found.exact && mode_.prunes) {
        if (is_loss(score)) move = longest_defence(place, outlook.moves);
        else if (is_win(score)) {
          append_fours(line, place);
          break;
        }
      }
    }
    return line;
  }

  // Append a win by fours of the side to move, if there is one.
  void append_fours([[maybe_unused]] std::vector<int>& line,
                    [[maybe_unused]] const Place& place) const {
    if constexpr (has_fours) {
      const int side = place.position.turn();
      const auto fours = std::make_unique<typename Place::Fours>();
      const auto& win = fours->find(place.position, side, place.danger_of(side ^ 1),
                                    first_nodes_of_fours, [] { return true; });
      append(line, place, win.line);
    }
  }
  static void append(std::vector<int>& line, const Place& place,
                     const std::vector<std::int16_t>& last_first) {
    for (auto move = last_first.rbegin(); move != last_first.rend(); ++move)
      line.push_back(place.number(*move));
  }

  // Of the moves of a side that loses, the longest defence that the table knows; any without one.
  int longest_defence(const Place& place, Moves moves) const {
    int best = infinite, defence = lowest(moves);
    for (; moves; moves &= moves - 1) {
      Place after = place;
      after.play(lowest(moves));
      const int ply = after.position.ply;
      const auto entry = table_->find(key_of(after));
      if (!entry || !(entry->bound & Table::lower)) continue;
      const int score = from_table(entry->score, ply);
      if (is_win(score) && score < best) best = score, defence = lowest(moves);
    }
    return defence;
  }

  // Whether the move of an entry is proven to reach at least `score`.
  static bool reaches(const Table::Entry& entry, int score, int ply) {
    return entry.bound & Table::lower && from_table(entry.score, ply) >= score;
  }

  // Positions of different plies may have the same key. In a search of all moves they are kept
  // apart: its values are those of its depth, not of the greater one that an earlier ply has left.
  std::uint64_t key_of(const Place& place) const {
    const std::uint64_t ply = nested && !mode_.prunes ? mixed(place.position.ply) : 0;
    return place.key() ^ mode_.salt ^ ply;
  }

  // Set the bounds that a search to `depth` has proven. With pruning, a win or loss is proven, but
  // not that none comes sooner, save for those of the outlook.
  void settle(Finding& found, const Place& place, int depth) const {
    const int score = found.score;
    found.depth = depth;
    const bool to_the_end = !mode_.prunes && depth >= place.plies_left();
    const int plies = win - std::abs(score) - place.position.ply;
    const bool decided = is_win(score) || is_loss(score);
    found.exact = decided || to_the_end;
    if (is_win(score) || to_the_end) found.lower = score;
    if (is_loss(score) || to_the_end) found.upper = score;
    if (decided && depth >= plies && (!mode_.prunes || plies <= 2))
      found.lower = found.upper = score;
  }
  bool is_done(const Finding& found) const {
    return mode_.prunes ? found.exact : is_settled(found);
  }
  // Whether value and distance are proven.
  static bool is_settled(const Finding& found) { return found.exact && found.lower == found.upper; }
  void tell(Finding& found) const {
    found.nodes = nodes_;
    for (const auto& helper : helpers_) found.nodes += helper->nodes_;
    found.seconds = control_->seconds();
    found.table_use = table_->use();
  }

  // The least depth at which wins by fours are searched; their nodes, doubled for each ply of depth
  // up to the most; and those before a search begins, of which it has this part of its limit.
  static constexpr int min_fours = 2, max_fours = 8, nodes_of_fours = 8;
  static constexpr int first_nodes_of_fours = 10'000, first_part_of_fours = 8;
  static constexpr int nodes_of_each_move = 1'000;  // in the values of all moves
  static constexpr int min_shared = 3;  // smallest depth at which threads divide the moves

  Evaluation evaluation_;
  std::shared_ptr<Table> table_;
  std::shared_ptr<Busy> busy_;  // of several threads
  std::uint64_t seed_;
  std::optional<Selection> selection_;
  std::vector<std::unique_ptr<AlphaBeta>> helpers_;
  Mode mode_;
  Control* control_ = nullptr;
  std::atomic<std::uint64_t> nodes_{0};  // other threads read it
  typename FoursOf<Place>::type fours_;
  Cutoffs<Place::cells> cutoffs_;
};

}  // namespace noughts
