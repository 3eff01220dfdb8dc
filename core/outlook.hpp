// Exact results without a search, and the interface of evaluations.
//
//     Node        a position with its Outlook: the exact results within two plies
//     Evaluation  State start(node), void play(state, node after, move), int estimate(node, state)
//
// A search enters nodes with `play` and reads the `outlook` first; it calls the evaluation only if
// the outlook does not settle the score. Estimates are from the side to move, strictly between
// -estimate_unit and estimate_unit. Any policy with the same three functions can replace an
// evaluation.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "position.hpp"
#include "search.hpp"

namespace noughts {

// The score of a finished game for `player`.
template <class Position>
int final_score(const Position& position, int player) {
  if (position.outcome == Outcome::draw) return 0;
  const bool won = (position.outcome == Outcome::x_wins) == (player == 0);
  return won ? win - position.ply : position.ply - win;
}

// Exact results within two plies. `moves` are the legal moves that need a search; `score` is the
// exact score of the best other move, `move`, or -infinite without one.
// It sees games that end with a line; a game decided by the number of boards needs a search.
template <class Moves>
struct Outlook {
  int score = -infinite;
  int move = -1;
  Moves moves{};
};

inline constexpr int unsettled = infinite;

template <class Position>
struct Node;

// Map `balance` to an estimate, in the same order; `half` becomes 1/2.
constexpr int squashed(int balance, int half) {
  const auto wide = static_cast<std::int64_t>(balance) * (estimate_unit - 1);
  return static_cast<int>(wide / (half + std::abs(balance)));
}

}  // namespace noughts
