// Positions of the nine-board games in a proof search: results known at once, and first numbers.
//
//     rules      an immediate win; no move but those that let the other side win at once
//     counting   a side that can win no line of boards, nor more boards than the other, cannot win
//     numbers    linear functions of the logarithms of expected lines, moves and cells, tuned on
//                well-played positions of plies 36 to 40; in `advanced`, those of its prover
//
// The first two decide a position before it is entered.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "nested_evaluation.hpp"
#include "prover.hpp"
#include "search.hpp"

namespace noughts {

// Proof numbers below `infinite_proof`, which means infinite.
struct ProofNumbers {
  static constexpr std::uint32_t infinite_proof = (1u << 27) - 1;

  std::uint32_t proof, disproof;
  bool is_decided() const { return proof == 0 || disproof == 0; }

  static constexpr ProofNumbers proven() { return {0, infinite_proof}; }
  static constexpr ProofNumbers disproven() { return {infinite_proof, 0}; }
};

// The question: does `attacker` (0 is X) win by `last_ply`?
struct ProofGoal {
  int attacker = 0, last_ply = 0;
};

// Weights of the features of a position, for the side to move. A feature is 16 for each unit of
// log2, or for each board; 256 times its weight is its part of 16 log2(number).
struct NestedFeatures {
  enum Feature {
    constant,
    my_lines,     // log2 of 1/16 and the expected lines of boards of the side to move
    their_lines,  // the same of the other side
    boards,       // expected boards of the side to move minus those of the other side
    choice,       // free choice of the board
    log_moves,    // log2 of the moves that do not lose at once
    moves,        // their number, not times 16
    winnable,     // boards open to the move that one mark wins
    my_steps,     // all boards that the side to move can win with one mark
    their_steps,  // the same of the other side
    my_finals,    // boards where one mark of the side to move wins the game
    their_finals,
    open_boards,
    log_cells,  // log2 of the empty cells of open boards
    size
  };
  using Values = std::array<int, size>;
};

struct NestedTuning {
  using Weights = std::array<std::int16_t, NestedFeatures::size>;
  struct Side {
    Weights proof, disproof;
  };
  Side attacker, defender;
};

inline constexpr NestedTuning tuned_for_draws = {
    {{-524, -395, -168, -377, 275, 34, -38, 331, -103, 12, -184, 94, 221, 72},
     {127, 183, -98, 73, 115, 172, 6, -57, 71, 26, -62, -45, -1, 104}},
    {{-1442, 219, 122, 503, -94, 46, 16, 69, -62, -97, 204, 173, -192, -408},
     {555, 293, -114, 25, -150, 440, 3, -47, 74, -45, 109, 201, 37, 306}}};
inline constexpr NestedTuning tuned_for_boards = {
    {{613, 50, 223, -87, 239, -169, 15, 201, -41, -130, -97, -62, -53, -47},
     {256, 68, -78, 101, 17, 220, -28, 0, 18, 107, 138, -39, 30, 0}},
    {{-1586, -66, 99, 131, 96, -111, -7, -76, -34, -76, -33, 85, -39, -241},
     {-232, -30, -94, 223, 20, 286, -17, -38, -25, 1, 106, 24, 152, 32}}};

// Powers of two, and logarithms, in 16ths.
struct ProofLogarithms {
  static constexpr int steps = 16, powers = 20 * steps + 1;
  static constexpr int parts = 512;  // of an expected line of boards

  std::array<std::uint32_t, powers> power{};
  std::array<std::int16_t, 82> of{};                // of 1 to 81
  std::array<std::int16_t, 8 * parts + 1> lines{};  // of 1/16 and n / 512

  ProofLogarithms() {
    for (int i = 0; i < powers; ++i)
      power[i] = static_cast<std::uint32_t>(std::exp2(i * (1.0 / steps)));
    for (int i = 1; i < 82; ++i) of[i] = rounded(i);
    for (int i = 0; i <= 8 * parts; ++i) lines[i] = rounded(1.0 / 16 + i * (1.0 / parts));
  }

 private:
  static std::int16_t rounded(double number) {
    return static_cast<std::int16_t>(std::lround(steps * std::log2(number)));
  }
};
inline const ProofLogarithms proof_logarithms;

template <class Position>
class ProofPlace;

template <>
class ProofPlace<NestedPosition> {
 public:
  static constexpr int max_moves = 81, last_ply = 81;

  explicit ProofPlace(const NestedPosition& position) : place_(position) {
    if (position.rules.one_line) return;
    for (int board = 0; board < 9; ++board) update(board);
  }

  const NestedPosition& position() const { return place_.position; }

  void play(int move) {
    place_.play(move);
    if (!position().rules.one_line) update(move / 9);
  }

  // The moves that need a search: without those that let the other side win at once, if that is by
  // the last ply. Every move if all do, or if one wins.
  void moves(const ProofGoal& goal, MoveList& list) const {
    const unsigned danger = danger_of(goal);
    if (danger && !(place_.final_boards(position().turn()) & position().reach())) {
      list.size = 0;
      for (unsigned left = position().reach(); left; left &= left - 1) {
        const int board = std::countr_zero(left);
        for (unsigned cells = safe(board, danger); cells; cells &= cells - 1)
          list.add(9 * board + std::countr_zero(cells));
      }
      if (list.size) return;
    }
    position().moves(list);
  }

  // The proof numbers of a new position, for its side to move.
  ProofNumbers at_first(const ProofGoal& goal) const {
    const NestedPosition& position = place_.position;
    const int mine = position.turn();
    const bool attacks = mine == goal.attacker;
    const auto answer = [&](bool wins) {
      return wins == attacks ? ProofNumbers::proven() : ProofNumbers::disproven();
    };
    if (position.outcome != Outcome::going_on)
      return answer(position.outcome == (goal.attacker == 0 ? Outcome::x_wins : Outcome::o_wins));
    if (position.ply >= goal.last_ply) return answer(false);
    if (place_.final_boards(mine) & position.reach()) return ProofNumbers::proven();
    const unsigned danger = danger_of(goal);
    int size = 0;
    if (danger) {
      for (unsigned left = position.reach(); left; left &= left - 1) {
        const int board = std::countr_zero(left);
        size += std::popcount(safe(board, danger));
      }
      if (size == 0) return ProofNumbers::disproven();
    } else {
      size = position.count_moves();
    }
    if (!can_win(goal.attacker)) return answer(false);
    if (goal.last_ply == last_ply && has_won(goal.attacker)) return answer(true);
    return estimated(attacks, size);
  }

  // Whether a side may still win the game, by a line of boards or by their number.
  bool can_win(int side) const {
    const NestedRules& rules = position().rules;
    if (rules.one_line || lines_[side] != 0) return true;
    return rules.count_boards && max_boards(side) > std::popcount(position().won[side ^ 1]);
  }

  // Whether a side has won enough boards, in an unfinished game: the other side can no longer
  // complete a line, nor win as many boards.
  bool has_won(int side) const {
    const NestedRules& rules = position().rules;
    if (!rules.count_boards || rules.one_line || lines_[side ^ 1] != 0) return false;
    return max_boards(side ^ 1) < std::popcount(position().won[side]);
  }

 private:
  // The boards that a side has or may still win.
  int max_boards(int side) const {
    int most = 0;
    for (const int chance : chance_[side]) most += chance > 0;
    return most;
  }

  // The boards on which the other side wins at once, if that counts.
  unsigned danger_of(const ProofGoal& goal) const {
    const bool counts = position().turn() == goal.attacker || position().ply + 2 <= goal.last_ply;
    return counts ? place_.final_boards(position().turn() ^ 1) : 0;
  }
  unsigned safe(int board, unsigned danger) const {
    return place_.empty(board) & ~place_.losing_cells(board, danger);
  }

  ProofNumbers estimated(bool attacks, int size) const {
    const NestedRules& rules = position().rules;
    if (rules.one_line) return by_safety(attacks, size);
    const NestedTuning& tuning = rules.count_boards ? tuned_for_boards : tuned_for_draws;
    const auto& side = attacks ? tuning.attacker : tuning.defender;
    const NestedFeatures::Values values = features(size);
    const auto number = [&](const NestedTuning::Weights& weights) {
      int sum = 0;
      for (int i = 0; i < NestedFeatures::size; ++i) sum += weights[i] * values[i];
      return proof_logarithms.power[std::clamp(sum >> 8, 0, ProofLogarithms::powers - 1)];
    };
    return {number(side.proof), number(side.disproof)};
  }

  // The first numbers of the prover of `advanced`.
  ProofNumbers by_safety(bool attacks, int size) const {
    static constexpr Prover::Tuning tuning = Prover::standard();
    const NestedPosition& position = place_.position;
    const int mine = position.turn(), theirs = mine ^ 1;
    const auto& one_step = place_.one_step;
    const int threats = std::popcount(static_cast<unsigned>(one_step[mine] & ~one_step[theirs])) -
                        std::popcount(static_cast<unsigned>(one_step[theirs] & ~one_step[mine]));
    const int safe =
        SafetyEvaluation::safe_cells(place_, mine) - SafetyEvaluation::safe_cells(place_, theirs);
    int lines = 0;
    for (int board = 0; board < 9; ++board)
      lines +=
          open_line_balance[board_number(position.boards[0][board], position.boards[1][board])];
    if (mine == 1) lines = -lines;
    const auto number = [&](const FirstNumbers::Line& line) {
      const int log2 = line.sum(threats, safe, size, lines) +
                       line.moves * proof_logarithms.of[size] / ProofLogarithms::steps;
      constexpr int scale = FirstNumbers::unit / ProofLogarithms::steps;
      return proof_logarithms.power[std::clamp(log2 / scale, 0, ProofLogarithms::powers - 1)];
    };
    const auto& [proof, disproof] = tuning.first[!attacks];
    return {number(proof), number(disproof)};
  }

  NestedFeatures::Values features(int size) const {
    constexpr int unit = ProofLogarithms::steps;
    const NestedPosition& position = place_.position;
    const int mine = position.turn(), theirs = mine ^ 1;
    const auto& one_step = place_.one_step;
    const unsigned open = board_mask & ~position.closed;
    const auto lines = [&](int side) {
      return proof_logarithms.lines[lines_[side] / (cube / ProofLogarithms::parts)];
    };
    NestedFeatures::Values values;
    values[NestedFeatures::constant] = unit;
    values[NestedFeatures::my_lines] = lines(mine);
    values[NestedFeatures::their_lines] = lines(theirs);
    values[NestedFeatures::boards] = (boards_[mine] - boards_[theirs]) / (1024 / unit);
    values[NestedFeatures::choice] = position.is_forced() ? 0 : unit;
    values[NestedFeatures::log_moves] = proof_logarithms.of[size];
    values[NestedFeatures::moves] = size;
    values[NestedFeatures::winnable] = unit * std::popcount(one_step[mine] & position.reach());
    values[NestedFeatures::my_steps] = unit * std::popcount(one_step[mine]);
    values[NestedFeatures::their_steps] = unit * std::popcount(one_step[theirs]);
    values[NestedFeatures::my_finals] = unit * std::popcount(place_.final_boards(mine));
    values[NestedFeatures::their_finals] = unit * std::popcount(place_.final_boards(theirs));
    values[NestedFeatures::open_boards] = unit * std::popcount(open);
    values[NestedFeatures::log_cells] = proof_logarithms.of[std::max(place_.plies_left(), 1)];
    return values;
  }

  // Keep the chances of one board, and the expected boards and lines of boards.
  void update(int board) {
    const NestedPosition& position = place_.position;
    const Chances now = chances_of(position, board);
    for (int side = 0; side < 2; ++side) {
      auto& chance = chance_[side];
      const int change = now[side] - chance[board];
      if (change == 0) continue;
      std::int64_t pairs = 0;
      for (int i = 0; i < lines_through[board].size; ++i) {
        const auto [a, b] = lines_through[board].pair[i];
        pairs += chance[a] * chance[b];
      }
      boards_[side] += change;
      lines_[side] += change * pairs;
      chance[board] = now[side];
    }
  }

  static constexpr std::int64_t cube = 1 << 30;  // 1024 cubed

  Node<NestedPosition> place_;
  // Of the games that need a line of boards:
  std::int16_t chance_[2][9]{};  // in 1024ths, as in `board_chances`
  std::int32_t boards_[2]{};     // expected boards, in 1024ths
  std::int64_t lines_[2]{};      // expected lines of boards, in 1024ths cubed
};

}  // namespace noughts
