// The moves of a strategy: those of the side that wins, the attacker, as the bytes of a
// certificate.
//
//     attacker's node   one move, unless a line can be completed at once
//     defender's node   every safe reply; of replies that are images of each other, the first
//     leaf              a position of the attacker from the ply `cut` on
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "prover.hpp"

namespace noughts {

// The replies that a strategy must answer: the safe ones, ascending, without those that a symmetry
// of the position maps to an earlier one. After any other reply a line can be completed at once, or
// the game continues as an image of one after a reply of the list.
inline MoveList replies_to_answer(const Node<NestedPosition>& place) {
  bool keeps[symmetries];
  for (int symmetry = 1; symmetry < symmetries; ++symmetry)
    keeps[symmetry] = place.is_kept_by(symmetry);
  MoveList list;
  const unsigned danger = place.final_boards(place.position.turn() ^ 1);
  for (unsigned left = place.position.reach(); left; left &= left - 1) {
    const int board = std::countr_zero(left);
    for (unsigned cells = SafeMoves::safe_cells(place, board, danger); cells; cells &= cells - 1) {
      const int move = 9 * board + std::countr_zero(cells);
      bool is_first = true;
      for (int symmetry = 1; symmetry < symmetries; ++symmetry)
        is_first = is_first && !(keeps[symmetry] && place.image(move, symmetry) < move);
      if (is_first) list.add(move);
    }
  }
  return list;
}

// A move of a strategy in one byte: the cell if the board is given, else 9 more than the move.
inline char code_of(const NestedPosition& position, int move) {
  return static_cast<char>(position.is_forced() ? move % 9 : 9 + move);
}
// The move of a code; -1 if it is not legal.
inline int move_of(const NestedPosition& position, char code) {
  const int number = static_cast<unsigned char>(code);
  if (position.is_forced() != (number < 9) || number >= 90) return -1;
  const int move = number < 9 ? 9 * position.target + number : number - 9;
  MoveList legal;
  position.moves(legal);
  return std::find(legal.begin(), legal.end(), move) == legal.end() ? -1 : move;
}

// Reads a strategy for `attacker` whose codes reach to the ply `cut`, and writes the part before
// another ply. Nodes from the cut on, and those where a line can be completed at once, have no
// code.
class StrategyReader {
 public:
  StrategyReader(std::string_view codes, int attacker, int cut)
      : codes_(codes), attacker_(attacker), cut_(cut) {}

  // Return the codes of nodes before the ply `shorter`; none if a code is illegal or missing, or
  // codes are left.
  std::optional<std::string> part(const NestedPosition& root, int shorter) {
    if (!read(root, shorter)) return {};
    return part_;
  }
  // Return the moves from the root to leaves, whose numbers ascend; none if the codes are no
  // strategy. The leaves have the ply of the cut.
  std::optional<std::vector<std::string>> paths(const NestedPosition& root,
                                                const std::vector<std::size_t>& leaves) {
    wanted_ = leaves;
    if (!read(root, cut_)) return {};
    return paths_;
  }
  // Return the number of codes of each ply; none if the codes are no strategy.
  std::optional<std::vector<std::size_t>> counts(const NestedPosition& root) {
    if (!read(root, cut_)) return {};
    return counts_;
  }
  // Return the numbers of codes at and below each node with a code; none if the codes are no
  // strategy.
  std::optional<std::vector<std::uint32_t>> sizes(const NestedPosition& root) {
    sizes_.assign(codes_.size(), 0);
    wanted_.clear();
    if (!read(root, 0)) return {};
    return std::move(sizes_);
  }
  // Where the reading ended, and the leaves of the part.
  std::size_t at() const { return at_; }
  std::size_t leaves() const { return leaves_; }

 private:
  bool read(const NestedPosition& root, int shorter) {
    at_ = leaves_ = 0;
    part_.clear();
    paths_.clear();
    path_.clear();
    counts_.assign(81, 0);
    shorter_ = std::max<int>(shorter, root.ply);  // a root behind the ply is a leaf
    return visit(Node<NestedPosition>(root)) && at_ == codes_.size();
  }

  bool visit_after(const Node<NestedPosition>& place, int move) {
    Node<NestedPosition> after = place;
    after.play(move);
    path_.push_back(static_cast<char>(move));
    const bool is_read = visit(after);
    path_.pop_back();
    return is_read;
  }

  bool visit(const Node<NestedPosition>& place) {
    const NestedPosition& position = place.position;
    if (position.turn() == attacker_) {
      if (position.outcome != Outcome::going_on) return false;  // a draw
      if (SafeMoves(place).wins) return true;
      // The attacker has every other ply.
      if (position.ply == shorter_ || position.ply == shorter_ + 1) {
        if (paths_.size() < wanted_.size() && wanted_[paths_.size()] == leaves_)
          paths_.push_back(path_);
        ++leaves_;
      }
      if (position.ply >= cut_) return true;
      if (at_ == codes_.size()) return false;
      const int move = move_of(position, codes_[at_]);
      if (move < 0) return false;
      if (position.ply < shorter_) part_.push_back(codes_[at_]);
      ++counts_[position.ply];
      const std::size_t here = at_++;
      const bool is_read = visit_after(place, move);
      if (here < sizes_.size()) sizes_[here] = static_cast<std::uint32_t>(at_ - here);
      return is_read;
    }
    if (position.outcome != Outcome::going_on || SafeMoves(place).wins) return false;
    for (int reply : replies_to_answer(place))
      if (!visit_after(place, reply)) return false;
    return true;
  }

  std::string_view codes_;
  int attacker_, cut_, shorter_ = 0;
  std::size_t at_ = 0, leaves_ = 0;
  std::vector<std::uint32_t> sizes_;
  std::string part_, path_;
  std::vector<std::size_t> counts_;  // codes of each ply
  std::vector<std::size_t> wanted_;  // leaves
  std::vector<std::string> paths_;   // to them
};

// A strategy by the position.
class StrategyBook {
 public:
  // `codes` reach to the ply `cut`; they are read when they are first needed.
  StrategyBook(const NestedPosition& root, std::string codes, int attacker, int cut)
      : root_(root), codes_(std::move(codes)), attacker_(attacker), cut_(cut) {}

  // Whether the codes are a strategy. If not, `find` finds nothing.
  bool is_valid() {
    if (!is_read_) sizes_ = StrategyReader(codes_, attacker_, cut_).sizes(root_);
    is_read_ = true;
    return sizes_.has_value();
  }
  int attacker() const { return attacker_; }

  // The attacker's move in a position that the strategy, or an image of it, wins: -1 at a leaf, and
  // if the other side is to move. No value for other positions.
  std::optional<int> find(const NestedPosition& position) {
    if (!is_valid() || position.outcome != Outcome::going_on || position.ply < root_.ply) return {};
    if (position.turn() == attacker_) {
      const auto outlook = Node<NestedPosition>(position).outlook();
      if (is_win(outlook.score)) return outlook.move;
    }
    if (position.ply > cut_ + 1) return {};
    Wanted wanted{position, {}};
    for (int symmetry = 0; symmetry < symmetries; ++symmetry)
      for (int move = 0; move < cells; ++move) {
        const int image = Node<NestedPosition>::image(move, symmetry);
        for (int side : {0, 1})
          if (position.boards[side][move / 9] >> move % 9 & 1)
            wanted.marked[side][image] |= 1u << symmetry;
      }
    unsigned alive = (1u << symmetries) - 1;  // the images that have the marks of a node
    for (int side : {0, 1})
      for (int move = 0; move < cells; ++move)
        if (root_.boards[side][move / 9] >> move % 9 & 1) alive &= wanted.marked[side][move];
    std::size_t at = 0;
    return seek(Node<NestedPosition>(root_), wanted, alive, at);
  }

 private:
  static constexpr int cells = Node<NestedPosition>::cells;

  struct Wanted {
    NestedPosition position;
    // For each side and cell, the symmetries whose image of the position has that mark.
    std::array<std::array<unsigned, cells>, 2> marked;
  };

  // Seek a position at or below a node whose marks are those of the images `alive`. `at` is the
  // node's first code; below a defender's node, unless the position is found, it moves behind.
  std::optional<int> seek(const Node<NestedPosition>& place, const Wanted& wanted, unsigned alive,
                          std::size_t& at) const {
    const NestedPosition& position = place.position;
    const bool attacks = position.turn() == attacker_;
    const bool has_move = attacks && position.ply < cut_;
    if (position.ply == wanted.position.ply) {
      const int symmetry = symmetry_to(position, wanted, alive);
      if (symmetry < 0) return {};
      return has_move ? image_back(move_of(position, codes_[at]), symmetry) : -1;
    }
    if (has_move) {
      const int move = move_of(position, codes_[at]);
      alive &= wanted.marked[attacker_][move];
      std::size_t below = at + 1;
      if (alive != 0) return seek(after(place, move), wanted, alive, below);
    } else if (!attacks) {
      for (int reply : replies_to_answer(place)) {
        const auto next = after(place, reply);
        const std::size_t end = at + size_at(next, at);
        const unsigned left = alive & wanted.marked[attacker_ ^ 1][reply];
        if (left != 0 && !SafeMoves(next).wins)
          if (const auto found = seek(next, wanted, left, at)) return found;
        at = end;
      }
    }
    return {};
  }

  static Node<NestedPosition> after(const Node<NestedPosition>& place, int move) {
    Node<NestedPosition> next = place;
    next.play(move);
    return next;
  }

  // The codes of an attacker's node and below.
  std::size_t size_at(const Node<NestedPosition>& place, std::size_t at) const {
    return place.position.ply >= cut_ || SafeMoves(place).wins ? 0 : (*sizes_)[at];
  }

  // The symmetry that maps the wanted position to one whose marks are those of `alive`; -1 if the
  // boards to play on differ.
  static int symmetry_to(const NestedPosition& position, const Wanted& wanted, unsigned alive) {
    for (; alive; alive &= alive - 1) {
      const int symmetry = std::countr_zero(alive);
      if (position.is_forced() != wanted.position.is_forced()) continue;
      if (!position.is_forced() ||
          image_of(wanted.position.target, symmetry, 3, 3) == position.target)
        return symmetry;
    }
    return -1;
  }

  static int image_back(int move, int symmetry) {
    int original = 0;
    while (Node<NestedPosition>::image(original, symmetry) != move) ++original;
    return original;
  }

  NestedPosition root_;
  std::string codes_;
  bool is_read_ = false;
  std::optional<std::vector<std::uint32_t>> sizes_;  // of each code's node; none if not valid
  int attacker_, cut_;
};

}  // namespace noughts
