// Estimates of positions, and a two-ply lookahead without search.
//
//     Node        a position with its Outlook: the exact results within two plies
//     Evaluation  State start(node), void play(state, node after, move), int estimate(node, state)
//
// A search enters nodes with `play` and reads the `outlook` first; it calls the evaluation only if
// the outlook does not settle the score. Estimates are from the side to move, strictly between
// -estimate_unit and estimate_unit. The tunable numbers are in the ...Weights structs; any policy
// with the same three functions can replace an evaluation.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "nested.hpp"
#include "row.hpp"
#include "search.hpp"

namespace noughts {

// Exact results within two plies. `moves` are the legal moves that need a search; `score` is the
// exact score of the best other move, `move`, or -infinite without one.
// It sees games that end with a line; a game decided by the number of boards needs a search.
template <class Moves>
struct Outlook {
  int score = -infinite;
  int move = -1;
  Moves moves{};
};

inline constexpr int unsettled = infinite;

template <class Position>
struct Node;

// Nine-board games. Move 9 * board + cell is bit 9 * board + cell of the moves.
template <>
struct Node<NestedPosition> {
  using Moves = Bits128;
  static constexpr int cells = 81;

  NestedPosition position;
  std::uint16_t one_step[2]{};  // boards that each side can win with one mark

  explicit Node(const NestedPosition& start) : position(start) {
    for (int board = 0; board < 9; ++board) refresh(board);
  }

  void play(int move) {
    position.play(move);
    refresh(move / 9);
  }
  int number(int move) const { return move; }
  int plies_left() const {
    int empty = 0;
    for (unsigned left = board_mask & ~position.closed; left; left &= left - 1)
      empty += 9 - std::popcount(position.occupied(std::countr_zero(left)));
    return empty;
  }
  std::uint64_t key() const { return position.hash(); }

  // The image of a move under a symmetry of boards and cells together.
  static int image(int move, int symmetry) {
    return 9 * image_of(move / 9, symmetry, 3, 3) + image_of(move % 9, symmetry, 3, 3);
  }
  bool is_kept_by(int symmetry) const {
    if (position.is_forced() && image_of(position.target, symmetry, 3, 3) != position.target)
      return false;
    for (int player : {0, 1})
      for (int board = 0; board < 9; ++board) {
        const int other = image_of(board, symmetry, 3, 3);
        if ((position.won[player] >> board ^ position.won[player] >> other) & 1) return false;
        const unsigned here = position.boards[player][board],
                       there = position.boards[player][other];
        for (int cell = 0; cell < 9; ++cell)
          if ((here >> cell ^ there >> image_of(cell, symmetry, 3, 3)) & 1) return false;
      }
    return true;
  }

  // The boards on which one mark of `player` wins the game.
  unsigned final_boards(int player) const {
    return one_step[player] &
           (position.rules.one_line ? board_mask : completing_3x3[position.won[player]]);
  }

  Outlook<Moves> outlook() const {
    const int mine = position.turn(), theirs = mine ^ 1;
    const unsigned reach = position.reach();
    if (const unsigned wins = final_boards(mine) & reach) {
      const int board = std::countr_zero(wins);
      const unsigned last = completing_3x3[position.boards[mine][board]] & empty(board);
      return {win - (position.ply + 1), 9 * board + std::countr_zero(last), {}};
    }
    Outlook<Moves> result;
    const unsigned danger = final_boards(theirs);
    for (unsigned left = reach; left; left &= left - 1) {
      const int board = std::countr_zero(left);
      const unsigned all = empty(board), losing = danger ? losing_cells(board, danger) : 0;
      result.moves |= static_cast<Moves>(all & ~losing) << 9 * board;
      if (losing) {
        result.score = -(win - (position.ply + 2));
        result.move = 9 * board + std::countr_zero(losing);
      }
    }
    return result;
  }

  // The score if the outlook leaves no move to search; else `unsettled`.
  int settled() const {
    if (!(final_boards(0) | final_boards(1))) return unsettled;
    const auto seen = outlook();
    return seen.moves ? unsettled : seen.score;
  }

  // The cells of a board that let the opponent win immediately, if one mark on any board of
  // `danger` wins the game. A mark can block or close its own board first.
  unsigned losing_cells(int board, unsigned danger) const {
    const int mine = position.turn();
    const unsigned here = 1u << board, all = empty(board);
    const bool won = (position.won[0] | position.won[1]) & here;
    const unsigned finishing = won ? 0 : completing_3x3[position.boards[mine][board]] & all;
    const unsigned closing = std::has_single_bit(all)    ? all
                             : position.rules.won_closed ? finishing
                                                         : 0;
    unsigned kept = 0;  // cells that leave this board in danger
    if (danger & here) {
      const unsigned open = completing_3x3[position.boards[mine ^ 1][board]] & all;
      kept = all & ~finishing & ~(std::has_single_bit(open) ? open : 0);
    }
    const unsigned elsewhere = danger & ~here;
    unsigned losing = all & (elsewhere | (kept & here));
    if (position.rules.free_choice)
      losing |= (all & (position.closed | (closing & here))) & (elsewhere ? board_mask : kept);
    return losing;
  }

  unsigned empty(int board) const { return board_mask & ~position.occupied(board); }

 private:
  void refresh(int board) {
    const unsigned here = 1u << board;
    const bool open = !((position.closed | position.won[0] | position.won[1]) & here);
    for (int player = 0; player < 2; ++player) {
      const bool near = open && completing_3x3[position.boards[player][board]] & empty(board);
      one_step[player] = static_cast<std::uint16_t>((one_step[player] & ~here) |
                                                    static_cast<unsigned>(near) << board);
    }
  }
};

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
template <>
struct Completing<Wide> {
  Wide cells[2];

  explicit Completing(const RowPosition<Wide>& position) {
    for (int player : {0, 1})
      cells[player] = position.rules->completing(position.marks[player]) & ~position.occupied();
  }
  void play(RowPosition<Wide>& position, int index) {
    const auto& rules = *position.rules;
    const int mover = position.turn();
    const Wide cell = bit<Wide>(index);
    position.place(cell, has(cells[mover], index));
    for (Wide& each : cells) each &= ~cell;
    const Wide &mine = position.marks[mover], &theirs = position.marks[mover ^ 1];
    rules.lines_through(index, mine, theirs, [&](int own, int others, int first, int direction) {
      if (own != rules.k - 1 || others) return;
      while (has(mine, first)) first += direction;
      cells[mover] |= bit<Wide>(first);
    });
  }
  const Wide& of(const RowPosition<Wide>&, int player) const { return cells[player]; }
};

// Row games. A move is the bit of its cell.
template <class Bits>
struct Node<RowPosition<Bits>> {
  using Moves = Bits;
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

  // The cells far from all marks, where a move rarely pays; none with gravity or misere.
  Bits far() const {
    const Bits taken = position.occupied();
    if (position.rules->gravity || position.rules->misere || !taken) return {};
    return position.rules->cells & ~position.rules->near(taken);
  }

 private:
  static Outlook<Bits> without(const Bits& all, const Bits& losing, int score) {
    if (!losing) return {-infinite, -1, all};
    return {score, lowest(losing), all & ~losing};
  }
};

// Map `balance` to an estimate, in the same order; `half` becomes 1/2.
constexpr int squashed(int balance, int half) {
  const auto wide = static_cast<std::int64_t>(balance) * (estimate_unit - 1);
  return static_cast<int>(wide / (half + std::abs(balance)));
}

// Ultimate: the expected boards and lines if coin tosses filled all empty cells.

struct ChancesWeights {
  int board = 410;    // an expected board; an expected line of boards is 8192
  int choice = 1638;  // free choice of the next board
  int half = 2458;    // the balance of an estimate of 1/2
};

// The number in base 3 with a digit 1 for each mark.
inline constexpr auto base_3 = [] {
  std::array<std::uint16_t, 512> table{};
  for (unsigned marks = 0; marks < 512; ++marks)
    for (int cell = 8; cell >= 0; --cell)
      table[marks] = static_cast<std::uint16_t>(3 * table[marks] + (marks >> cell & 1));
  return table;
}();

// The index of one of the 3^9 boards.
constexpr int board_number(unsigned x, unsigned o) { return base_3[x] + 2 * base_3[o]; }

// The probabilities, in 1024ths, that X and O win a board if a coin toss fills each empty cell; a
// board with lines of both counts half for each.
using Chances = std::array<std::int16_t, 2>;
inline const std::array<Chances, 19'683> board_chances = [] {
  std::array<Chances, 19'683> table{};
  for (unsigned taken = 512; taken-- > 0;)  // boards with more marks first
    for (unsigned x = taken;; x = (x - 1) & taken) {
      const unsigned o = taken & ~x;
      auto& chances = table[board_number(x, o)];
      if (taken == board_mask) {
        const bool both = has_line_3x3[x] && has_line_3x3[o];
        const int whole = both ? 512 : 1024;
        chances = {static_cast<std::int16_t>(has_line_3x3[x] ? whole : 0),
                   static_cast<std::int16_t>(has_line_3x3[o] ? whole : 0)};
      } else {
        const unsigned cell = ~taken & (taken + 1);
        const auto heads = table[board_number(x | cell, o)];
        const auto tails = table[board_number(x, o | cell)];
        for (int i = 0; i < 2; ++i)
          chances[i] = static_cast<std::int16_t>((heads[i] + tails[i]) / 2);
      }
      if (x == 0) break;
    }
  return table;
}();

// The lines of the big board through each board, as the pairs of the other two.
struct LinePairs {
  int size = 0;
  std::array<std::array<std::uint8_t, 2>, 4> pair{};
};
inline constexpr auto lines_through = [] {
  std::array<LinePairs, 9> table{};
  for (int board = 0; board < 9; ++board)
    for (unsigned line : lines_3x3)
      if (line >> board & 1) {
        const unsigned others = line ^ 1u << board;
        table[board].pair[table[board].size++] = {
            static_cast<std::uint8_t>(std::countr_zero(others)),
            static_cast<std::uint8_t>(std::countr_zero(others & (others - 1)))};
      }
  return table;
}();

// The probability of a line of boards is the product of the probabilities of its three boards.
struct ChancesEvaluation {
  using Place = Node<NestedPosition>;
  struct State {
    std::int16_t chance[2][9]{};
    std::int32_t boards = 0;  // expected boards of X minus those of O, in 1024ths
    std::int64_t lines = 0;   // expected lines of X minus those of O, in 1024ths cubed
  };
  ChancesWeights weights{};

  State start(const Place& place) const {
    State state;
    for (int board = 0; board < 9; ++board) update(state, place.position, board);
    return state;
  }
  void play(State& state, const Place& after, int move) const {
    update(state, after.position, move / 9);
  }
  int estimate(const Place& place, const State& state) const {
    return squashed(balance(place, state), weights.half);
  }
  // The balance for the side to move.
  int balance(const Place& place, const State& state) const {
    const int of_x =
        static_cast<int>(state.lines / (1 << 17)) + weights.board * state.boards / 1024;
    const int own = place.position.turn() == 0 ? of_x : -of_x;
    return own + (place.position.is_forced() ? 0 : weights.choice);
  }

 private:
  static void update(State& state, const NestedPosition& position, int board) {
    Chances now = {0, 0};
    if (position.won[0] >> board & 1) now = {1024, 0};
    else if (position.won[1] >> board & 1) now = {0, 1024};
    else now = board_chances[board_number(position.boards[0][board], position.boards[1][board])];
    for (int player = 0; player < 2; ++player) {
      auto* chance = state.chance[player];
      const int change = player == 0 ? now[0] - chance[board] : chance[board] - now[1];
      std::int64_t pairs = 0;
      for (int i = 0; i < lines_through[board].size; ++i) {
        const auto [a, b] = lines_through[board].pair[i];
        pairs += chance[a] * chance[b];
      }
      state.boards += change;
      state.lines += change * pairs;
      chance[board] = now[player];
    }
  }
};

// Advanced: which side runs out of safe moves first.

struct SafetyWeights {
  int threat = 12;  // a board on which a side needs one mark for a line
  int line = 1;     // a line with one own mark and none of the other side
  int safe = 1;     // an empty cell, on a board without an own threat, that sends the other side to
                    // a board without a threat of the other side
  int half = 40;    // the balance of an estimate of 1/2
};

// Lines of a board with one mark, of X only, minus those with one mark of O only.
inline const std::array<std::int8_t, 19'683> open_line_balance = [] {
  std::array<std::int8_t, 19'683> table{};
  for (unsigned x = 0; x < 512; ++x)
    for (unsigned o = 0; o < 512; ++o)
      if (!(x & o))
        for (unsigned line : lines_3x3) {
          if (!(line & o) && std::popcount(line & x) == 1) ++table[board_number(x, o)];
          if (!(line & x) && std::popcount(line & o) == 1) --table[board_number(x, o)];
        }
  return table;
}();

struct SafetyEvaluation {
  using Place = Node<NestedPosition>;
  struct State {
    std::int8_t line_balance[9]{};
    int lines = 0;
  };
  SafetyWeights weights{};

  State start(const Place& place) const {
    State state;
    for (int board = 0; board < 9; ++board) play(state, place, 9 * board);
    return state;
  }
  void play(State& state, const Place& after, int move) const {
    const int board = move / 9;
    const auto now = open_line_balance[board_number(after.position.boards[0][board],
                                                    after.position.boards[1][board])];
    state.lines += now - state.line_balance[board];
    state.line_balance[board] = now;
  }
  int estimate(const Place& place, const State& state) const {
    return squashed(balance(place, state), weights.half);
  }
  // The balance for the side to move.
  int balance(const Place& place, const State& state) const {
    const int mine = place.position.turn(), theirs = mine ^ 1;
    const int threats = std::popcount(place.one_step[mine]) - std::popcount(place.one_step[theirs]);
    return weights.threat * threats + weights.line * (mine == 0 ? state.lines : -state.lines) +
           weights.safe * (safe_cells(place, mine) - safe_cells(place, theirs));
  }
  // The safe cells of a side, as defined for `SafetyWeights`.
  static int safe_cells(const Place& place, int side) {
    int safe = 0;
    for (int board = 0; board < 9; ++board)
      if (!(place.one_step[side] >> board & 1))
        safe += std::popcount(place.empty(board) & ~place.one_step[side ^ 1]);
    return safe;
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
struct ThreatsEvaluation {
  using Place = Node<RowPosition<Bits>>;
  static constexpr bool is_wide = std::is_same_v<Bits, Wide>;
  struct State {
    std::int32_t of_x = 0;  // on wide boards: the balance of X
  };
  ThreatsWeights weights{};

  State start(const Place& place) const {
    if constexpr (is_wide) return {worth_of(place.position, 0)};
    else return {};
  }
  // A move adds a mark to the lines of its side, and ends those of the other side.
  void play([[maybe_unused]] State& state, [[maybe_unused]] const Place& after,
            [[maybe_unused]] int index) const {
    if constexpr (is_wide) {
      const auto& position = after.position;
      const int mover = position.turn() ^ 1;
      int gain = 0;
      position.rules->lines_through(index, position.marks[mover], position.marks[mover ^ 1],
                                    [&](int own, int others, int, int) {
                                      if (others == 0)
                                        gain += worth_of_line(own, position.rules->k) -
                                                worth_of_line(own - 1, position.rules->k);
                                      else if (own == 1)
                                        gain += worth_of_line(others, position.rules->k);
                                    });
      state.of_x += mover == 0 ? gain : -gain;
    }
  }
  int estimate(const Place& place, const State& state) const {
    const int own = balance(place, state);
    return squashed(place.position.rules->misere ? -own : own, weights.half);
  }

  // The worth of the lines of the side to move minus that of the other side.
  int balance(const Place& place, [[maybe_unused]] const State& state) const {
    const int mine = place.position.turn();
    if constexpr (is_wide) return mine == 0 ? state.of_x : -state.of_x;
    else return worth_of(place.position, mine);
  }

 private:
  // The worth of a line with marks of one side only. More than eight marks are worth no more, and a
  // complete line nothing, since the game is over.
  int worth_of_line(int marks, int k) const {
    if (marks == 0 || marks == k) return 0;
    int worth = 1;
    for (int n = 1; n <= marks && n <= 8; ++n) worth *= weights.growth;
    return worth;
  }
  int worth_of(const RowPosition<Bits>& position, int side) const {
    const Bits &mine = position.marks[side], &theirs = position.marks[side ^ 1];
    return worth(*position.rules, mine, theirs) - worth(*position.rules, theirs, mine);
  }
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
      int each = 1;
      for (int n = 1; n <= 8 && n < rules.k; ++n) {
        each *= weights.growth;
        total += each * count(with[n]);
      }
    }
    return total;
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
struct ZugzwangEvaluation {
  using Place = Node<RowPosition<Bits64>>;
  using State = ThreatsEvaluation<Bits64>::State;
  ThreatsEvaluation<Bits64> lines{};
  ZugzwangWeights weights{};

  State start(const Place& place) const { return lines.start(place); }
  void play(State& state, const Place& after, int index) const { lines.play(state, after, index); }
  int estimate(const Place& place, const State& state) const {
    const int balance = lines.balance(place, state) + weights.zugzwang * winner(place.position);
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
