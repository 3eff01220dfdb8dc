// Exact values, without distances, of games with gravity that Connect4Solver does not know: lines
// of any length, and boards of up to 128 bits.
//
// Two boolean questions decide a value: does the side to move win, and does it at least draw? A
// node, seen by that side:
//
//     mine, theirs   the marks
//     threats        the empty cells that complete a line of the opponent
//     replies        the moves that do not lose at once; never empty
//
// The side to move has no immediate win: the replies of its opponent exclude that.
//
// The table keeps 53 bits of a 64-bit hash and selects the bucket by all 64. No keys are exact.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "bits.hpp"
#include "hash_table.hpp"
#include "row.hpp"
#include "search.hpp"

namespace noughts {

template <class Bits>
class GravitySolver {
 public:
  static constexpr bool finds_distances = false;
  // Alpha-beta finds distances, and plays as well.
  static constexpr bool only_weakly = true;
  static constexpr int share = 0;

  GravitySolver(const RowRules<Bits>& rules, std::size_t table_mib)
      : rules_(rules), table_(table_mib << 20) {
    for (int height = rules.rows & 1; height < rules.rows; height += 2)
      claim_ |= rules.bottom << height;
    for (int cell = 0; cell < rules.size(); ++cell)
      rules.lines_through(rules.bit_of(cell), Bits{}, Bits{},
                          [&](int, int, int, int) { ++lines_[rules.bit_of(cell)]; });
  }

  void clear() { table_.clear(); }

  // The value for the side to move of a game in progress: a win scores `sure`, a loss -`sure`. If
  // stopped, the bounds hold.
  Finding solve(const RowPosition<Bits>& position, Control& control) {
    control_ = &control;
    nodes_ = 0;
    best_ = -1;
    const int ply = position.ply;
    Finding finding;
    finding.lower = ply + 2 - win;
    finding.upper = win - ply - 1;
    const Bits mine = position.marks[position.turn()], theirs = position.marks[1 - position.turn()];
    const Bits possible = position.landings();
    const Bits wins = rules_.completing(mine) & possible;
    const Bits threats = rules_.completing(theirs) & ~(mine | theirs);
    const Bits forced = threats & possible;
    const Bits replies = (forced ? forced : possible) & ~(threats >> 1);
    int move = lowest(wins ? wins : forced ? forced : possible);
    if (wins) {
      finding.lower = finding.upper;
    } else if (!replies || forced & (forced - 1)) {
      finding.upper = finding.lower;
    } else {
      const Node root{mine, theirs, threats, replies, rules_.size() - ply};
      move = lowest(replies);
      for (const bool winning : {true, false}) {
        level_ = 0;
        const bool reached = reaches(root, winning);
        if (control.stopped()) break;
        if (reached && best_ >= 0) move = best_;
        if (winning) (reached ? finding.lower : finding.upper) = reached ? sure : 0;
        else (reached ? finding.lower : finding.upper) = reached ? 0 : -sure;
        if (reached) break;
      }
    }
    finding.score = std::clamp(0, finding.lower, finding.upper);
    finding.exact = finding.lower > 0 || finding.upper < 0 || finding.lower == finding.upper;
    finding.move = move / rules_.stride;
    finding.pv = {finding.move};
    finding.nodes = std::max<std::uint64_t>(nodes_, 1);
    finding.seconds = control.seconds();
    return finding;
  }

 private:
  static constexpr int max_cells = 8 * sizeof(Bits), max_columns = max_cells / 2;
  static constexpr int looked_up_from = 10;  // empty cells; with fewer, a search costs as little
  static constexpr int mirrored_from = 12;   // empty cells

  struct Node {
    Bits mine, theirs, threats, replies;
    int left;  // empty cells
    std::uint64_t hash = 0;
  };
  enum class Known { nothing, yes, no };

  // The same hash for a position and its mirror image. A key is unique, as in Connect4Solver.
  std::uint64_t hash(const Bits& mine, const Bits& theirs, int left) const {
    const Bits key = mine + (mine | theirs);
    if (left < mirrored_from) return mixed(hashed(key));
    const Bits column = bit<Bits>(rules_.stride) - 1;
    Bits mirror{};
    Bits rest = key;
    for (int i = 0; i < rules_.columns; ++i) {
      mirror = mirror << rules_.stride | (rest & column);
      rest = rest >> rules_.stride;
    }
    return mixed(std::min(hashed(key), hashed(mirror)));
  }

  Known probe(std::uint64_t hash, bool winning) {
    Known known = Known::nothing;
    table_.find(hash, [&](std::uint64_t result) {
      // A win is more than a draw, and no draw less than no win.
      if (result & (winning ? 1 : 5)) known = Known::yes;
      else if (result & (winning ? 10 : 8)) known = Known::no;
      return true;
    });
    return known;
  }

  // Replace the entry of the same position, else the one with the fewest empty cells.
  void store(std::uint64_t hash, int left, bool winning, bool reached) {
    const std::uint64_t flag = winning ? (reached ? 1 : 2) : (reached ? 4 : 8);
    table_.store(
        hash, [](std::uint64_t) { return true; }, [](std::uint64_t old) { return old >> 4; },
        [&](std::uint64_t old) {
          return static_cast<std::uint64_t>(left) << 4 | (old & 15) | flag;
        });
  }

  // Whether the side to move wins, or, if not `winning`, at least draws.
  bool reaches(const Node& node, bool winning) {
    if (control_->must_stop(++nodes_)) return false;
    if (node.left <= 2) return !winning;
    const Bits mask = node.mine | node.theirs, empty = rules_.cells & ~mask;
    const Bits feet = mask + rules_.bottom;
    if (level_ && winning) {
      // "Follow-up" (Allis 1988): the opponent always plays directly above the other's move, or on
      // the foot of another column with an odd number of empty cells.
      const Bits reachable = node.left & 1 ? empty : empty & (claim_ | feet);
      if (!rules_.has_line(node.mine | reachable)) return false;
    }
    if (level_ && !winning && !rules_.has_line(node.theirs | empty)) return true;
    const std::uint64_t here = level_ ? node.hash : hash(node.mine, node.theirs, node.left);
    if (level_) {
      const Known known = probe(here, winning);
      if (known != Known::nothing) return known == Known::yes;
    }

    std::array<Node, max_columns> children;
    std::array<int, max_columns> worth, order;
    int size = 0;
    for (Bits rest = node.replies; rest; rest &= rest - 1) {
      const int index = lowest(rest);
      const Bits move = bit<Bits>(index);
      const Bits after = node.mine | move, taken = mask | move;
      const Bits made = rules_.completing(after) & ~taken;
      const Bits next = (taken + rules_.bottom) & rules_.cells;
      const Bits forced = next & made;
      const Bits replies = (forced ? forced : next) & ~(made >> 1);
      if (!replies || forced & (forced - 1)) {
        best_ = index;
        return true;
      }
      const int place = size;
      children[place] = {node.theirs, after, made, replies, node.left - 1};
      worth[place] = 32 * count(made) - (forced ? 16 : 0) + lines_[index];
      int at = size++;
      for (; at > 0 && worth[order[at - 1]] < worth[place]; --at) order[at] = order[at - 1];
      order[at] = place;
    }
    int unknown = 0;
    for (int i = 0; i < size; ++i) {
      Node& child = children[order[i]];
      child.hash = hash(child.mine, child.theirs, child.left);
      if (node.left >= looked_up_from) {
        const Known known = probe(child.hash, !winning);
        if (known == Known::no) {
          best_ = lowest((child.mine | child.theirs) & ~mask);
          return true;
        }
        if (known == Known::yes) continue;
      }
      order[unknown++] = order[i];
    }
    bool reached = false;
    ++level_;
    for (int i = 0; i < unknown && !reached; ++i) {
      const Node& child = children[order[i]];
      reached = !reaches(child, !winning);
      if (control_->stopped()) break;
      if (reached) best_ = lowest((child.mine | child.theirs) & ~mask);
    }
    --level_;
    if (control_->stopped()) return false;
    store(here, node.left, winning, reached);
    return reached;
  }

  RowRules<Bits> rules_;
  // empty cells 7 bits | wins, does not win, draws, does not draw: one bit each
  HashTable<11> table_;
  Bits claim_{};                        // the cells of the side to move if its opponent follows up
  std::array<int, max_cells> lines_{};  // through a cell
  Control* control_ = nullptr;
  std::uint64_t nodes_ = 0;
  int level_ = 0;  // plies below the root
  int best_ = -1;  // bit of the move that decided the last node
};

}  // namespace noughts
