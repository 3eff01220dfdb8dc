// Positions of games of `FiveSearch` against itself, to train a net.
#pragma once

#include <algorithm>
#include <vector>

#include "five_search.hpp"
#include "samples.hpp"

namespace noughts {

// A position from the view of the side to move, in `size` bytes, little-endian: the cells, row by
// row, two bits each (0 empty, 1 an own mark, 2 the other side's); columns, rows, whether a longer
// line does not count; the result of the game (-1, 0, 1); in two bytes each the estimate from the
// patterns, the score of the search and its move.
struct FiveSample {
  static constexpr std::size_t cells = 100, result_at = cells + 3, size = cells + 10;

  static void write(std::vector<std::uint8_t>& into, const PatternBoard& board, int score,
                    int move) {
    const std::size_t begin = into.size();
    into.resize(begin + cells);
    for (int cell = 0; cell < board.size(); ++cell) {
      const int mark = board.mark(board.place_of(cell));
      const int content = mark == PatternBoard::empty ? 0 : mark == board.turn() ? 1 : 2;
      into[begin + cell / 4] |= static_cast<std::uint8_t>(content << cell % 4 * 2);
    }
    into.push_back(static_cast<std::uint8_t>(board.columns()));
    into.push_back(static_cast<std::uint8_t>(board.rows()));
    into.push_back(board.exact());
    into.push_back(0);  // the result, once it is known
    for (int number : {pattern_estimate(board), score, move}) write_two(into, number);
  }
};

// Play a game and append its positions that are not random, until the search proves the result. The
// search is cleared before it. Games begin with a few random marks near each other; later, one move
// of `random_one_in` is a random one of those with the best patterns.
inline void self_play(FiveSearch& search, PatternBoard& board, std::uint64_t seed,
                      std::uint64_t nodes, const std::atomic<bool>& stop,
                      std::vector<std::uint8_t>& into) {
  constexpr int max_marks = 9, random_one_in = 12, promising = 8;
  const auto random = [&](int below) {
    seed = mixed(seed);
    return static_cast<int>((seed >> 32) % static_cast<unsigned>(below));
  };
  const auto is_decided = [&] {
    const int side = board.turn();
    return board.has(side, Threat::five) || board.has(side ^ 1, Threat::five) ||
           board.has(side, Threat::sure_four);
  };
  const int marks = 1 + random(max_marks);
  for (int i = 0; i < marks && !is_decided(); ++i) {
    int place;
    do {
      const int column = board.columns() / 2 - 3 + random(7),
                row = board.rows() / 2 - 3 + random(7);
      place = board.place_of(row * board.columns() + column);
    } while (!board.is_empty(place) || (i > 0 && !board.is_near(place)));
    board.play(place);
  }
  search.clear();
  const std::size_t begin = into.size();
  std::vector<int> movers;
  Limit limit;
  limit.nodes = nodes;
  int winner = -1;
  while (board.ply() < board.size() && !stop) {
    Control control(limit, stop);
    const Finding found = search.analyse(board, control, {});
    const int side = board.turn();
    FiveSample::write(into, board, found.score, found.move);
    movers.push_back(side);
    if (is_win(found.score) || is_loss(found.score)) {
      winner = is_win(found.score) ? side : side ^ 1;
      break;
    }
    int place = board.place_of(found.move);
    if (random(random_one_in) == 0 && !is_decided()) {
      std::vector<std::pair<int, int>> best;
      for (int cell = 0; cell < board.size(); ++cell) {
        const int each = board.place_of(cell);
        if (board.is_empty(each))
          best.emplace_back(-board.order(0, each) - board.order(1, each), each);
      }
      const int count = std::min(promising, static_cast<int>(best.size()));
      std::partial_sort(best.begin(), best.begin() + count, best.end());
      place = best[static_cast<std::size_t>(random(count))].second;
    }
    board.play(place);
  }
  write_results<FiveSample>(into, begin, movers, winner);
  if (stop) into.resize(begin);
}

}  // namespace noughts
