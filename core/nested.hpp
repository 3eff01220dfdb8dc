// The nine-board games: advanced and ultimate tic-tac-toe.
//
// Nine 3x3 boards form a 3x3 square; cell c of board b is move 9 * b + c, as in Python:
//
//      0  1  2 |  9 10 11 | 18 19 20      boards[player][b]   nine bits, bit c
//      3  4  5 | 12 13 14 | 21 22 23      won[player]         nine bits, bit b
//      6  7  8 | 15 16 17 | 24 25 26      closed              boards without legal moves
//     ---------+----------+---------      target              the board that the last move chose
//     27 28 29 | 36 37 38 | 45 46 47
//      ...     |  ...     |  ...
#pragma once

#include "bits.hpp"
#include "position.hpp"

namespace noughts {

struct NestedRules {
  bool one_line;      // the first line on any board wins; else three won boards in line
  bool free_choice;   // after a closed target any open board may be chosen; else the game is drawn
  bool won_closed;    // a won board is closed; else only a full one
  bool count_boards;  // without a line, more won boards win

  bool operator==(const NestedRules&) const = default;
};

struct NestedPosition {
  using Rules = NestedRules;
  static constexpr int no_target = 9;

  NestedRules rules;
  std::uint16_t boards[2][9]{};
  std::uint16_t won[2]{};
  std::uint16_t closed = 0;
  std::uint8_t target = no_target;
  std::uint8_t ply = 0;
  Outcome outcome = Outcome::going_on;

  explicit NestedPosition(NestedRules r) : rules(r) {}
  bool operator==(const NestedPosition&) const = default;

  int turn() const { return ply & 1; }
  unsigned occupied(int board) const { return boards[0][board] | boards[1][board]; }
  bool is_forced() const { return target != no_target && !(closed >> target & 1); }
  // The boards open to the next move, nine bits.
  unsigned reach() const { return is_forced() ? 1u << target : board_mask & ~closed; }

  int count_moves() const {
    if (outcome != Outcome::going_on) return 0;
    if (is_forced()) return 9 - std::popcount(occupied(target));
    int total = 0;
    for (unsigned left = board_mask & ~closed; left; left &= left - 1)
      total += 9 - std::popcount(occupied(std::countr_zero(left)));
    return total;
  }

  // Count the replies to all moves. Most moves only choose the next board, and are not played here.
  int count_replies() const {
    if (outcome != Outcome::going_on) return 0;
    int empty_cells[9], open_cells = 0, total = 0;
    for (int board = 0; board < 9; ++board) {
      empty_cells[board] = 9 - std::popcount(occupied(board));
      if (!(closed >> board & 1)) open_cells += empty_cells[board];
    }
    for (unsigned left = reach(); left; left &= left - 1) {
      const int board = std::countr_zero(left);
      const unsigned empty = board_mask & ~occupied(board);
      unsigned made =
          completing_3x3[boards[turn()][board]] & empty;  // these change the state of boards
      if (empty_cells[board] == 1) made = empty;
      if (!rules.free_choice) made |= empty & closed;
      for (unsigned cells = empty & ~made; cells; cells &= cells - 1) {
        const int chosen = std::countr_zero(cells);
        total += closed >> chosen & 1 ? open_cells - 1 : empty_cells[chosen] - (chosen == board);
      }
      for (unsigned cells = made; cells; cells &= cells - 1) {
        NestedPosition after = *this;
        after.play(9 * board + std::countr_zero(cells));
        total += after.count_moves();
      }
    }
    return total;
  }

  void moves(MoveList& list) const {
    list.size = 0;
    if (outcome != Outcome::going_on) return;
    for (unsigned left = reach(); left; left &= left - 1) {
      const int board = std::countr_zero(left);
      for (unsigned empty = board_mask & ~occupied(board); empty; empty &= empty - 1)
        list.add(9 * board + std::countr_zero(empty));
    }
  }

  void play(int move) {
    const int board = move / 9, cell = move % 9, player = turn();
    const unsigned here = 1u << board;
    auto& mine = boards[player][board];
    mine |= 1u << cell;
    if (has_line_3x3[mine] && !((won[0] | won[1]) & here)) {
      won[player] |= here;
      if (rules.won_closed) closed |= here;
      if (rules.one_line || has_line_3x3[won[player]])
        outcome = player == 0 ? Outcome::x_wins : Outcome::o_wins;
    }
    if (occupied(board) == board_mask) closed |= here;
    target = cell;
    ++ply;
    if (outcome == Outcome::going_on) outcome = result_without_line();
  }

  std::uint64_t hash() const;

  // Derive `closed` and `outcome` from the marks, the won boards and the target.
  void settle() {
    closed = rules.won_closed ? won[0] | won[1] : 0;
    for (int board = 0; board < 9; ++board)
      if (occupied(board) == board_mask) closed |= 1u << board;
    for (int player : {0, 1})
      if (rules.one_line ? won[player] != 0 : has_line_3x3[won[player]])
        outcome = player == 0 ? Outcome::x_wins : Outcome::o_wins;
    if (outcome == Outcome::going_on && target != no_target) outcome = result_without_line();
  }

 private:
  Outcome result_without_line() const {
    if (closed != board_mask)
      return rules.free_choice || !(closed >> target & 1) ? Outcome::going_on : Outcome::draw;
    const int balance = std::popcount(won[0]) - std::popcount(won[1]);
    if (!rules.count_boards || balance == 0) return Outcome::draw;
    return balance > 0 ? Outcome::x_wins : Outcome::o_wins;
  }
};

// 18 bits a board, three boards to a word. No move changes a closed board: only its owner counts.
// All closed targets hash alike: the choice is free. The side to move is not told by the marks
// then.
inline std::uint64_t NestedPosition::hash() const {
  constexpr std::uint64_t all = (1 << 18) - 1;  // of a closed board; no open board is filled so
  std::uint64_t hash =
      mixed((is_forced() ? target : no_target) | won[0] << 4 | won[1] << 13 | turn() << 22);
  for (int first = 0; first < 9; first += 3) {
    std::uint64_t word = 0;
    for (int board = first; board < first + 3; ++board)
      word = word << 18 | (closed >> board & 1 ? all
                                               : static_cast<std::uint64_t>(boards[0][board]) << 9 |
                                                     boards[1][board]);
    hash = mixed(hash ^ word);
  }
  return hash;
}

}  // namespace noughts
