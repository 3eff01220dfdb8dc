// Functions of any position: immediate wins and the winner.
#pragma once

#include "nested.hpp"
#include "row.hpp"

namespace noughts {

// Whether the side to move has an immediate win.
inline bool can_win(const NestedPosition& position) {
  const int player = position.turn();
  unsigned boards = position.reach();
  if (!position.rules.one_line) boards &= completing_3x3[position.won[player]];
  for (boards &= ~(position.won[0] | position.won[1]); boards; boards &= boards - 1) {
    const int board = std::countr_zero(boards);
    if (completing_3x3[position.boards[player][board]] & ~position.occupied(board)) return true;
  }
  return false;
}

template <class Bits>
bool can_win(const RowPosition<Bits>& position) {
  return !position.rules->misere &&
         static_cast<bool>(position.rules->completing(position.marks[position.turn()]) &
                           position.landings());
}

template <class Position>
Outcome won_by_turn(const Position& position) {
  return position.turn() == 0 ? Outcome::x_wins : Outcome::o_wins;
}

}  // namespace noughts
