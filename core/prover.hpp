// Proofs that a side wins a nine-board game that the first line decides.
//
// Depth-first proof-number search, as in `dfpn.hpp`, with four differences that make it faster:
//
//     moves    only safe ones: a move that lets the other side complete a line at once is lost, and
//              a side without a safe move, and without a line to complete, has lost
//     numbers  the first numbers of a position come from its threats, safe cells and lines
//     keys     exact: the marks as a number in base 3, the chosen board in four bits
//     table    small and private, so that it stays in the processor's cache
//
//     key:  [ 100 bits: marks on the cells that were empty at the root, base 3 ][ 4 bits: board ]
//
// No result depends on a hash: two positions never share a key. (Weak proof numbers: Ueda et al.
// 2008; the 1 + epsilon threshold: Pawlewicz and Lew 2007.)
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "memory.hpp"
#include "nested_evaluation.hpp"
#include "search.hpp"

namespace noughts {

// First numbers: log2(number) times `unit`, as a linear function of a position, for the side to
// move. Measured on leaves of the proof of `advanced` from ply 18.
struct FirstNumbers {
  static constexpr int unit = 64;

  struct Line {
    int constant;
    int threats;   // boards where only the side to move threatens, minus those of the other side
    int safe;      // its safe cells minus those of the other side
    int mobility;  // its safe moves
    int lines;     // its lines with one mark minus those of the other side
    int moves;     // log2 of its safe moves

    // The sum without the logarithm.
    int sum(int of_threats, int of_safe, int safe_moves, int of_lines) const {
      return constant + threats * of_threats + safe * of_safe + mobility * safe_moves +
             lines * of_lines;
    }
  };
  Line proof, disproof;
};

// What a side to move knows at once: a win, a loss, or its safe moves.
struct SafeMoves {
  bool wins = false;
  int size = 0;

  SafeMoves(const Node<NestedPosition>& place) {
    const int mine = place.position.turn();
    const unsigned reach = place.position.reach();
    if (place.final_boards(mine) & reach) {
      wins = true;
      return;
    }
    const unsigned danger = place.final_boards(mine ^ 1);
    for (unsigned left = reach; left; left &= left - 1) {
      const int board = std::countr_zero(left);
      size += std::popcount(safe_cells(place, board, danger));
    }
  }

  static unsigned safe_cells(const Node<NestedPosition>& place, int board, unsigned danger) {
    const unsigned all = place.empty(board);
    return danger ? all & ~place.losing_cells(board, danger) : all;
  }
};

class Prover {
 public:
  using Place = Node<NestedPosition>;
  // Most empty cells of a root: 3^63 < 2^100.
  static constexpr int max_empty = 63;
  static constexpr std::uint32_t decided = (1u << 24) - 1;  // infinite

  struct Numbers {
    std::uint32_t proof, disproof;
    bool is_decided() const { return proof == 0 || disproof == 0; }
  };
  struct Tuning {
    std::array<FirstNumbers, 2> first;  // of the attacker, of the defender
    int slack;                          // the threshold is (1 + slack / 16) times the second best
    int other;                          // weight of each other undecided child
  };

  explicit Prover(const Tuning& tuning = standard(), int log2_buckets = 14)
      : tuning_(tuning),
        shift_(64 - log2_buckets),
        table_(std::size_t{1} << log2_buckets),
        places_(new Step[max_steps]) {
    for (int i = 0; i < powers; ++i)
      power_[i] = static_cast<std::uint32_t>(std::exp2(i * (1.0 / steps)));
    for (int side : {0, 1})
      for (int size = 1; size < 82; ++size) {
        const double log2 = std::log2(size);
        of_moves_[side][size] = {static_cast<int>(tuning_.first[side].proof.moves * log2),
                                 static_cast<int>(tuning_.first[side].disproof.moves * log2)};
      }
  }

  // Search until it is proven whether `attacker` (0 is X) wins, or until `control` ends the search;
  // the nodes of its limit are expanded positions. The root is unfinished and has at most
  // `max_empty` empty cells. Without a limit of time the same call always gives the same result.
  Numbers prove(const NestedPosition& root, int attacker, Control& control) {
    attacker_ = attacker;
    if (++age_ == 0) {
      table_.clear();
      age_ = 1;
    }
    Bits128 power(16);
    for (int board = 0; board < 9; ++board)
      for (int cell = 0; cell < 9; ++cell) {
        if (root.occupied(board) >> cell & 1) continue;
        digit_[0][9 * board + cell] = power;
        digit_[1][9 * board + cell] = power + power;
        power = power + power + power;
      }
    expansions_ = 0;
    const Place place(root);
    Step& step = places_[0];
    step.is_known = false;
    step.place = place;
    step.marks = Bits128(0);
    step.counts = counts_of(place);
    const Numbers first = at_first(step);
    move_ = -1;
    step.numbers = first;
    if (first.is_decided()) return first;
    step.key = key_of(step.marks, root.is_forced() ? root.target : NestedPosition::no_target);
    return continue_proof(control);
  }
  // Continue the last search, which ended undecided.
  Numbers continue_proof(Control& control) {
    control_ = &control;
    expansions_ = 0;
    top_ = 1;
    Step& root = places_[0];
    root.numbers = search(root, {decided, decided});
    root.is_known = true;
    return root.numbers;
  }

  std::uint64_t expansions() const { return expansions_; }
  int log2_buckets() const { return 64 - shift_; }
  // The best move at the root of the last search; if that is a win, the move that is proven to win.
  int move() const { return move_; }
  // The line of play of a search that has decided, from the root, as far as the table holds it.
  std::vector<int> line() {
    std::vector<int> line;
    Step* step = &places_[0];
    top_ = 1;
    while (step != nullptr && step->numbers.is_decided()) {
      const bool wins = step->numbers.proof == 0;
      const auto outlook = step->place.outlook();
      if (!outlook.moves) {  // the last moves of a game that a line ends
        if (outlook.move >= 0) line.push_back(outlook.move);
        if (!wins && outlook.move >= 0) {
          Place after = step->place;
          after.play(outlook.move);
          line.push_back(after.outlook().move);
        }
        break;
      }
      Step* const children = &places_[top_];
      const int size = make_children(*step, children);
      const Step* const before = step;
      step = nullptr;
      for (Step* child = children; child != children + size && step == nullptr; ++child)
        if (wins ? child->numbers.disproof == 0 : child->numbers.proof == 0) step = child;
      if (step == nullptr) break;
      line.push_back(step->move);
      if (!step->is_played) play(*before, *step);
      top_ += size;
    }
    return line;
  }

  // Counts of a position for its first numbers, kept up move by move.
  struct Counts {
    std::int16_t safe[2];
    std::int16_t lines;        // lines with one mark, of X minus of O
    std::uint16_t without[9];  // for each cell, the boards on which it is empty

    bool operator==(const Counts&) const = default;
  };
  static Counts counts_of(const Place& place) {
    Counts counts{};
    for (int side : {0, 1})
      counts.safe[side] = static_cast<std::int16_t>(SafetyEvaluation::safe_cells(place, side));
    for (int board = 0; board < 9; ++board) {
      counts.lines = static_cast<std::int16_t>(counts.lines + lines_of(place.position, board));
      for (unsigned cells = place.empty(board); cells; cells &= cells - 1)
        counts.without[std::countr_zero(cells)] |= 1u << board;
    }
    return counts;
  }
  // The counts after a move that leads from one place to another.
  static Counts counts_after(const Place& before, const Counts& counts, const Place& after,
                             int move) {
    const int board = move / 9, cell = move % 9;
    Counts next = counts;
    next.lines = static_cast<std::int16_t>(counts.lines - lines_of(before.position, board) +
                                           lines_of(after.position, board));
    next.without[cell] = static_cast<std::uint16_t>(next.without[cell] & ~(1u << board));
    const unsigned empty = after.empty(board);
    for (int side : {0, 1}) {
      const unsigned own = before.one_step[side], other = before.one_step[side ^ 1],
                     own_now = after.one_step[side], other_now = after.one_step[side ^ 1];
      int safe = counts.safe[side] - !((own >> board | other >> cell) & 1);
      if (own != own_now) {
        const int here = std::popcount(empty & ~other);
        safe += own < own_now ? -here : here;
      }
      if (other != other_now) {
        const int there = std::popcount(next.without[board] & ~own_now);
        safe += other < other_now ? -there : there;
      }
      next.safe[side] = static_cast<std::int16_t>(safe);
    }
    return next;
  }

  static constexpr Tuning standard() {
    return {{{{{129, -140, -15, 14, -8, 48}, {399, 125, 0, -7, -1, 19}},
              {{228, -58, -4, 22, 5, -9}, {212, 34, 2, -6, 3, 83}}}},
            4,
            1};
  }

 private:
  static constexpr int steps = 16;               // of a table of powers of 2
  static constexpr int powers = 20 * steps + 1;  // so that no sum comes near `decided`
  static constexpr int max_steps = 64 * 64;
  static constexpr int slots = 3;

  struct Key {
    std::uint64_t low, high;  // `high` has 40 bits
  };
  struct Step {
    Key key;
    Place place{NestedPosition({true, true, false, false})};
    Bits128 marks;  // the key without the chosen board
    Counts counts;
    std::uint8_t move;
    bool is_known, is_played;  // whether the table has it; whether `play` has completed it
    Numbers numbers;
  };
  struct alignas(64) Bucket {
    std::uint64_t low[slots];
    std::uint64_t high[slots];    // 40 bits of the key, 24 of the proof number
    std::uint32_t rest[slots];    // 24 bits of the disproof number, 6 of the effort
    std::uint8_t age[slots + 1];  // of the search; 0 without an entry
  };
  static_assert(sizeof(Bucket) == 64);
  static constexpr int high_bits = 40, number_bits = 24;
  static constexpr std::uint64_t high_mask = (std::uint64_t{1} << high_bits) - 1;

  static int lines_of(const NestedPosition& position, int board) {
    return open_line_balance[board_number(position.boards[0][board], position.boards[1][board])];
  }

  // The key of a position with these marks, with the chosen board, or `no_target`.
  static Key key_of(const Bits128& marks, unsigned board) {
    const Words<2> words = words_of(marks);
    return {words.word[0] | board, words.word[1]};
  }
  Bucket& bucket(const Key& key) const {
    const std::uint64_t hash = (key.low ^ key.high * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    return table_[(hash ^ hash << 29) >> shift_];
  }

  // Complete a step that has its move, marks and key.
  static void play(const Step& before, Step& step) {
    step.place = before.place;
    step.is_played = true;
    step.place.play(step.move);
    step.counts = counts_after(before.place, before.counts, step.place, step.move);
  }

  // The first numbers, for the side to move.
  Numbers at_first(const Step& step) const {
    const NestedPosition& position = step.place.position;
    const int mine = position.turn(), theirs = mine ^ 1;
    const bool defends = mine != attacker_;
    if (position.outcome != Outcome::going_on)  // a draw, since nobody plays a losing move
      return defends ? Numbers{0, decided} : Numbers{decided, 0};
    const SafeMoves safe(step.place);
    if (safe.wins) return {0, decided};
    if (safe.size == 0) return {decided, 0};
    const unsigned my_threats = step.place.one_step[mine],
                   their_threats = step.place.one_step[theirs];
    const int threats =
        std::popcount(my_threats & ~their_threats) - std::popcount(their_threats & ~my_threats);
    const int balance = step.counts.safe[mine] - step.counts.safe[theirs];
    const int lines = mine == 0 ? step.counts.lines : -step.counts.lines;
    const auto& [proof, disproof] = tuning_.first[defends];
    const auto& of_moves = of_moves_[defends][safe.size];
    const auto number = [&](const FirstNumbers::Line& line, int moves) {
      const int log2 = line.sum(threats, balance, safe.size, lines) + moves;
      return power_[std::clamp(log2 / (FirstNumbers::unit / steps), 0, powers - 1)];
    };
    return {number(proof, of_moves[0]), number(disproof, of_moves[1])};
  }

  bool look_up(Step& step) const {
    const Key& key = step.key;
    const Bucket& at = bucket(key);
    for (int i = 0; i < slots; ++i)
      if (at.low[i] == key.low && (at.high[i] & high_mask) == key.high && at.age[i] == age_) {
        step.numbers = {static_cast<std::uint32_t>(at.high[i] >> high_bits), at.rest[i] & decided};
        return true;
      }
    return false;
  }

  // Replace the entry of the same position, else one of an earlier search, else that of the least
  // effort.
  void store(const Step& step, Numbers numbers, std::uint64_t effort) {
    const Key& key = step.key;
    Bucket& at = bucket(key);
    int place = 0;
    std::uint32_t least = ~0u;
    for (int i = 0; i < slots; ++i) {
      const bool old = at.age[i] != age_;
      if (!old && at.low[i] == key.low && (at.high[i] & high_mask) == key.high) {
        place = i;
        break;
      }
      const std::uint32_t worth = old ? 0 : 1 + (at.rest[i] >> number_bits);
      if (worth < least) least = worth, place = i;
    }
    at.low[place] = key.low;
    at.high[place] = key.high | static_cast<std::uint64_t>(numbers.proof) << high_bits;
    at.rest[place] = numbers.disproof | static_cast<std::uint32_t>(std::bit_width(effort))
                                            << number_bits;
    at.age[place] = age_;
  }

  // Make the steps after the safe moves, with their numbers; return how many.
  int make_children(const Step& step, Step* children) const {
    int size = 0;
    const NestedPosition& position = step.place.position;
    const unsigned danger = step.place.final_boards(position.turn() ^ 1);
    for (unsigned left = position.reach(); left; left &= left - 1) {
      const int board = std::countr_zero(left);
      const bool closes = std::has_single_bit(step.place.empty(board));
      const unsigned closed = position.closed | static_cast<unsigned>(closes) << board;
      for (unsigned cells = SafeMoves::safe_cells(step.place, board, danger); cells;
           cells &= cells - 1) {
        const int cell = std::countr_zero(cells);
        Step& child = children[size++];
        child.move = static_cast<std::uint8_t>(9 * board + cell);
        child.marks = step.marks + digit_[position.turn()][child.move];
        child.key = key_of(child.marks, closed >> cell & 1 ? NestedPosition::no_target : cell);
        prefetch(&bucket(child.key));
      }
    }
    for (Step* child = children; child != children + size; ++child) {
      child->is_known = look_up(*child);
      child->is_played = false;
      if (child->is_known) continue;
      play(step, *child);
      child->numbers = at_first(*child);
    }
    return size;
  }

  // Search an undecided position until one of its proof numbers reaches its limit.
  Numbers search(const Step& step, Numbers limit) {
    const std::uint64_t before = expansions_;
    expansions_ += !step.is_known;
    Step* const children = &places_[top_];
    const int size = make_children(step, children);
    top_ += size;
    Numbers numbers;
    for (;;) {
      Step* best = children;
      std::uint32_t first = decided, second = decided, most = 0, undecided = 0;
      for (Step* child = children; child != children + size; ++child) {
        most = std::max(most, child->numbers.proof);
        undecided += child->numbers.proof != 0;
        if (child->numbers.disproof < first) {
          second = first;
          first = child->numbers.disproof;
          best = child;
        } else {
          second = std::min(second, child->numbers.disproof);
        }
      }
      const std::uint32_t others = undecided > 0 ? tuning_.other * (undecided - 1) : 0;
      numbers.proof = first;
      numbers.disproof = first == 0  ? decided
                         : most == 0 ? 0
                                     : std::min(most + others, decided - 1);
      move_ = best->move;
      if (control_->must_stop(expansions_) || numbers.is_decided() ||
          numbers.proof >= limit.proof || numbers.disproof >= limit.disproof)
        break;
      const Numbers below = {limit.disproof - others,
                             std::min(limit.proof, second + second * tuning_.slack / 16 + 1)};
      if (!best->is_played) play(step, *best);
      best->numbers = search(*best, below);
      best->is_known = true;
    }
    top_ -= size;
    store(step, numbers, expansions_ - before);
    return numbers;
  }

  Tuning tuning_;
  int shift_;
  ZeroedArray<Bucket> table_;
  std::unique_ptr<Step[]> places_;
  int top_ = 0;
  std::array<std::uint32_t, powers> power_{};
  std::array<std::array<std::array<int, 2>, 82>, 2> of_moves_{};
  std::array<std::array<Bits128, 81>, 2> digit_{};
  Control* control_ = nullptr;
  std::uint64_t expansions_ = 0;
  std::uint8_t age_ = 0;
  int attacker_ = 0, move_ = -1;
};

}  // namespace noughts
