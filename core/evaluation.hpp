// Nodes of row games, their hand-written evaluations, and that of a course report for the
// nine-board games. The tunable numbers are in the ...Weights structs.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "nested_evaluation.hpp"
#include "row.hpp"
#include "threats.hpp"

namespace noughts {

// The cells, occupied or not, that complete a line of a player: computed for all cells at once.
template <class Bits>
struct Completing {
  explicit Completing(const RowPosition<Bits>&) {}
  void play(RowPosition<Bits>& position, int index) { position.place(bit<Bits>(index)); }
  Bits of(const RowPosition<Bits>& position, int player) const {
    return position.rules->completing(position.marks[player]);
  }
};

// The same on wide boards, empty cells only: kept up to date, since a move changes few lines.
template <int words>
  requires(words > 2)
struct Completing<Words<words>> {
  using Bits = Words<words>;
  Bits cells[2];

  explicit Completing(const RowPosition<Bits>& position) {
    for (int player : {0, 1}) cells[player] = all_of(position, player);
  }
  void play(RowPosition<Bits>& position, int index) {
    const auto& rules = *position.rules;
    const int mover = position.turn();
    const Bits cell = bit<Bits>(index);
    position.place(cell, has(cells[mover], index));
    for (Bits& each : cells) each &= ~cell;
    if (rules.exact) {  // a mark can make other lines too long
      cells[mover] = all_of(position, mover);
      return;
    }
    const Bits &mine = position.marks[mover], &theirs = position.marks[mover ^ 1];
    rules.lines_through(index, mine, theirs, [&](int own, int others, int first, int direction) {
      if (own != rules.k - 1 || others) return;
      while (has(mine, first)) first += direction;
      cells[mover] |= bit<Bits>(first);
    });
  }
  const Bits& of(const RowPosition<Bits>&, int player) const { return cells[player]; }

 private:
  static Bits all_of(const RowPosition<Bits>& position, int player) {
    return position.rules->completing(position.marks[player]) & ~position.occupied();
  }
};

// Row games. A move is the bit of its cell.
template <class Bits>
struct Node<RowPosition<Bits>> {
  using Moves = Bits;
  using Fours = FourSearch<Bits>;
  static constexpr int cells = 8 * sizeof(Bits);

  RowPosition<Bits> position;
  Completing<Bits> completing;

  explicit Node(const RowPosition<Bits>& start) : position(start), completing(start) {}

  void play(int index) { completing.play(position, index); }
  // The move number outside the core.
  int number(int index) const {
    return position.rules->gravity ? index / position.rules->stride
                                   : position.rules->cell_of(index);
  }
  int plies_left() const { return position.rules->size() - position.ply; }
  std::uint64_t key() const { return position.hash(); }

  // The image of a move under a symmetry of the board.
  int image(int index, int symmetry) const {
    const auto& rules = *position.rules;
    return rules.bit_of(image_of(rules.cell_of(index), symmetry, rules.columns, rules.rows));
  }
  bool is_kept_by(int symmetry) const {
    const auto& rules = *position.rules;
    if (symmetry & (rules.gravity ? 6 : rules.columns != rules.rows ? 4 : 0)) return false;
    for (int cell = 0; cell < rules.size(); ++cell) {
      const int index = rules.bit_of(cell);
      const Bits here = bit<Bits>(index), there = bit<Bits>(image(index, symmetry));
      for (const Bits& marks : position.marks)
        if (bool(marks & here) != bool(marks & there)) return false;
    }
    return true;
  }

  Outlook<Bits> outlook() const {
    const auto& rules = *position.rules;
    const Bits all = position.landings();
    const Bits mine = completing.of(position, position.turn()) & all;
    if (rules.misere) return without(all, mine, -(win - (position.ply + 1)));
    if (mine) return {win - (position.ply + 1), lowest(mine), {}};
    const Bits theirs = completing.of(position, position.turn() ^ 1);
    const Bits threats = theirs & all;
    Bits losing{};
    if (threats) losing = count(threats) == 1 ? all & ~threats : all;
    if (rules.gravity) losing |= all & (theirs >> 1);
    return without(all, losing, -(win - (position.ply + 2)));
  }
  int settled() const {
    const auto seen = outlook();
    return seen.moves ? unsettled : seen.score;
  }

  // The empty cells where `side` completes a line, and those where it makes a four.
  Bits danger_of(int side) const { return completing.of(position, side) & position.landings(); }
  Bits fours_of(int side) const {
    return cells_of_fours(*position.rules, position.marks[side], position.marks[side ^ 1]);
  }

  // The cells far from all marks, where a move rarely pays; on an empty board, those outside the
  // middle. None with gravity or misere.
  Bits far() const {
    const auto& rules = *position.rules;
    if (rules.gravity || rules.misere) return {};
    const Bits taken = position.occupied();
    return rules.cells & ~(taken ? rules.near(taken) : rules.middle());
  }

 private:
  static Outlook<Bits> without(const Bits& all, const Bits& losing, int score) {
    if (!losing) return {-infinite, -1, all};
    return {score, lowest(losing), all & ~losing};
  }
};

// Base of evaluations without a state.
template <class Place>
struct Stateless {
  struct State {};
  State start(const Place&) const { return {}; }
  void play(State&, const Place&, int) const {}
};

// The evaluation of a course report for the nine-board games, for comparison: the mean worth of the
// legal moves, by groups. The report defines the groups; the numbers are ours, as in Python.

struct ReportWeights {
  // In estimate units, for advanced: a move that sends the opponent to a board where one mark wins;
  // to a full board; any other move.
  int dead = -8'000, free = -4'000, other = 1'000;
  int exposed = -1'000;  // with a free choice: each board where one mark of the opponent wins
  // For ultimate: a base, and addends for each board that the side to move (`mine`) or the other
  // side (`theirs`) has won or can win with one mark.
  struct Group {
    int base, mine, theirs;
  };
  Group final{-8'000, 0, 0};        // sends the opponent to a board where one mark wins the game
  Group choice{-1'000, 500, -500};  // sends the opponent to a closed board
  Group finish{1'000, 500, -500};   // else, wins its board
  Group rest{0, 500, -500};         // any other move
  int most = 9'000;                 // largest absolute estimate
};

struct ReportEvaluation : Stateless<Node<NestedPosition>> {
  using Place = Node<NestedPosition>;
  ReportWeights weights{};

  int estimate(const Place& place, const State&) const {
    const auto& position = place.position;
    const int side = position.turn();
    const unsigned danger = place.final_boards(side ^ 1);
    int worth[4] = {weights.dead, position.rules.free_choice ? weights.free : 0, weights.other,
                    weights.other};
    if (position.rules.one_line) {
      if (!position.is_forced()) return limited(weights.exposed * std::popcount(danger));
    } else {
      const int mine = std::popcount(unsigned(place.one_step[side] | position.won[side]));
      const int theirs = std::popcount(unsigned(place.one_step[side ^ 1] | position.won[side ^ 1]));
      const ReportWeights::Group groups[] = {weights.final, weights.choice, weights.finish,
                                             weights.rest};
      for (int i = 0; i < 4; ++i)
        worth[i] = groups[i].base + groups[i].mine * mine + groups[i].theirs * theirs;
    }
    int total = 0, moves = 0;
    for (unsigned left = position.reach(); left; left &= left - 1) {
      const int board = std::countr_zero(left);
      const auto groups = grouped(place, board, danger);
      for (int i = 0; i < 4; ++i) {
        total += worth[i] * std::popcount(groups[i]);
        moves += std::popcount(groups[i]);
      }
    }
    return limited(total / moves);
  }

  // The cells of a board by group: dead, free, finish, other.
  static std::array<unsigned, 4> grouped(const Place& place, int board, unsigned danger) {
    const auto& position = place.position;
    const int side = position.turn();
    const unsigned here = 1u << board, all = place.empty(board);
    const bool won = (position.won[0] | position.won[1]) & here;
    const unsigned finishing = won ? 0 : completing_3x3[position.boards[side][board]] & all;
    unsigned closed = position.closed;
    if (all & here) {
      if (all == here || (position.rules.won_closed && finishing & here)) closed |= here;
      if (closed & here || !(completing_3x3[position.boards[side ^ 1][board]] & all & ~here))
        danger &= ~here;
    }
    const unsigned dead = all & danger, free = all & closed & ~dead;
    const unsigned finish = finishing & ~dead & ~free;
    return {dead, free, finish, all & ~(dead | free | finish)};
  }

 private:
  int limited(int estimate) const {
    return estimate > weights.most    ? weights.most
           : estimate < -weights.most ? -weights.most
                                      : estimate;
  }
};

// Row games: lines with marks of one side only.

struct ThreatsWeights {
  int growth = 3;  // factor of the worth of a line for each mark
  int half = 30;   // the balance of an estimate of 1/2
};

template <class Bits>
struct ThreatsEvaluation : Stateless<Node<RowPosition<Bits>>> {
  using Place = Node<RowPosition<Bits>>;
  using State = typename Stateless<Place>::State;
  ThreatsWeights weights{};

  int estimate(const Place& place, const State&) const {
    const int own = balance(place.position);
    return squashed(place.position.rules->misere ? -own : own, weights.half);
  }

  // The worth of the lines of the side to move minus that of the other side.
  int balance(const RowPosition<Bits>& position) const {
    const int side = position.turn();
    const Bits &mine = position.marks[side], &theirs = position.marks[side ^ 1];
    return worth(*position.rules, mine, theirs) - worth(*position.rules, theirs, mine);
  }

 private:
  // The worth of the lines with marks of `mine` and none of `theirs`. More than eight marks in a
  // line are worth no more, so that the sum stays small.
  int worth(const RowRules<Bits>& rules, const Bits& mine, const Bits& theirs) const {
    const Bits free = rules.cells & ~theirs;
    int total = 0;
    for (int direction : rules.directions) {
      Bits with[9]{};  // with[n]: the first cells of lines with n marks so far
      with[0] = ~Bits(0);
      for (int i = 0; i < rules.k; ++i) {
        const Bits marked = mine >> (direction * i), open = free >> (direction * i);
        const int most = i < 8 ? i + 1 : 8;
        with[8] &= open;
        for (int n = most; n > 0; --n)
          with[n] = open & ((n == 8 ? with[n] : with[n] & ~marked) | (with[n - 1] & marked));
        with[0] &= open & ~marked;
      }
      const Bits counted = rules.exact ? ~rules.too_long(mine, direction) : ~Bits(0);
      int each = 1;
      for (int n = 1; n <= 8 && n < rules.k; ++n) {
        each *= weights.growth;
        total += each * count(with[n] & counted);
      }
    }
    return total;
  }
};

// Row games on wide boards: lines with marks of one side only, by the marks that they miss.

// Hundredths of a logit: first by logistic regression on positions of self-play on 15x15, five in a
// row, then by matches.
struct LinesWeights {
  int mine[4] = {0, 40, 13, 2};  // a line of the side to move that misses 1, 2, 3, 4 or more marks
  int theirs[4] = {46, 44, 8, 1};  // one of the other side
  int turn = 28;                   // the right to move
  int half = 200;                  // the balance of an estimate of 1/2
};

// A move changes few lines, so that the worths are kept up to date.
template <class Bits>
struct LinesEvaluation {
  using Place = Node<RowPosition<Bits>>;
  // The worth of the lines of X and of O: [0] if it is to move, [1] if it is not.
  struct State {
    std::int32_t worth[2][2]{};
  };
  LinesWeights weights{};

  State start(const Place& place) const {
    State state;
    const auto& position = place.position;
    const auto& rules = *position.rules;
    for (int cell = 0; cell < rules.size(); ++cell) {
      const int index = rules.bit_of(cell);
      for (int player : {0, 1})
        rules.lines_through(index, position.marks[player], position.marks[player ^ 1],
                            [&](int own, int others, int first, int direction) {
                              if (first == index && own > 0 && others == 0 &&
                                  !rules.is_too_long(position.marks[player], first, direction))
                                add(state, player, rules.k - own, 1);
                            });
    }
    return state;
  }
  // A move adds a mark to the lines of its side, and ends those of the other side. With `exact` it
  // also makes lines of its side too long.
  void play(State& state, const Place& after, int index) const {
    const auto& position = after.position;
    const auto& rules = *position.rules;
    const int mover = position.turn() ^ 1, k = rules.k;
    const Bits &mine = position.marks[mover], &theirs = position.marks[mover ^ 1];
    rules.lines_through(index, mine, theirs, [&](int own, int others, int first, int direction) {
      if (others == 0) {
        if (rules.is_too_long(mine, first, direction)) return;
        add(state, mover, k - own, 1);
        if (own > 1) add(state, mover, k - own + 1, -1);
      } else if (own == 1 && !rules.is_too_long(theirs, first, direction)) {
        add(state, mover ^ 1, k - others, -1);
      }
    });
    if (rules.exact) drop_too_long(state, position, index);
  }
  int estimate(const Place& place, const State& state) const {
    const int own = balance(place, state);
    return squashed(place.position.rules->misere ? -own : own, weights.half);
  }
  // The balance for the side to move.
  int balance(const Place& place, const State& state) const {
    const int side = place.position.turn();
    return state.worth[side][0] - state.worth[side ^ 1][1] + weights.turn;
  }

 private:
  // Subtract the lines that the last mark has made too long.
  [[gnu::noinline]] void drop_too_long(State& state, const RowPosition<Bits>& position,
                                       int index) const {
    const auto& rules = *position.rules;
    const int mover = position.turn() ^ 1;
    const Bits &mine = position.marks[mover], &theirs = position.marks[mover ^ 1];
    const Bits before = mine & ~bit<Bits>(index);
    rules.lines_beside(index, [&](int first, int direction) {
      if (rules.is_too_long(before, first, direction)) return;
      int own = 0;
      for (int i = 0, at = first; i < rules.k; ++i, at += direction) {
        if (has(theirs, at)) return;
        own += has(mine, at);
      }
      if (own) add(state, mover, rules.k - own, -1);
    });
  }
  // Add lines of a side that miss `missing` marks; a complete line is worth nothing.
  void add(State& state, int side, int missing, int lines) const {
    if (missing == 0) return;
    const int i = std::min(missing, 4) - 1;
    state.worth[side][0] += lines * weights.mine[i];
    state.worth[side][1] += lines * weights.theirs[i];
  }
};

// Row games with gravity: the same, and the winner by zugzwang.

struct ZugzwangWeights {
  int zugzwang = 60;  // a win by zugzwang, in the unit of lines
};

// Neither side wants to play below a threat: the other side wins there, or blocks the threat. So
// these cells stay empty until the end, and then (Allis 1988, zugzwang) the parity of the number of
// other empty cells decides which side must play on one of them:
//
//     O  <- a threat of O
//     .  <- X must play here, and loses, if X is to move and an even number of other cells is empty
//
// A side with a threat in another column gives that up instead, and play continues above it.
struct ZugzwangEvaluation : Stateless<Node<RowPosition<Bits64>>> {
  using Place = Node<RowPosition<Bits64>>;
  ThreatsEvaluation<Bits64> lines{};
  ZugzwangWeights weights{};

  int estimate(const Place& place, const State&) const {
    const int balance = lines.balance(place.position) + weights.zugzwang * winner(place.position);
    return squashed(balance, lines.weights.half);
  }

  // 1 if the side to move wins by zugzwang, -1 if the other side does, else 0.
  static int winner(const RowPosition<Bits64>& position) {
    const auto& rules = *position.rules;
    const Bits64 empty = rules.cells & ~position.occupied();
    const Bits64 threats[2] = {rules.completing(position.marks[position.turn()]) & empty,
                               rules.completing(position.marks[position.turn() ^ 1]) & empty};
    const Bits64 any = threats[0] | threats[1];
    if (!any) return 0;
    Bits64 feet = position.landings();
    int mover = 0;
    for (;;) {
      // Fill all other cells; `feet` are then the cells below a threat.
      int filled = 0;
      Bits64 below_threats = 0;
      for (Bits64 left = feet; left; left &= left - 1) {
        const Bits64 foot = left & -left, column = upwards(foot, empty);
        const Bits64 next = column & any & ~foot;
        const Bits64 below = (next & -next) >> 1;
        below_threats |= below;
        filled += std::popcount(column & (below ? below - 1 : ~Bits64(0)));
      }
      feet = below_threats;
      if (!feet) return 0;
      mover ^= filled & 1;
      // The mover can give up only a threat that is not also one of the other side.
      const Bits64 given = feet & ((threats[mover] & ~threats[mover ^ 1]) >> 1);
      if (!given) return mover ? 1 : -1;
      const Bits64 cell = given & -given, above = cell << 2;
      if (above & threats[mover]) return mover ? -1 : 1;
      feet = (feet ^ cell) | (above & empty);
    }
  }

 private:
  // The empty cells of a column from its foot upwards.
  static Bits64 upwards(Bits64 foot, Bits64 empty) { return empty & ~(empty + foot); }
};

}  // namespace noughts
