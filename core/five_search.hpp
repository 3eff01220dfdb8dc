// The search of five in a row on large boards: alpha-beta that prunes by estimates and by threats.
//
// Wins and losses are proven. A node is won by the patterns on the board, by a win by fours or by a
// win by threats (`threat_search.hpp`), or because a move is. It is lost if all its moves are:
// where the other side threatens to win by fours, only the moves that touch this win, and fours,
// need a search. Elsewhere late moves and those far from all marks are left out only as long as
// another move does not lose. Where the estimate is far above the window nothing more is searched,
// far below it only wins by fours. Estimates come from the net, or from the patterns of all empty
// cells.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "five_net.hpp"
#include "outlook.hpp"
#include "search.hpp"
#include "table.hpp"
#include "threads.hpp"
#include "threat_search.hpp"

namespace noughts {

// What the search leaves out, and how much it spends on wins by threats.
struct FiveWeights {
  int half = 2000;         // the balance of an estimate of 1/2
  int turn = 300;          // the right to move, in the unit of `PatternWeights`
  int margin = 700;        // per ply that is left, in estimate units, for an estimate to suffice
  int max_futile = 5;      // largest depth at which it may suffice
  int hope = 1000;         // the same for an estimate so low that only a win by fours may help
  int max_hopeless = 4;    // largest depth at which nothing else is searched then
  int leaf_fours = 12;     // nodes of a search for fours at a leaf
  int inner_fours = 60;    // the same at depth 1; more with depth
  int min_threats = 4;     // least depth of a search for a win by threats
  int inner_threats = 20;  // its nodes at that depth; more with depth
  int reduced = 80, reduced_by = 150;            // plies of a late move, in hundredths
  int moves = 4, moves_by_depth = 2;             // how many moves are searched, unless all lose
  int root_moves = 12, root_moves_by_depth = 4;  // the same at the root
  int policy = 800;  // in the order of moves, for a logit of 1 of the net
  int root_fours = 10'000, root_threats = 100'000;
  int first_part = 4;  // of the nodes of a search, before it begins to deepen
};

// The estimate for the side to move from the patterns of all empty cells.
inline int pattern_estimate(const PatternBoard& board, const FiveWeights& weights = {}) {
  const int side = board.turn();
  const int balance = board.worth(side, true) - board.worth(side ^ 1, false) + weights.turn;
  return squashed(balance, weights.half);
}

class FiveSearch {
 public:
  FiveSearch(const PatternBoard& start, std::size_t table_mib, std::uint64_t seed, int threads = 1)
      : FiveSearch(start, std::make_shared<Table>(table_mib - table_mib / 8),
                   (table_mib << 20) / 8 / static_cast<std::size_t>(threads), seed) {
    for (int i = 1; i < threads; ++i)
      helpers_.emplace_back(new FiveSearch(
          start, table_, (table_mib << 20) / 8 / static_cast<std::size_t>(threads), seed));
    for (auto& helper : helpers_) helper->helps_ = true;
  }

  FiveWeights weights;
  std::shared_ptr<const FiveNet> net;  // or null: then estimates come from the patterns alone

  void clear() {
    table_->clear();
    forget();
    for (auto& helper : helpers_) helper->forget();
  }

  // Deepen until a limit, or until the value is proven. Reports each depth.
  Finding analyse(const PatternBoard& board, Control& control, const Report& report) {
    begin(board, control, helpers_.size() + 1);
    Finding found = win_at_root(control, report);
    if (found.exact) return found;
    found = helpers_.empty() ? deepen(report, 0) : with_help(control, report);
    tell(found);
    return found;
  }

  // The value of every legal move, for the side to move. Reports each depth, from 0 on, the
  // estimate of the position after the move. It first looks for wins by threats of both sides;
  // their moves are not searched.
  Scores scores(const PatternBoard& board, Control& control, const ScoresReport& report) {
    begin(board, control, 1);
    const auto like = alike();
    std::vector<std::optional<Finding>> found(board.size());
    std::vector<int> cells;
    for (int cell = 0; cell < board.size(); ++cell)
      if (like[cell].first == cell && board.is_empty(board.place_of(cell))) cells.push_back(cell);
    count_and_stop();
    const int side = board.turn(), ply = board.ply();
    for (const int cell : cells) {
      const int place = board.place_of(cell);
      Finding& of_move = found[cell].emplace();
      if (board.threat(side, place) == Threat::five) {
        of_move.score = of_move.lower = of_move.upper = win - (ply + 1);
        of_move.exact = true;
      } else {
        board_.play(place);
        of_move.score = ply + 1 == board.size() ? 0 : -estimate();
        board_.take_back(place);
      }
    }
    const auto shown = [&] { return best_first(like, found); };
    if (report) report(shown());
    const Finding at_root = win_at_root(control, {});
    if (at_root.exact) {
      // The same line from the move that stands for its first.
      const auto [first, symmetry] = like[at_root.move];
      Finding& of_move = *found[first];
      if (!of_move.exact) {
        of_move = at_root;
        int back = symmetry;
        if ((symmetry & 4) && ((symmetry & 3) == 1 || (symmetry & 3) == 2)) back = symmetry ^ 3;
        for (int& each : of_move.pv) each = image_of(each, back, board.columns(), board.rows());
        if (of_move.pv.front() != first) of_move.pv = {first};
      }
    }
    const std::uint64_t each_part = control.limit().nodes / weights.first_part / cells.size();
    const int most_fours = static_cast<int>(std::min<std::uint64_t>(each_part, 1'000));
    for (const int cell : cells) {
      Finding& of_move = *found[cell];
      if (of_move.exact || control.stopped()) continue;
      const int place = board.place_of(cell);
      board_.play(place);
      if (const int plies = winning_plies(most_fours)) {
        of_move.score = of_move.upper = -(win - (ply + 1 + plies));
        of_move.exact = true;
        if (plies == 1) of_move.lower = of_move.score;
        of_move.depth = plies + 1;
      }
      board_.take_back(place);
      show_line(of_move, place);
    }
    if (report) report(shown());
    const int most = std::min({control.limit().depth, board.size() - ply, 120});
    for (int depth = 1; depth <= most && !control.stopped(); ++depth) {
      if (count_and_stop()) break;
      auto deeper = found;
      bool open = false;
      for (const int cell : cells) {
        Finding& of_move = *deeper[cell];
        if (of_move.exact) continue;
        open = true;
        const int place = board.place_of(cell);
        board_.play(place);
        const int score = -search(depth - 1, -infinite, infinite);
        board_.take_back(place);
        if (control.stopped()) break;
        of_move.score = score;
        settle(of_move, depth);
        show_line(of_move, place);
        if (of_move.exact) found[cell] = of_move;
      }
      if (control.stopped() || !open) break;
      found = deeper;
      if (report) report(shown());
    }
    return shown();
  }

 private:
  // Keep the line of a proven move; the tables may lose it.
  void show_line(Finding& found, int place) {
    if (!found.exact) return;
    found.pv = line_from(place, found.score);
    for (int& each : found.pv) each = board_.cell_of(each);
  }

  // The plies in which the side to move wins by fours or threats; 0 if none is found.
  int winning_plies(int nodes) {
    const int side = board_.turn();
    if (const int plies = fours_.find(board_, side, nodes, on_)) return plies;
    return control_->stopped() ? 0 : threats_.find(board_, side, nodes, on_);
  }

  // All moves, each with the result of the move that it is symmetric to.
  Scores best_first(const std::vector<std::pair<int, int>>& like,
                    const std::vector<std::optional<Finding>>& found) {
    Finding so_far;
    tell(so_far);
    Scores all;
    for (int i = 0; i < 2 * board_.size(); ++i) {
      // Of equal moves those near marks come first.
      const int cell = i % board_.size(), place = board_.place_of(cell);
      if (!board_.is_empty(place) || is_far(place) != (i >= board_.size())) continue;
      const auto [first, symmetry] = like[cell];
      Finding of_move = *found[first];
      of_move.move = cell;
      of_move.nodes = so_far.nodes;
      of_move.seconds = so_far.seconds;
      of_move.table_use = so_far.table_use;
      if (of_move.pv.empty()) {
        of_move.pv = line_from(board_.place_of(first), of_move.score);
        for (int& each : of_move.pv) each = board_.cell_of(each);
      }
      for (int& each : of_move.pv) each = image_of(each, symmetry, board_.columns(), board_.rows());
      all.emplace_back(cell, std::move(of_move));
    }
    sort_best_first(all);
    return all;
  }

  struct RootMove {
    int place, score = -infinite;
  };
  static constexpr int max_plies = max_moves + 2;
  // Limits of a search for a move of a line that is known to win.
  static constexpr int nodes_of_line = 20'000, depth_of_line = 12;

  FiveSearch(const PatternBoard& start, std::shared_ptr<Table> table, std::size_t bytes,
             std::uint64_t seed)
      : board_(start),
        table_(std::move(table)),
        threats_(bytes - bytes / 4),
        estimates_(bytes / 4 / sizeof(Estimate)),
        seed_(seed) {}

  void forget() {
    for (auto& of_side : history_) of_side.fill(0);
    threats_.clear();
    fours_.clear();
    estimates_.clear();
  }

  void begin(const PatternBoard& board, Control& control, std::size_t threads) {
    board_ = board;
    control_ = &control;
    threads_count_ = threads;
    nodes_ = 0;
    for (auto& each : killers_) each = {-1, -1};
    for (auto& of_side : history_)
      for (int& credit : of_side) credit /= 8;
    for (auto& helper : helpers_) helper->nodes_ = 0, helper->net = net;
    if (threads > 0) table_->new_search(board.size() - board.ply(), threads);
  }

  bool count_and_stop() {
    const std::uint64_t nodes = nodes_.load(std::memory_order_relaxed) + 1;
    nodes_.store(nodes, std::memory_order_relaxed);
    return control_->must_stop(nodes, threads_count_);
  }
  bool goes_on() { return !count_and_stop(); }

  // The first of the moves that are symmetric to each, itself included, and the symmetry that maps
  // it there; of cells, -1 where a cell is taken.
  std::vector<std::pair<int, int>> alike() const {
    const int columns = board_.columns(), rows = board_.rows();
    std::vector<std::pair<int, int>> like(board_.size(), {-1, 0});
    for (int symmetry = symmetries; symmetry-- > 0;) {
      if (symmetry & 4 && columns != rows) continue;
      bool kept = true;
      for (int cell = 0; cell < board_.size() && kept; ++cell)
        kept = board_.mark(board_.place_of(cell)) ==
               board_.mark(board_.place_of(image_of(cell, symmetry, columns, rows)));
      if (!kept) continue;
      for (int cell = 0; cell < board_.size(); ++cell) {
        auto& image = like[image_of(cell, symmetry, columns, rows)];
        if (image.first < 0 || cell <= image.first) image = {cell, symmetry};
      }
    }
    return like;
  }

  // The win of the side to move by fours, else by threats, if there is one.
  Finding win_at_root(Control& control, const Report& report) {
    Finding found;
    const int side = board_.turn();
    const std::uint64_t part = control.limit().nodes / weights.first_part;
    const auto most = [&](int nodes) {
      return static_cast<int>(std::min<std::uint64_t>(part, nodes));
    };
    int plies = fours_.find(board_, side, most(weights.root_fours), on_);
    if (plies) {
      found.pv = played_out(fours_.line(), plies);
    } else if (board_.cells_of(side ^ 1, Threat::five).size < 2) {
      plies = threats_.find(board_, side, most(weights.root_threats), on_);
      if (plies) {
        found.pv = {threats_.move()};
        finish(found.pv, side);
      }
    }
    if (!plies) return found;
    found.move = found.pv.front();
    found.score = win - (board_.ply() + plies);
    settle(found, plies);
    for (int& each : found.pv) each = board_.cell_of(each);
    found.move = board_.cell_of(found.move);
    tell(found);
    if (report) report(found);
    return found;
  }

  // A win by fours as moves of both sides to the end.
  std::vector<int> played_out(const std::vector<std::int16_t>& line, int plies) {
    std::vector<int> moves(line.begin(), line.end());
    const int side = board_.turn();
    for (const int move : moves) board_.play(move);
    while (static_cast<int>(moves.size()) < plies) {
      const auto& fives = board_.cells_of(side, Threat::five);
      moves.push_back(*std::min_element(fives.begin(), fives.end()));
      board_.play(moves.back());
    }
    take_back(moves);
    return moves;
  }
  void take_back(const std::vector<int>& moves) {
    for (auto move = moves.rbegin(); move != moves.rend(); ++move) board_.take_back(*move);
  }

  // Add to a line that `side` wins what follows, with the longest defence that the tables know, to
  // the end of the game or to a win that is not found again.
  void finish(std::vector<int>& line, int side) {
    for (const int move : line) board_.play(move);
    bool ends = !line.empty() && has_ended(line.back());
    while (!ends && board_.ply() < board_.size()) {
      const bool attacks = board_.turn() == side;
      int move = attacks ? winning_move(board_, side) : longest_defence(board_, side);
      if (move < 0 && attacks) move = searched_win();
      if (move < 0) break;
      ends = board_.threat(board_.turn(), move) == Threat::five;
      line.push_back(move);
      board_.play(move);
    }
    take_back(line);
  }
  // The move of the side to move that a short search proves to win; -1 without one.
  int searched_win() {
    if (control_ == nullptr || control_->stopped()) return -1;
    Control part = control_->part(nodes_of_line);
    Control* const whole = std::exchange(control_, &part);
    const std::uint64_t nodes = nodes_.exchange(0);
    int move = -1;
    for (int depth = 2; depth <= depth_of_line && move < 0 && !part.stopped(); ++depth)
      if (is_win(search(depth, sure - 1, sure)))
        if (const auto entry = table_->find(board_.key())) move = entry->move;
    control_ = whole;
    nodes_ = nodes;
    return move;
  }

  // Whether the last mark completed a line.
  bool has_ended(int place) {
    const int side = board_.mark(place);
    board_.take_back(place);
    const bool ends = board_.threat(side, place) == Threat::five;
    board_.play(place, side);
    return ends;
  }

 public:
  // The attacker's move of a proven win; -1 if it is not found again.
  int winning_move(PatternBoard& board, int side) {
    const GoesOn on = [] { return true; };
    if (fours_.find(board, side, 2'000, on)) return fours_.line().front();
    const Known known = threats_.known(board, side);
    if (known.is_won()) return known.move;
    if (threats_.find(board, side, 5'000, on)) return threats_.move();
    const auto entry = table_->find(board.key());
    return entry && entry->bound & Table::lower && is_win(entry->score) ? entry->move : -1;
  }

  // All moves of the defender that need an answer of their own after a move of the attacker, and
  // the win that answers any other; `least` is then 0 where the attacker threatens nothing.
  Defences defences(PatternBoard& board, int side) {
    Defences found;
    const auto& fives = board.cells_of(side, Threat::five);
    if (fives.size) {
      found.plies = 1;
      found.win = {fives.cell[0]};
      if (fives.size == 1) found.moves = {fives.cell[0]};
      return found;
    }
    find_defences(board, side, fours_, 2'000, found, [] { return true; });
    return found;
  }

 private:
  int longest_defence(PatternBoard& board, int side) {
    const auto& fives = board.cells_of(side ^ 1, Threat::five);
    if (fives.size) return fives.cell[0];
    const Defences found = defences(board, side);
    int best = -1, most = -1;
    for (int move : found.moves) {
      board.play(move);
      const Known known = threats_.known(board, side);
      board.take_back(move);
      const int plies = known.is_won() ? known.plies : 0;
      if (plies > most) most = plies, best = move;
    }
    if (best >= 0) return best;
    // Every move loses: one that stops the first threat, or the most promising.
    if (found.plies > 0) return found.win.front();
    for (int cell = 0; cell < board.size(); ++cell) {
      const int place = board.place_of(cell);
      if (!board.is_empty(place)) continue;
      if (best < 0 || promise(side ^ 1, place) > promise(side ^ 1, best)) best = place;
    }
    return best;
  }

  // Deepen with all threads. The others search the same position into the same table.
  Finding with_help(Control& control, const Report& report) {
    // The threads, declared last, end before the objects that they use.
    const auto start = std::make_unique<PatternBoard>(board_);
    const std::size_t count = helpers_.size() + 1;
    Limit limit = control.limit();
    limit.seconds = std::numeric_limits<double>::infinity();
    struct Helpers {
      std::atomic<bool> over{false};
      Threads threads;
      ~Helpers() { over = true; }
    } running;
    for (std::size_t i = 0; i < helpers_.size(); ++i) {
      const bool runs = running.threads.start([&, i] {
        Control its_control(limit, running.over);
        FiveSearch& helper = *helpers_[i];
        helper.board_ = *start;
        helper.control_ = &its_control;
        helper.threads_count_ = count;
        helper.deepen({}, static_cast<int>(i) + 1);
        helper.control_ = nullptr;
      });
      if (!runs) break;
    }
    return deepen(report, 0);
  }

  // Deepen until a limit, or until the value is proven. A helper begins at another depth.
  Finding deepen(const Report& report, int helper) {
    Finding found;
    std::vector<RootMove> moves = root_moves();
    found.move = moves.front().place;
    const int left = board_.size() - board_.ply();
    const int most = std::min({control_->limit().depth, left, 120});
    Clarity clarity;
    for (int depth = 1 + helper % 2; depth <= most && !found.exact && !control_->stopped();
         ++depth) {
      if (count_and_stop()) break;
      int best = -infinite;
      std::size_t searched = 0;
      for (; searched < moves.size(); ++searched) {
        const int move = moves[searched].place;
        // Late moves, and those far from all marks, count only if all others lose.
        const bool is_late =
            searched >=
            static_cast<std::size_t>(weights.root_moves + weights.root_moves_by_depth * depth);
        if (!is_loss(best) && best > -infinite && (is_late || is_far(move))) break;
        board_.play(move);
        int score = 0;
        if (searched == 0) {
          score = -search(depth - 1, -infinite, -best);
        } else {
          const int less =
              depth >= 3 && searched >= 2 ? std::min(reduction(depth, searched), depth - 2) : 0;
          score = -search(depth - 1 - less, -best - 1, -best);
          if (score > best && less > 0 && !control_->stopped())
            score = -search(depth - 1, -best - 1, -best);
          if (score > best && !control_->stopped()) score = -search(depth - 1, -infinite, -best);
        }
        board_.take_back(move);
        if (control_->stopped()) break;
        moves[searched].score = score;
        if (score <= best) continue;
        best = score;
        std::rotate(moves.begin(), moves.begin() + searched, moves.begin() + searched + 1);
        found.move = moves.front().place;
        found.score = score;
        if (is_win(score)) break;
      }
      if (control_->stopped()) {
        if (searched > 0 && is_loss(best) && searched < moves.size()) {
          // All moves so far lose: play one that may not.
          found.move = moves[searched].place;
          found.score = std::max(moves[searched].score, 1 - estimate_unit);
          found.pv.clear();
        }
        break;
      }
      if (is_loss(best)) {
        // Lost: hold out against the wins that were found as long as possible.
        const auto longest = std::max_element(
            moves.begin(), moves.end(),
            [](const RootMove& a, const RootMove& b) { return a.score < b.score; });
        found.move = longest->place;
        found.score = longest->score;
      }
      settle(found, depth);
      store(board_.key(), depth, found.score, Table::exact, found.move);
      found.pv = line_from(found.move, found.score);
      tell(found);
      if (report) {
        Finding shown = found;
        shown.move = board_.cell_of(found.move);
        for (int& each : shown.pv) each = board_.cell_of(each);
        report(shown);
      }
      clarity.learn(found.move, found.score);
      if (control_->is_short(moves.size() == 1 ? 0 : clarity.share())) break;
    }
    if (found.pv.empty() || found.pv.front() != found.move)
      found.pv = line_from(found.move, found.score);
    tell(found);
    found.move = board_.cell_of(found.move);
    for (int& each : found.pv) each = board_.cell_of(each);
    return found;
  }

  // All moves, the most promising first; the seed breaks ties. Where the other side can complete a
  // line, only the moves that stop it.
  std::vector<RootMove> root_moves() {
    std::array<std::int16_t, max_moves> places;
    int size = 0;
    const int side = board_.turn();
    const auto& danger = board_.cells_of(side ^ 1, Threat::five);
    for (int cell = 0; cell < board_.size(); ++cell) {
      const int place = board_.place_of(cell);
      if (!board_.is_empty(place)) continue;
      if (danger.size == 1 && place != danger.cell[0]) continue;
      places[size++] = static_cast<std::int16_t>(place);
    }
    Moves near;
    near.size = 0;
    add_moves(near, side, -1, 1);
    std::array<int, PatternBoard::cells> worth{};
    for (int i = 0; i < near.size; ++i) worth[near.place[i]] = near.worth[i];
    sort_places(places.data(), size, [&](int place) {
      const int chance = static_cast<int>(mixed(seed_ ^ static_cast<unsigned>(place)) & 63);
      return (is_far(place) ? 0 : 1 << 28) + 64 * worth[place] + chance;
    });
    std::vector<RootMove> moves(size);
    for (int i = 0; i < size; ++i) moves[i].place = places[i];
    return moves;
  }

  // Whether a cell is far from all marks; on an empty board, whether it is not in the middle.
  bool is_far(int place) const {
    if (board_.ply() > 0) return !board_.is_near(place);
    const int cell = board_.cell_of(place);
    const int column = cell % board_.columns(), row = cell / board_.columns();
    return (column != board_.columns() / 2 && column != (board_.columns() - 1) / 2) ||
           (row != board_.rows() / 2 && row != (board_.rows() - 1) / 2);
  }
  int promise(int side, int place) const {
    return board_.order(side, place) + board_.order(side ^ 1, place) * 7 / 8;
  }

  int estimate() {
    if (const auto known = known_estimate()) return *known;
    const int by_patterns = pattern_estimate(board_, weights);
    return net ? remember(net->estimate(board_, by_patterns)) : by_patterns;
  }
  // The estimate of the net, if it is kept from before.
  std::optional<int> known_estimate() const {
    const Estimate& kept = estimate_here();
    return kept.not_key == ~board_.key() ? std::optional(kept.value) : std::nullopt;
  }
  int remember(int estimate) {
    estimate_here() = {~board_.key(), estimate};
    return estimate;
  }
  struct Estimate {
    std::uint64_t not_key;  // so that no position has that of an empty place
    int value;
  };
  Estimate& estimate_here() const {
    return estimates_[upper_product(board_.key(), estimates_.size())];
  }

  int search(int depth, int alpha, int beta) {
    if (count_and_stop()) return 0;
    const int ply = board_.ply(), mine = board_.turn(), theirs = mine ^ 1;
    if (ply == board_.size()) return 0;
    if (board_.has(mine, Threat::five)) return win - (ply + 1);
    const auto& danger = board_.cells_of(theirs, Threat::five);
    if (danger.size > 1) return -(win - (ply + 2));
    if (danger.size == 1) {
      // The only reply costs no depth.
      const int only = danger.cell[0];
      board_.play(only);
      const int score = -search(depth, -beta, -alpha);
      board_.take_back(only);
      return score;
    }
    if (board_.has(mine, Threat::sure_four)) return win - (ply + 3);
    if (win - (ply + 5) <= alpha) return win - (ply + 5);

    const bool threatened = board_.has(theirs, Threat::sure_four);
    if (depth <= 0 && !(threatened && depth > -4)) {
      if (board_.has(mine, Threat::four) || board_.has(mine, Threat::four_three)) {
        if (const int plies = fours_.find(board_, mine, weights.leaf_fours, on_))
          return win - (ply + plies);
        if (control_->stopped()) return 0;
      }
      return estimate();
    }

    const bool narrow = beta - alpha == 1;
    const std::uint64_t key = board_.key();
    int table_move = -1;
    if (const auto entry = table_->find(key)) {
      table_move = entry->move;
      const int score = from_table(entry->score, ply);
      const bool fits = entry->bound == Table::exact ||
                        (entry->bound == Table::lower ? score >= beta : score <= alpha);
      if (fits && (entry->depth >= depth || is_proven(score, entry->bound))) return score;
    }
    Moves moves;
    moves.size = 0;
    if (narrow && depth <= weights.max_futile && !threatened && !is_win(beta) && !is_loss(beta)) {
      const auto known = known_estimate();
      const int estimated = known              ? *known
                            : net && depth > 0 ? judge(moves, mine, table_move)
                                               : estimate();
      const int sure_of = estimated - weights.margin * std::max(depth, 1);
      if (sure_of >= beta) return sure_of;
      if (depth > 0 && depth <= weights.max_hopeless && estimated + weights.hope * depth <= alpha) {
        const int score = search(0, alpha, beta);
        if (score <= alpha || control_->stopped()) return score;
      }
    }

    const int more = std::min(std::max(depth, 0), 8);
    if (board_.has(mine, Threat::four) || board_.has(mine, Threat::four_three)) {
      if (const int plies = fours_.find(board_, mine, weights.inner_fours << more / 2, on_)) {
        store(key, depth, win - (ply + plies), Table::lower, fours_.line().front());
        return win - (ply + plies);
      }
      if (control_->stopped()) return 0;
    }
    if (depth >= weights.min_threats && !threatened) {
      const int nodes = weights.inner_threats << (more - weights.min_threats);
      if (const int plies = threats_.find(board_, mine, nodes, on_)) {
        store(key, depth, win - (ply + plies), Table::lower, threats_.move());
        return win - (ply + plies);
      }
      if (control_->stopped()) return 0;
    }

    int best = -infinite, best_move = -1;
    const int first_alpha = alpha;
    Defences against;
    if (threatened || board_.has(theirs, Threat::four) || board_.has(theirs, Threat::four_three))
      find_defences(board_, theirs, fours_, weights.inner_fours << more / 2, against, on_);
    if (control_->stopped()) return 0;
    const bool restricted = against.plies > 0;
    if (restricted) {
      best = -(win - (ply + 1 + against.plies));
      if (best >= beta) return best;
      alpha = std::max(alpha, best);
      moves.size = 0;
      for (int place : against.moves) moves.add(place, score_of(mine, place, table_move));
    }
    // The move of the table often suffices: only after it the others are put in order.
    const bool by_table = !restricted && moves.size == 0 && table_move >= 0 &&
                          board_.is_empty(table_move) && board_.is_near(table_move);
    if (by_table) moves.add(table_move, 0);
    else if (!restricted && moves.size == 0) add_moves(moves, mine, table_move, depth);
    const int enough = depth <= 0 ? 6 : weights.moves + weights.moves_by_depth * depth;
    bool far = false;
    for (int rank = 0;; ++rank) {
      if (rank == 1 && by_table) {
        moves.size = 0;
        add_moves(moves, mine, table_move, depth);
        moves.next(0);
      }
      if (rank == moves.size) {
        // A loss needs a search of all moves.
        if (restricted || far || !is_loss(best)) break;
        far = true;
        for (int cell = 0; cell < board_.size(); ++cell) {
          const int place = board_.place_of(cell);
          if (board_.is_empty(place) && !board_.is_near(place)) moves.add(place, 0);
        }
        if (rank == moves.size) break;
      }
      if (rank >= enough && !is_loss(best) && !restricted) break;
      const int move = moves.next(rank);
      const Threat own = board_.threat(mine, move), other = board_.threat(theirs, move);
      board_.play(move);
      int score = 0;
      const int next = std::max(depth, 1) - 1 - (depth <= 0 ? 1 - depth : 0);
      if (rank == 0) {
        score = -search(next, -beta, -alpha);
      } else {
        int less = 0;
        if (depth >= 3 && rank >= 2) {
          less = reduction(depth, rank);
          if (own >= Threat::open_three || other >= Threat::open_three) --less;
          if (own >= Threat::four) --less;
          less = std::clamp(less, 0, next - 1);
        }
        score = -search(next - less, -alpha - 1, -alpha);
        if (score > alpha && less > 0 && !control_->stopped())
          score = -search(next, -alpha - 1, -alpha);
        if (score > alpha && score < beta && !control_->stopped())
          score = -search(next, -beta, -alpha);
      }
      board_.take_back(move);
      if (control_->stopped()) return 0;
      if (score <= best && best_move >= 0) continue;
      if (score >= best) best_move = move;
      best = std::max(best, score);
      alpha = std::max(alpha, best);
      if (alpha >= beta) {
        credit(ply, mine, move, std::max(depth, 1));
        break;
      }
    }
    store(key, depth, best,
          best >= beta          ? Table::lower
          : best <= first_alpha ? Table::upper
                                : Table::exact,
          best <= first_alpha ? -1 : best_move);
    return best;
  }

  // The moves of a node, selected one by one.
  struct Moves {
    int size = 0;
    std::array<std::int16_t, max_moves> place;
    std::array<std::int32_t, max_moves> worth;
    void add(int move, int of_move) {
      place[size] = static_cast<std::int16_t>(move);
      worth[size++] = of_move;
    }
    int next(int rank) {
      int best = rank;
      for (int i = rank + 1; i < size; ++i)
        if (worth[i] > worth[best]) best = i;
      std::swap(worth[rank], worth[best]);
      std::swap(place[rank], place[best]);
      return place[rank];
    }
  };

  // Add the moves near the marks.
  void add_moves(Moves& moves, int side, int table_move, int depth) {
    if (net && depth > 0) {
      judge(moves, side, table_move);
      return;
    }
    for (int cell = 0; cell < board_.size(); ++cell) {
      const int place = board_.place_of(cell);
      if (board_.is_empty(place) && board_.is_near(place))
        moves.add(place, score_of(side, place, table_move));
    }
  }
  // The same in the order of the net, whose estimate it returns.
  [[gnu::noinline]] int judge(Moves& moves, int side, int table_move) {
    FiveNet::Logits logits;
    const int estimate = net->estimate(board_, pattern_estimate(board_, weights), &logits);
    for (int i = 0; i < logits.size; ++i)
      moves.add(logits.place[i], score_of(side, logits.place[i], table_move) +
                                     logits.logit[i] * weights.policy / FiveNet::move_unit);
    return remember(estimate);
  }
  int score_of(int side, int place, int table_move) const {
    if (place == table_move) return 1 << 30;
    const auto& killers = killers_[board_.ply()];
    const int more = place == killers[0] ? 60 : place == killers[1] ? 40 : 0;
    return 16 * (promise(side, place) + more) + history_[side][place] / 16;
  }
  void credit(int ply, int side, int move, int depth) {
    auto& killers = killers_[ply];
    if (killers[0] != move) killers = {static_cast<std::int16_t>(move), killers[0]};
    int& of_move = history_[side][move];
    of_move += 32 * depth * depth - of_move * std::min(depth * depth, 256) / 512;
  }
  // The plies that a late move is searched less deep.
  int reduction(int depth, std::size_t rank) const {
    static const auto logarithm = [] {
      std::array<float, 128> made{};
      for (int i = 1; i < 128; ++i) made[i] = std::log(static_cast<float>(i));
      return made;
    }();
    const float product =
        logarithm[std::min(depth, 127)] * logarithm[std::min<std::size_t>(rank, 127)];
    return (weights.reduced + static_cast<int>(100 * product) * 100 / weights.reduced_by) / 100;
  }

  static bool is_proven(int score, Table::Bound bound) {
    return (is_win(score) && bound != Table::upper) || (is_loss(score) && bound != Table::lower);
  }
  static int from_table(int score, int ply) {
    return is_win(score) ? score - ply : is_loss(score) ? score + ply : score;
  }
  void store(std::uint64_t key, int depth, int score, Table::Bound bound, int move) {
    const int ply = board_.ply();
    const int kept = is_win(score) ? score + ply : is_loss(score) ? score - ply : score;
    table_->store(key, std::max(depth, 0), kept, bound, move, !helps_);
  }

  // The principal variation that begins with `move`, from the table; of a proven score, to the end.
  std::vector<int> line_from(int move, int score) {
    std::vector<int> line;
    if (is_win(score) || is_loss(score)) {
      line.push_back(move);
      finish(line, is_win(score) ? board_.turn() : board_.turn() ^ 1);
      return line;
    }
    while (move >= 0 && board_.is_empty(move)) {
      line.push_back(move);
      const bool ends = board_.threat(board_.turn(), move) == Threat::five;
      board_.play(move);
      if (ends || board_.ply() == board_.size()) break;
      const int mine = board_.turn();
      const auto& fives = board_.cells_of(mine, Threat::five);
      const auto& danger = board_.cells_of(mine ^ 1, Threat::five);
      const auto& sure = board_.cells_of(mine, Threat::sure_four);
      move = -1;
      if (fives.size) move = *std::min_element(fives.begin(), fives.end());
      else if (danger.size) move = *std::min_element(danger.begin(), danger.end());
      else if (sure.size) move = *std::min_element(sure.begin(), sure.end());
      else if (const auto entry = table_->find(board_.key())) move = entry->move;
    }
    take_back(line);
    return line;
  }

  // Set the bounds that are proven: a win or loss, and its distance where none can be shorter.
  void settle(Finding& found, int depth) const {
    const int score = found.score, plies = win - std::abs(score) - board_.ply();
    found.depth = depth;
    found.exact = is_win(score) || is_loss(score);
    if (is_win(score)) found.lower = score;
    if (is_loss(score)) found.upper = score;
    if (is_win(score) && plies <= 3) found.upper = score;
    if (is_loss(score) && plies <= 2) found.lower = score;
  }
  void tell(Finding& found) const {
    found.nodes = nodes_;
    for (const auto& helper : helpers_) found.nodes += helper->nodes_;
    found.seconds = control_->seconds();
    found.table_use = table_->use();
  }

  PatternBoard board_;
  std::shared_ptr<Table> table_;
  WinByFours fours_;
  WinByThreats threats_;
  ZeroedArray<Estimate> estimates_;  // of the net
  std::uint64_t seed_;
  std::vector<std::unique_ptr<FiveSearch>> helpers_;
  Control* control_ = nullptr;
  const GoesOn on_ = [this] { return goes_on(); };
  std::size_t threads_count_ = 1;
  bool helps_ = false;
  std::atomic<std::uint64_t> nodes_{0};
  std::array<std::array<std::int16_t, 2>, max_plies> killers_{};
  std::array<std::array<int, PatternBoard::cells>, 2> history_{};
};

}  // namespace noughts
