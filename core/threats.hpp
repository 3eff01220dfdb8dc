// Wins of row games by fours: moves that each threaten to complete a line, so that the other side
// has a single reply (Allis, van den Herik and Huntjens 1996: threat-space search). In a game of
// k in a row, a "four" has k - 1 marks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "row.hpp"

namespace noughts {

// The empty cells that make a four for `mine`: those of lines with k - 2 marks of `mine` and two
// empty cells; with `exact`, no mark of `mine` at an end.
template <class Bits>
Bits cells_of_fours(const RowRules<Bits>& rules, const Bits& mine, const Bits& theirs) {
  const Bits open = rules.cells & ~theirs;
  Bits result{};
  for (int direction : rules.directions) {
    // The first cells of lines with no, one and two empty cells so far.
    Bits none = ~Bits(0), one{}, two{};
    for (int i = 0; i < rules.k; ++i) {
      const Bits marked = mine >> (direction * i), free = open >> (direction * i);
      two = free & ((two & marked) | (one & ~marked));
      one = free & ((one & marked) | (none & ~marked));
      none &= marked;
    }
    if (rules.exact) two &= ~rules.too_long(mine, direction);
    if (!two) continue;
    for (int i = 0; i < rules.k; ++i) result |= two << (direction * i);
  }
  return result & ~mine;
}

// Searches for a win by fours of one side; both sides have no line. Each search has a budget of
// nodes.
template <class Bits>
class FourSearch {
 public:
  // A win: all cells of its fours, and the moves of both sides, the last one first. If none is
  // found, it is empty.
  struct Win {
    Bits cells{};
    std::vector<std::int16_t> line;
    int plies() const { return static_cast<int>(line.size()); }
  };

  // Search for a win of `side`, as if it were to move; `danger` are the cells where the other side
  // completes a line. `goes_on` is called at each node; the search ends once it returns false.
  template <class GoesOn>
  const Win& find(const RowPosition<Bits>& position, int side, const Bits& danger, int nodes,
                  GoesOn&& goes_on) {
    win_.cells = {};
    win_.line.clear();
    left_ = nodes;
    const Bits &mine = position.marks[side], &theirs = position.marks[side ^ 1];
    const std::uint64_t key = hashed(mine) ^ mixed(hashed(theirs));
    search(*position.rules, mine, theirs, danger, key, goes_on);
    return win_;
  }
  // The result of the last search.
  const Win& win() const { return win_; }

 private:
  template <class GoesOn>
  bool search(const RowRules<Bits>& rules, const Bits& mine, const Bits& theirs, const Bits& danger,
              std::uint64_t key, GoesOn&& goes_on) {
    if (left_ <= 0 || !goes_on()) {
      left_ = 0;
      return false;
    }
    --left_;
    Bits moves = cells_of_fours(rules, mine, theirs);
    if (danger) {
      if (count(danger) > 1) return false;
      moves &= danger;
    }
    if (!moves) return false;
    std::uint64_t& failed = failed_[key % failed_.size()];
    if (failed == key) return false;
    for (Bits left = moves; left; left &= left - 1) {
      const int move = lowest(left);
      const Bits threats = completed_through(rules, move, mine | bit<Bits>(move), theirs);
      if (count(threats) < 2) continue;
      const int last = lowest(threats), block = lowest(threats & ~bit<Bits>(last));
      for (int each : {last, block, move}) add(each);
      win_.cells |= threats;
      return true;
    }
    for (; moves; moves &= moves - 1) {
      const int move = lowest(moves);
      const Bits with_move = mine | bit<Bits>(move);
      const Bits reply = completed_through(rules, move, with_move, theirs);
      const int at = lowest(reply);
      const Bits with_reply = theirs | reply;
      const Bits next = completed_through(rules, at, with_reply, with_move);
      const std::uint64_t next_key = hashed_move(hashed_move(key, move), -at);
      if (search(rules, with_move, with_reply, next, next_key, goes_on)) {
        for (int each : {at, move}) add(each);
        return true;
      }
      if (left_ <= 0) return false;
    }
    failed = key;
    return false;
  }

  // Add a move to the win, before those that it has.
  void add(int move) {
    win_.cells |= bit<Bits>(move);
    win_.line.push_back(static_cast<std::int16_t>(move));
  }

  // The empty cells that complete a line through the cell of a new mark.
  static Bits completed_through(const RowRules<Bits>& rules, int cell, const Bits& mine,
                                const Bits& theirs) {
    Bits result{};
    rules.lines_through(cell, mine, theirs, [&](int own, int others, int first, int direction) {
      if (own != rules.k - 1 || others || rules.is_too_long(mine, first, direction)) return;
      while (has(mine, first)) first += direction;
      result |= bit<Bits>(first);
    });
    return result;
  }

  // The same for moves in any order.
  static std::uint64_t hashed_move(std::uint64_t key, int move) {
    return key ^ mixed(static_cast<std::uint64_t>(move) << 20);
  }

  Win win_;
  int left_ = 0;
  std::array<std::uint64_t, 1 << 12> failed_{};  // keys of positions without a win
};

}  // namespace noughts
