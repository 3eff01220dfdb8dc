// The values of all Connect Four positions with fewer stones than those of a book, and of their
// moves: computed once from the book, backwards, and looked up for many positions at once.
//
//     book: 9 stones ──► 8 stones ──► … ──► the empty board
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "book.hpp"
#include "connect4_solver.hpp"
#include "row.hpp"

namespace noughts {

class BookLabels {
 public:
  static constexpr std::int8_t unknown = 2, illegal = 9;  // in place of -1, 0, 1

  // The text is not needed afterwards. It has one character for each index of the positions with
  // `stones` stones.
  BookLabels(const RowRules<Bits64>& rules, int stones, std::string_view text)
      : board_(rules), stones_(stones) {
    for (int n = 0; n <= stones; ++n) {
      indices_.emplace_back(rules, n);
      values_.emplace_back(n < stones ? indices_[n].size() : 0);
    }
    values_[stones].assign(text.begin(), text.end());
    entry(0, 0, 0);
  }

  int columns() const { return board_.rules.columns; }
  int cells() const { return board_.rules.size(); }

  // Write the label of a position. `observation` has two bytes for each cell, row-major from the
  // top left: of the side to move, of the other. `distance` is 0 at the end, 1 before a win, else
  // -1; `moves` has the value of each column.
  void label(const std::uint8_t* observation, std::int8_t& value, std::int32_t& distance,
             std::int8_t* moves) const {
    const auto& rules = board_.rules;
    Bits64 mine = 0, theirs = 0;
    int bit = rules.rows - 1;
    for (int row = 0; row < rules.rows; ++row, bit -= columns() * rules.stride + 1)
      for (int column = 0; column < columns(); ++column, bit += rules.stride) {
        mine |= Bits64(observation[0]) << bit;
        theirs |= Bits64(observation[1]) << bit;
        observation += 2;
      }
    const int stones = count(mine | theirs);
    std::fill_n(moves, columns(), illegal);
    distance = 0;
    if (rules.has_line(theirs)) value = -1;
    else if (stones == cells()) value = 0;
    else value = unknown;
    if (value != unknown) {
      if (value == 0) distance = -1;
      return;
    }
    distance = -1;
    if (stones >= stones_) return;
    value = -1;
    for (int column = 0; column < columns(); ++column) {
      const int found = reply(mine, mine | theirs, stones, column);
      if (found == no_move) continue;
      moves[column] = found == 0 ? unknown : static_cast<std::int8_t>(found - 2);
      if (found == line) moves[column] = 1, distance = 1;
      value = std::max(value, moves[column]);
    }
  }

 private:
  // Entries of a book: 0 unknown, 1 a loss, 2 a draw, 3 a win.
  static constexpr int line = 4, no_move = -1;

  // The entry of a move for the side that makes it, `line` if it ends the game.
  int reply(Bits64 mine, Bits64 mask, int stones, int column) const {
    const auto& rules = board_.rules;
    const Bits64 cell = (mask + rules.bottom) & rules.column(column) & rules.cells;
    if (!cell) return no_move;
    if (rules.has_line(mine | cell)) return line;
    if (stones + 1 == cells()) return 2;
    const int after = values_[stones + 1][place(mask ^ mine, mask | cell, stones + 1)];
    return after == 0 ? 0 : 4 - after;
  }

  std::uint64_t place(Bits64 mine, Bits64 mask, int stones) const {
    return indices_[stones][board_.canonical(mine + mask, stones)];
  }

  // Compute the entries of a position and of all that follow from it.
  void entry(Bits64 mine, Bits64 mask, int stones) {
    if (stones >= stones_) return;
    std::uint8_t& own = values_[stones][place(mine, mask, stones)];
    if (own != 0) return;
    const auto& rules = board_.rules;
    int best = 1;
    bool is_known = true;
    for (int column = 0; column < columns(); ++column) {
      const Bits64 cell = (mask + rules.bottom) & rules.column(column) & rules.cells;
      if (!cell) continue;
      if (!rules.has_line(mine | cell)) entry(mask ^ mine, mask | cell, stones + 1);
      const int found = std::min(reply(mine, mask, stones, column), 3);
      is_known &= found != 0;
      best = std::max(best, found);
    }
    if (is_known || best == 3) own = static_cast<std::uint8_t>(best);
  }

  Connect4Board board_;
  int stones_;
  std::vector<BookIndex> indices_;                 // [stones]
  std::vector<std::vector<std::uint8_t>> values_;  // [stones][index]
};

}  // namespace noughts
