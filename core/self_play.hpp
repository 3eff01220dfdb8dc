// Positions of games of a search against itself, to train a net.
#pragma once

#include <vector>

#include "alphabeta.hpp"
#include "net.hpp"
#include "samples.hpp"

namespace noughts {

// A position from the view of the side to move, in `size` bytes, little-endian: 9 contents and 3
// rows of two bytes each, absent rows as 65535; the result of the game (-1, 0, 1) and a byte 0; in
// two bytes each the balance of the base and the score of the search.
struct Sample {
  static constexpr int no_row = 65'535;
  static constexpr std::size_t size = 30, result_at = 24;

  static void write(std::vector<std::uint8_t>& into, const Node<NestedPosition>& place, int balance,
                    int score) {
    const NestedPosition& position = place.position;
    for (int board = 0; board < 9; ++board)
      write_two(into, content_of(position, board, position.turn()));
    const Rows rows = rows_of(place);
    for (int i = 0; i < Rows::most; ++i) write_two(into, i < rows.size ? rows.row[i] : no_row);
    write_two(into, 0);  // the result, once it is known
    write_two(into, std::clamp(balance, -32'767, 32'767));
    write_two(into, score);
  }
};

// Games for training begin with random plies; later, one move of `random_one_in` is random.
inline constexpr int min_random_plies = 2, max_random_plies = 14, random_one_in = 12;

// Play a game and append its positions that are not random. The search is cleared before it.
template <class Base, class Evaluation>
void self_play(AlphaBeta<NestedPosition, Evaluation>& search, const NestedRules& rules,
               std::uint64_t seed, std::uint64_t nodes, const std::atomic<bool>& stop,
               std::vector<std::uint8_t>& into) {
  const auto random = [&](unsigned below) {
    seed = mixed(seed);
    return static_cast<int>((seed >> 32) % below);
  };
  NestedPosition position(rules);
  MoveList list;
  const auto play_random = [&] {
    position.moves(list);
    position.play(list.move[random(list.size)]);
  };
  const int first = min_random_plies + random(max_random_plies - min_random_plies + 1);
  while (position.ply < first && position.outcome == Outcome::going_on) play_random();
  search.clear();
  const std::size_t begin = into.size();
  std::vector<int> movers;
  const Base base;
  Limit limit;
  limit.nodes = nodes;
  while (position.outcome == Outcome::going_on && !stop) {
    Control control(limit, stop);
    const Finding found = search.analyse(position, control, {});
    const Node<NestedPosition> place(position);
    if (place.outlook().moves) {  // else the search never asks for an estimate
      Sample::write(into, place, NetEvaluation<Base>::balance(base, place, base.start(place)),
                    found.score);
      movers.push_back(position.turn());
    }
    if (random(random_one_in) == 0) play_random();
    else position.play(found.move);
  }
  const int winner = position.outcome == Outcome::x_wins   ? 0
                     : position.outcome == Outcome::o_wins ? 1
                                                           : -1;
  write_results<Sample>(into, begin, movers, winner);
  if (stop) into.resize(begin);
}

}  // namespace noughts
