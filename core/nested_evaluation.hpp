// Nodes of the nine-board games, and their hand-written evaluations. The tunable numbers are in the
// ...Weights structs.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "nested.hpp"
#include "outlook.hpp"

namespace noughts {

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
inline std::array<Chances, 19'683> made_chances() {
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
}
// Not in a lambda, which the compiler would run: seconds in place of milliseconds.
inline const auto board_chances = made_chances();

// The chances of a board of a position. A chance is 0 only where the side cannot win the board.
inline Chances chances_of(const NestedPosition& position, int board) {
  if (position.won[0] >> board & 1) return {1024, 0};
  if (position.won[1] >> board & 1) return {0, 1024};
  return board_chances[board_number(position.boards[0][board], position.boards[1][board])];
}

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
    const Chances now = chances_of(position, board);
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
inline std::array<std::int8_t, 19'683> made_open_line_balance() {
  std::array<std::int8_t, 19'683> table{};
  for (unsigned x = 0; x < 512; ++x)
    for (unsigned o = 0; o < 512; ++o)
      if (!(x & o))
        for (unsigned line : lines_3x3) {
          if (!(line & o) && std::popcount(line & x) == 1) ++table[board_number(x, o)];
          if (!(line & x) && std::popcount(line & o) == 1) --table[board_number(x, o)];
        }
  return table;
}
inline const auto open_line_balance = made_open_line_balance();

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

}  // namespace noughts
