// Definitions common to all positions of the core.
//
// A position is a small copyable value. It does not check moves: they come from `moves`, or Python
// has checked them.
#pragma once

#include <cstdint>
#include <utility>

namespace noughts {

enum class Outcome : std::uint8_t { going_on, x_wins, o_wins, draw };

// The most columns or rows of a board.
inline constexpr int max_side = 20;
// The most legal moves that a position can have: the largest empty board.
inline constexpr int max_moves = max_side * max_side;

// A list of moves on the stack, in ascending order.
struct MoveList {
  std::uint16_t move[max_moves];
  int size = 0;

  void add(int m) { move[size++] = static_cast<std::uint16_t>(m); }
  const std::uint16_t* begin() const { return move; }
  const std::uint16_t* end() const { return move + size; }
};

// Return the image of a cell (row-major) under a symmetry: bit 1 mirrors left and right, bit 2 top
// and bottom, bit 4 then swaps columns and rows, on square boards only.
inline constexpr int symmetries = 8;
constexpr int image_of(int cell, int symmetry, int columns, int rows) {
  int column = cell % columns, row = cell / columns;
  if (symmetry & 1) column = columns - 1 - column;
  if (symmetry & 2) row = rows - 1 - row;
  if (symmetry & 4) std::swap(column, row);
  return row * columns + column;
}

// Count the move sequences of exactly `depth` plies. Moves of the last ply are counted, not played.
// `goes_on` is called before each other move; once it returns false, the count ends early.
template <class Position, class GoesOn>
std::uint64_t perft(const Position& position, int depth, GoesOn&& goes_on) {
  if (depth == 0) return 1;
  if (depth == 1) return position.count_moves();
  if constexpr (requires { position.count_replies(); })
    if (depth == 2) return position.count_replies();
  std::uint64_t nodes = 0;
  MoveList list;
  position.moves(list);
  for (int move : list) {
    if (!goes_on()) break;
    Position after = position;
    after.play(move);
    nodes += perft(after, depth - 1, goes_on);
  }
  return nodes;
}

template <class Position>
std::uint64_t perft(const Position& position, int depth) {
  return perft(position, depth, [] { return true; });
}

}  // namespace noughts
