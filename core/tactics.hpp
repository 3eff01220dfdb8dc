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

// How much the other side wants the cell of a move: most to win there at once, else the more, the
// more wins it would threaten there.
template <class Bits>
int urgency(const RowPosition<Bits>& position, int move) {
  const RowRules<Bits>& rules = *position.rules;
  if (rules.misere) return 0;
  const Bits cell = position.landing(move);
  Bits marks = position.marks[1 - position.turn()], before{}, wins{};
  for (int i = 0; i < 2; ++i) {
    before = wins, wins = rules.completing(marks);
    marks |= cell;
  }
  if (before & cell) return rules.size();
  return count(wins & ~before & ~position.occupied());
}
inline int urgency(const NestedPosition&, int) { return 0; }

template <class Position>
Outcome won_by_turn(const Position& position) {
  return position.turn() == 0 ? Outcome::x_wins : Outcome::o_wins;
}

}  // namespace noughts
