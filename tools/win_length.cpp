// Show that X cannot force a win of ultimate:won=open by a given ply.
//
//     c++ -std=c++20 -O3 tools/win_length.cpp -o win_length
//     ./win_length PLY [--moves "55 51 …"] [--bits N]
//
// Prints "no win by ply PLY", or "open" if X may win, and the number of positions entered. Exit
// code: 0 for "no win", 1 for "open", 2 for wrong arguments. The table has 2 to the power of N
// entries of 24 bytes; 25 if not given.
//
// In won=open (docs/rules.md) only a full board is closed, and a won board cannot be won again. The
// search is in favour of X: here O never wins the game. So "no win" holds in the real game, while
// "open" says nothing. It rests on three facts:
//
// - X needs a line of boards. A board still needs the marks of its best line without an O; a line
//   of boards needs the sum. If no line of boards can be filled with the marks that X has left, the
//   node is refuted.
// - A board on no such line, or one that X has won, is of no more use: whose marks it has does not
//   matter, only which cells are empty. Positions that differ in nothing else are one.
// - Any reply of O that refutes is enough. O sends X to boards with few empty cells and little use,
//   which keeps the tree small; this decides the cost, never the answer.
//
// The table holds whole positions, no hashes, so that no two can be taken for one another.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using Cells = std::uint16_t;  // nine bits, bit 3 * row + column
constexpr Cells all = 511;
constexpr int never = 50, free_choice = 9, first_symmetric_plies = 12;
constexpr Cells lines[8] = {7, 56, 448, 73, 146, 292, 273, 84};

int last_ply;                    // X must win by this one
std::uint8_t missing[512][512];  // marks that X lacks to win a board of these marks; or `never`
bool has_line[512];
int symmetries[8][9];
Cells images[8][512];
std::uint64_t entered = 0;

struct Position {
  std::array<Cells, 9> x{}, o{};
  Cells won_by_x = 0, won_by_o = 0;
  int target = free_choice, ply = 0;

  bool is_x_to_move() const { return ply % 2 == 0; }
  Cells empty(int board) const { return all & ~(x[board] | o[board]); }
  Cells reach() const {
    if (target != free_choice && empty(target)) return Cells(1 << target);
    Cells open = 0;
    for (int board = 0; board < 9; ++board)
      if (empty(board)) open |= 1 << board;
    return open;
  }

  Position play(int board, int cell) const {
    Position after = *this;
    auto& mine = (is_x_to_move() ? after.x : after.o)[board];
    mine |= 1 << cell;
    if (has_line[mine] && !((won_by_x | won_by_o) >> board & 1))
      (is_x_to_move() ? after.won_by_x : after.won_by_o) |= 1 << board;
    after.target = cell;
    ++after.ply;
    return after;
  }
};

// What X needs: marks for each board, for the cheapest line of boards through it, and of all.
struct Needs {
  std::array<int, 9> board, line;
  int least = 9 * never;

  explicit Needs(const Position& p) {
    for (int b = 0; b < 9; ++b)
      board[b] = p.won_by_x >> b & 1 ? 0 : p.won_by_o >> b & 1 ? never : missing[p.x[b]][p.o[b]];
    line.fill(9 * never);
    for (Cells boards : lines) {
      int sum = 0;
      for (unsigned left = boards; left; left &= left - 1) sum += board[std::countr_zero(left)];
      for (unsigned left = boards; left; left &= left - 1)
        line[std::countr_zero(left)] = std::min(line[std::countr_zero(left)], sum);
      least = std::min(least, sum);
    }
  }
  // Whether a mark of X on this board can still serve, if he has this many left.
  bool is_useful(int b, int marks_left) const { return board[b] > 0 && line[b] <= marks_left; }
};

using Key = std::array<std::uint64_t, 3>;  // 20 bits a board, and in the last word target and ply
std::vector<Key> refuted;

// The position as far as it matters: the smallest of its images in the first plies.
Key key_of(const Position& p, const Needs& needs, int marks_left) {
  std::array<std::pair<Cells, Cells>, 9> marks;
  std::array<int, 9> state;
  for (int b = 0; b < 9; ++b) {
    const bool useful = needs.is_useful(b, marks_left);
    marks[b] = useful ? std::pair{p.x[b], p.o[b]} : std::pair{Cells(p.x[b] | p.o[b]), Cells(0)};
    state[b] = useful ? 0 : needs.board[b] == 0 ? 1 : 2;
  }
  const int target = p.target != free_choice && p.empty(p.target) ? p.target : free_choice;
  Key smallest{};
  const int count = p.ply <= first_symmetric_plies ? 8 : 1;
  for (int s = 0; s < count; ++s) {
    Key key{};
    for (int b = 0; b < 9; ++b) {
      const int to = symmetries[s][b];
      const auto [x, o] = marks[b];
      const std::uint64_t packed = state[b] << 18 | images[s][x] << 9 | images[s][o];
      key[to / 3] |= packed << 20 * (to % 3);
    }
    const std::uint64_t end = target == free_choice ? free_choice : symmetries[s][target];
    key[0] |= end << 60;
    key[1] |= std::uint64_t(p.ply & 15) << 60;
    key[2] |= std::uint64_t(p.ply >> 4 | 8) << 60;  // never zero: an empty entry is no position
    if (s == 0 || key < smallest) smallest = key;
  }
  return smallest;
}

Key& entry_of(const Key& key) {
  std::uint64_t hash = 0;
  for (std::uint64_t word : key) {
    hash = (hash ^ word) * 0xd6e8feb86659fd93u;
    hash ^= hash >> 32;
  }
  return refuted[hash & (refuted.size() - 1)];
}

// Whether X wins by `last_ply` if O never wins.
bool wins(const Position& p) {
  ++entered;
  const bool x_moves = p.is_x_to_move();
  const int marks_left = (last_ply - p.ply + x_moves) / 2;
  const Needs needs(p);
  if (needs.least == 0) return true;
  if (needs.least > marks_left) return false;
  const Key key = key_of(p, needs, marks_left);
  Key& entry = entry_of(key);
  if (entry == key) return false;

  struct Choice {
    int order, board, cell;
  } choices[81];
  int size = 0;
  for (unsigned boards = p.reach(); boards; boards &= boards - 1) {
    const int board = std::countr_zero(boards);
    for (unsigned cells = p.empty(board); cells; cells &= cells - 1) {
      const int cell = std::countr_zero(cells);
      int order = 0;
      if (x_moves) {
        if (!needs.board[board]) order = 1;
        else order = missing[p.x[board] | 1 << cell][p.o[board]] - needs.board[board];
      } else {
        const Position after = p.play(board, cell);
        const Cells empty = after.empty(cell);
        const Needs then(after);
        if (!empty) {
          order = 1000;
        } else {
          // With no mark to waste, X is refuted by a board of no use.
          if (needs.least == marks_left && !then.is_useful(cell, marks_left)) return false;
          const int lack = then.board[cell];
          if (lack > 0 && lack < never)
            for (unsigned next = empty; next; next &= next - 1)
              order += missing[after.x[cell] | (next & -next)][after.o[cell]] < lack;
          order += 4 * std::popcount(empty) - 2 * std::min(20, lack ? then.line[cell] : never);
        }
      }
      choices[size++] = {order, board, cell};
    }
  }
  if (size == 0) return false;
  std::sort(choices, choices + size, [](const Choice& a, const Choice& b) {
    return std::tie(a.order, a.board, a.cell) < std::tie(b.order, b.board, b.cell);
  });
  bool result = !x_moves;
  for (int i = 0; i < size && result != x_moves; ++i)
    result = wins(p.play(choices[i].board, choices[i].cell));
  if (!result) entry = key;
  return result;
}

void fill_tables() {
  for (int marks = 0; marks < 512; ++marks)
    for (Cells line : lines) has_line[marks] |= (marks & line) == line;
  for (int x = 0; x < 512; ++x)
    for (int o = 0; o < 512; ++o) {
      missing[x][o] = never;
      for (Cells line : lines)
        if (!(o & line))
          missing[x][o] = std::min<int>(missing[x][o], 3 - std::popcount(unsigned(x & line)));
    }
  for (int s = 0; s < 8; ++s)
    for (int cell = 0; cell < 9; ++cell) {
      int row = s & 1 ? 2 - cell / 3 : cell / 3, column = s & 2 ? 2 - cell % 3 : cell % 3;
      if (s & 4) std::swap(row, column);
      symmetries[s][cell] = 3 * row + column;
      for (int marks = 0; marks < 512; ++marks)
        if (marks >> cell & 1) images[s][marks] |= 1 << symmetries[s][cell];
    }
}

[[noreturn]] void fail(const char* reason) {
  std::fprintf(stderr, "win_length: %s\n", reason);
  std::exit(2);
}

int number(std::string_view text, int least, int most, const char* reason) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    fail(reason);
  return value;
}

// Play moves such as "55 51": the digits of board and cell, 1 to 9.
Position after(std::string_view moves) {
  Position p;
  for (std::size_t at = 0; at < moves.size(); at += 3) {
    const std::string_view move = moves.substr(at, 2);
    if (at + 2 < moves.size() && moves[at + 2] != ' ') fail("moves are two digits each");
    const int digits = number(move, 11, 99, "moves are two digits, 11 to 99");
    const int board = digits / 10 - 1, cell = digits % 10 - 1;
    if (cell < 0 || !(p.reach() >> board & 1) || !(p.empty(board) >> cell & 1))
      fail("a move is illegal");
    p = p.play(board, cell);
  }
  return p;
}

}  // namespace

int main(int count, char** texts) {
  if (count < 2 || count % 2) fail("arguments: PLY [--moves MOVES] [--bits N]");
  fill_tables();
  last_ply = number(texts[1], 1, 81, "PLY is a number from 1 to 81");
  Position start;
  int bits = 25;
  for (int i = 2; i < count; i += 2) {
    const std::string_view option = texts[i];
    if (option == "--moves") start = after(texts[i + 1]);
    else if (option == "--bits") bits = number(texts[i + 1], 10, 34, "--bits is 10 to 34");
    else fail("options: --moves MOVES, --bits N");
  }
  refuted.resize(std::size_t{1} << bits);
  const bool open = wins(start);
  std::printf("%s by ply %d: %llu positions\n", open ? "open" : "no win", last_ply,
              static_cast<unsigned long long>(entered));
  return open;
}
