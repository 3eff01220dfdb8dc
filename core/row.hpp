// Row games: basic tic-tac-toe, any m,n,k-game with its misere and exact forms, and Connect Four.
//
// All use one layout: column after column, each from the bottom up, with a guard bit on top that is
// always empty, so that a shift never joins two columns (Connect Four 7x6, the layout of Tromp and
// Pons):
//
//      6 13 20 27 34 41 48    guards
//      5 12 19 26 33 40 47
//      4 11 18 25 32 39 46         bit = column * (rows + 1) + height
//      3 10 17 24 31 38 45         up 1, right rows + 1, diagonals rows and rows + 2
//      2  9 16 23 30 37 44
//      1  8 15 22 29 36 43
//      0  7 14 21 28 35 42
//
// A move is a cell, row-major from the top left, as in Python; with gravity, a column.
#pragma once

#include "bits.hpp"
#include "position.hpp"

namespace noughts {

// The rules of a row game, as parsed from its rules id.
struct RowId {
  int columns = 3, rows = 3, k = 3;
  bool gravity = false, misere = false, exact = false;

  int bits() const { return columns * (rows + 1); }
};

// The shifts of the line directions that fit on a board.
struct Directions {
  int shift[4];
  int size = 0;

  const int* begin() const { return shift; }
  const int* end() const { return shift + size; }
};

template <class Bits>
struct RowRules {
  int columns, rows, k;
  bool gravity, misere;
  bool exact;     // whether a line longer than k does not count
  int stride;     // from a column to the next
  Bits cells{};   // all cells
  Bits bottom{};  // the lowest cell of each column
  Directions directions{};

  // A single cell, k = 1, has no direction in which it could be too long.
  explicit RowRules(const RowId& id)
      : columns(id.columns),
        rows(id.rows),
        k(id.k),
        gravity(id.gravity),
        misere(id.misere),
        exact(id.exact && id.k > 1),
        stride(id.rows + 1) {
    // No line is longer than the board, and a shift by more than its width would be undefined.
    for (int shift : {1, stride, stride - 1, stride + 1})
      if (shift * (k - 1) < columns * stride) directions.shift[directions.size++] = shift;
    for (int column = 0; column < columns; ++column) {
      bottom |= bit<Bits>(column * stride);
      for (int height = 0; height < rows; ++height) cells |= bit<Bits>(column * stride + height);
    }
  }

  int size() const { return columns * rows; }
  // Convert between cells, row-major from the top left, and bits.
  int bit_of(int cell) const { return cell % columns * stride + rows - 1 - cell / columns; }
  int cell_of(int index) const { return (rows - 1 - index % stride) * columns + index / stride; }
  Bits column(int number) const { return ((bit<Bits>(rows) + ~Bits(0))) << (number * stride); }

  bool has_line(const Bits& marks) const {
    for (int direction : directions) {
      Bits run = marks;
      int length = 1;
      for (; 2 * length <= k; length *= 2) run &= run >> (direction * length);
      if (length < k) run &= run >> (direction * (k - length));
      if (exact) run &= ~too_long(marks, direction);
      if (run) return true;
    }
    return false;
  }

  // The first cells of lines that a mark at one of their ends makes too long to count.
  Bits too_long(const Bits& marks, int direction) const {
    return beyond(marks, direction, 0, k - 1);
  }
  // Whether that holds for the line that begins at a bit.
  bool is_too_long(const Bits& marks, int first, int direction) const {
    return exact &&
           (is_marked(marks, first - direction) || is_marked(marks, first + k * direction));
  }

  // The cells at most two columns and two rows away from `marks`.
  Bits near(Bits marks) const {
    for (int shift : {1, 1, stride, stride}) marks |= (marks << shift | marks >> shift) & cells;
    return marks;
  }

  // The middle cell, or the two or four of a board with an even side.
  Bits middle() const {
    Bits result{};
    for (int column : {(columns - 1) / 2, columns / 2})
      for (int row : {(rows - 1) / 2, rows / 2}) result |= bit<Bits>(column * stride + row);
    return result;
  }

  // Call `visit(marks of mine, marks of theirs, first bit, direction)` for each line of k cells
  // through a cell.
  template <class Visit>
  void lines_through(int cell, const Bits& mine, const Bits& theirs, Visit&& visit) const {
    for (int direction : directions) {
      int first = cell, last = cell;
      for (int i = 1; i < k && is_marked(cells, first - direction); ++i) first -= direction;
      for (int i = 1; i < k && is_marked(cells, last + direction); ++i) last += direction;
      int own = 0, others = 0;
      for (int index = first, size = 1; index <= last; index += direction, ++size) {
        own += has(mine, index);
        others += has(theirs, index);
        if (size < k) continue;
        const int start = index - (k - 1) * direction;
        visit(own, others, start, direction);
        own -= has(mine, start);
        others -= has(theirs, start);
      }
    }
  }

  // Call `visit(first bit, direction)` for each line of k cells with `cell` just beyond an end.
  template <class Visit>
  void lines_beside(int cell, Visit&& visit) const {
    for (int direction : directions)
      for (int step : {-direction, direction}) {
        int last = cell, length = 0;
        while (length < k && is_marked(cells, last + step)) last += step, ++length;
        if (length == k) visit(step > 0 ? cell + direction : last, direction);
      }
  }

  // The cells, occupied or not, that would complete a line of `marks`.
  Bits completing(const Bits& marks) const {
    Bits result{};
    for (int direction : directions) {
      // below[i]: the i cells before the cell are marked; `above`: the k - 1 - i cells after it.
      Bits below[max_side];
      below[0] = ~Bits(0);
      for (int i = 1; i < k; ++i) below[i] = below[i - 1] & (marks << (direction * i));
      Bits above = ~Bits(0);
      for (int i = k - 1;; --i) {
        Bits made = below[i] & above;
        if (exact) made &= ~beyond(marks, direction, i, k - 1 - i);
        result |= made;
        if (i == 0) break;
        above &= marks >> (direction * (k - i));
      }
    }
    return result & cells;
  }

 private:
  // The cells with a mark just beyond `before` cells before them or `after` cells after them. Not
  // inlined: few games need it, and wide shifts are long code.
  [[gnu::noinline]] static Bits beyond(const Bits& marks, int direction, int before, int after) {
    return marks << (direction * before) << direction | marks >> (direction * after) >> direction;
  }
  // Whether a bit is set; not if it is outside the board.
  static bool is_marked(const Bits& marks, int index) {
    constexpr int most = 8 * sizeof(Bits);
    return index >= 0 && index < most && has(marks, index);
  }
};

template <class Bits>
struct RowPosition {
  using Rules = RowRules<Bits>;

  const RowRules<Bits>* rules;
  Bits marks[2]{};  // of X and of O
  int ply = 0;
  Outcome outcome = Outcome::going_on;

  explicit RowPosition(const RowRules<Bits>& r) : rules(&r) {}

  int turn() const { return ply & 1; }
  Bits occupied() const { return marks[0] | marks[1]; }
  // The legal cells of the next mark.
  Bits landings() const {
    return (rules->gravity ? occupied() + rules->bottom : ~occupied()) & rules->cells;
  }
  int count_moves() const { return outcome == Outcome::going_on ? count(landings()) : 0; }

  void moves(MoveList& list) const {
    list.size = 0;
    if (outcome != Outcome::going_on) return;
    if (rules->gravity) {
      const Bits free = landings();
      for (int column = 0; column < rules->columns; ++column)
        if (free & rules->column(column)) list.add(column);
    } else {
      const Bits taken = occupied();
      for (int cell = 0; cell < rules->size(); ++cell)
        if (!(taken & bit<Bits>(rules->bit_of(cell)))) list.add(cell);
    }
  }

  // The bit of the cell where a move puts its mark.
  Bits landing(int move) const {
    return rules->gravity ? landings() & rules->column(move) : bit<Bits>(rules->bit_of(move));
  }

  void play(int move) { place(landing(move)); }

  // Play on `cell`, which has one bit.
  void place(const Bits& cell) { place(cell, rules->has_line(marks[turn()] | cell)); }
  // The same where it is known whether that makes a line.
  void place(const Bits& cell, bool makes_line) {
    const int player = turn();
    marks[player] |= cell;
    ++ply;
    if (makes_line) outcome = result_of_line(player);
    else if (ply == rules->size()) outcome = Outcome::draw;
  }

  // The outcome that the marks on the board give.
  Outcome result() const {
    for (int player : {0, 1})
      if (rules->has_line(marks[player])) return result_of_line(player);
    return ply == rules->size() ? Outcome::draw : Outcome::going_on;
  }

  std::uint64_t hash() const { return hashed(marks[0]) ^ mixed(hashed(marks[1])); }

 private:
  Outcome result_of_line(int player) const {
    return (player == 0) != rules->misere ? Outcome::x_wins : Outcome::o_wins;
  }
};

}  // namespace noughts
