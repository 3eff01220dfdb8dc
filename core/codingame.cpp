// A bot of CodinGame's Ultimate Tic-Tac-Toe: the last part of the file of `noughts export
// codingame`, which puts the headers before it, and a small net into `net_text`. Each turn:
//
//     row column of the other side, or -1 -1    ──►
//     number of legal moves, then each of them
//     row column of the bot                     ◄──
//
// Rows and columns are from 0 to 8, over the nine boards. Without a line, more won boards win.
// `--nodes N` limits each search by nodes in place of time: the moves are then always the same.
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "alphabeta.hpp"
#include "net.hpp"

namespace noughts {

// The weights, 14 bits in each character from U+4E00 on.
constexpr std::u16string_view net_text = u"@NET@";

std::string net_weights() {
  std::string bytes;
  unsigned held = 0;
  int bits = 0;
  for (char16_t character : net_text) {
    held = held << 14 | (character - 0x4e00u);
    for (bits += 14; bits >= 8 && bytes.size() < Net::small_size;) {
      bits -= 8;
      bytes.push_back(static_cast<char>(held >> bits));
    }
    held &= 0x3fff;
  }
  return bytes;
}

int move_at(int row, int column) {
  return 9 * (row / 3 * 3 + column / 3) + row % 3 * 3 + column % 3;
}
int row_of(int move) { return move / 27 * 3 + move % 9 / 3; }
int column_of(int move) { return move / 9 % 3 * 3 + move % 3; }

// Seconds of the first move, from the start of the program, and of each later move. The site allows
// 1 s and 0.1 s.
constexpr double first_seconds = 0.9, later_seconds = 0.09;
// A larger table would take longer than a move to grow.
constexpr int table_mib = 16;

void play(Limit limit, bool timed) {
  const std::atomic<bool> never{false};
  const Control started({}, never);
  const NetEvaluation<ChancesEvaluation> evaluation(std::make_shared<const Net>(net_weights()));
  AlphaBeta<NestedPosition, NetEvaluation<ChancesEvaluation>> search(table_mib, 0, Selection{},
                                                                     evaluation);
  NestedPosition position(NestedRules{false, true, true, true});
  if (timed) limit.seconds = first_seconds - started.seconds();
  for (int row, column; std::cin >> row >> column;) {
    Control control(limit, never);
    if (row >= 0) position.play(move_at(row, column));
    int moves = 0;
    for (std::cin >> moves; moves > 0; --moves) std::cin >> row >> column;
    if (position.outcome != Outcome::going_on) break;
    const Finding found = search.analyse(position, control, {});
    position.play(found.move);
    std::cout << row_of(found.move) << ' ' << column_of(found.move) << std::endl;
    std::cerr << "depth " << found.depth << " score " << found.score << " nodes " << found.nodes
              << std::endl;
    if (timed) limit.seconds = later_seconds;
  }
}

}  // namespace noughts

int main(int count, char** arguments) {
  noughts::Limit limit;
  const bool timed = count == 1;
  if (count == 3 && std::string_view(arguments[1]) == "--nodes")
    limit.nodes = std::strtoull(arguments[2], nullptr, 10);
  if (!timed && (limit.nodes == 0 || limit.nodes == noughts::Limit{}.nodes)) {
    std::cerr << "usage: " << arguments[0] << " [--nodes N]" << std::endl;
    return 2;
  }
  noughts::play(limit, timed);
}
