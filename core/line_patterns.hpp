// Patterns of lines in games of five in a row, kept up to date with each move.
//
// A pattern says what a side gets on one line by a mark on an empty cell. It depends on the cells
// at most four away, with `exact` five, since a longer line does not count there:
//
//     five        completes a line
//     open_four   then two cells or more complete a line
//     four        then one cell does
//     open_three  then one mark makes an open four; `_weak` if it must be on one certain cell
//     three       then one mark makes a four
//     open_two    then one mark makes an open three; `_weak` as above
//     two, open_one, one in the same way
//
// The cells of a window in base 3, empty 0, own 1, the other side's or outside 2, are a key into
// one table of patterns. A new mark adds to the keys of few cells; no line is read again.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "bits.hpp"
#include "position.hpp"

namespace noughts {

enum class Pattern : std::uint8_t {
  none,
  one,
  open_one,
  two,
  open_two_weak,
  open_two,
  three,
  open_three_weak,
  open_three,
  four,
  open_four,
  five
};
inline constexpr int patterns = 12;

// What a side threatens by a mark on a cell, over its four lines.
enum class Threat : std::uint8_t {
  none,
  three,        // a three, or an open two
  open_three,   // threatens a sure four
  open_threes,  // two of them
  four,         // forces one reply
  four_three,   // the same, and an open three
  sure_four,    // an open four, or two fours: cannot be stopped
  five
};
inline constexpr int threats = 8;

// The pattern of each window of one rule.
class PatternTable {
 public:
  static constexpr int max_radius = 5;

  explicit PatternTable(bool exact) : radius_(exact ? 5 : 4), exact_(exact) {
    int size = 1;
    for (int i = 0; i < 2 * radius_; ++i) size *= 3;
    pattern_.assign(size, unknown);
    cells_.assign(2 * radius_ + 1, 0);
    for (int key = 0; key < size; ++key) {
      for (int i = 0, rest = key; i < 2 * radius_; ++i, rest /= 3)
        cells_[i < radius_ ? i : i + 1] = rest % 3;
      cells_[radius_] = 1;
      find(key);
    }
  }

  int radius() const { return radius_; }
  bool exact() const { return exact_; }
  // The number of a `Pattern`.
  unsigned operator[](std::uint32_t key) const { return pattern_[key]; }

 private:
  static constexpr std::uint8_t unknown = 255;

  // Whether the middle mark is part of a line that counts.
  bool has_five() const {
    int first = radius_, last = radius_;
    while (first > 0 && cells_[first - 1] == 1) --first;
    while (last < 2 * radius_ && cells_[last + 1] == 1) ++last;
    return exact_ ? last - first == 4 : last - first >= 4;
  }

  // Find the pattern of the window in `cells_`, from those with one more own mark.
  int find(int key) {
    if (pattern_[key] != unknown) return pattern_[key];
    int found = has_five() ? int(Pattern::five) : 0;
    if (!found) {
      int best = 0, second = 0;  // of the windows with one more mark
      for (int i = 0, power = 1; i < 2 * radius_; ++i, power *= 3) {
        int& cell = cells_[i < radius_ ? i : i + 1];
        if (cell != 0) continue;
        cell = 1;
        const int next = find(key + power);
        cell = 0;
        second = std::max(second, std::min(best, next));
        best = std::max(best, next);
      }
      found = before(static_cast<Pattern>(best), static_cast<Pattern>(second));
    }
    return pattern_[key] = static_cast<std::uint8_t>(found);
  }

  // The pattern from which a mark makes `best`, and another mark `second`.
  static int before(Pattern best, Pattern second) {
    const bool twice = second >= best;
    switch (best) {
      case Pattern::five:
        return int(twice ? Pattern::open_four : Pattern::four);
      case Pattern::open_four:
        return int(twice ? Pattern::open_three : Pattern::open_three_weak);
      case Pattern::four:
        return int(Pattern::three);
      case Pattern::open_three:
      case Pattern::open_three_weak:
        return int(second >= Pattern::open_three_weak ? Pattern::open_two : Pattern::open_two_weak);
      case Pattern::three:
        return int(Pattern::two);
      case Pattern::open_two:
      case Pattern::open_two_weak:
        return int(Pattern::open_one);
      default:
        return int(best == Pattern::none ? Pattern::none : Pattern::one);
    }
  }

  int radius_;
  bool exact_;
  std::vector<std::uint8_t> pattern_;
  std::vector<int> cells_;
};

// The table of a rule, made at its first use.
inline const PatternTable& pattern_table(bool exact) {
  if (exact) {
    static const PatternTable table(true);
    return table;
  }
  static const PatternTable table(false);
  return table;
}

// What the patterns of a cell are worth: for the order of moves, and in an estimate for the side
// that is to move and the one that is not.
struct PatternWeights {
  std::int16_t order[patterns] = {0, 2, 5, 8, 16, 22, 30, 60, 70, 120, 800, 4000} /* below 4,096 */;
  std::int16_t mine[patterns] = {0, -4, -16, -9, 13, 14, 35, 155, 217, 229, 400, 0};
  std::int16_t theirs[patterns] = {0, -5, -16, -10, 13, 13, 27, 161, 122, 196, 579, 0};
};

// A board of five in a row with the patterns of all empty cells, for searches that play and take
// back. Cells are numbered in rows of 32, with a rim that is outside the board.
class PatternBoard {
 public:
  static constexpr int rim = PatternTable::max_radius, stride = 32, cells = 32 * stride;
  static constexpr std::array<int, 4> directions = {1, stride, stride - 1, stride + 1};
  enum Mark : std::uint8_t { x, o, empty, outside };

  // The cells of a threat, in no order.
  struct Cells {
    std::array<std::int16_t, max_moves> cell;
    int size = 0;
    const std::int16_t* begin() const { return cell.data(); }
    const std::int16_t* end() const { return cell.data() + size; }
  };

  PatternBoard(int columns, int rows, bool exact, const PatternWeights& weights = {})
      : columns_(columns),
        rows_(rows),
        radius_(pattern_table(exact).radius()),
        table_(&pattern_table(exact)),
        power_(powers(radius_)) {
    for (int i = 0; i < patterns; ++i) {
      sums_[i] = tallied[i] << order_bits | static_cast<std::uint32_t>(weights.order[i]);
      worths_[i] = (std::int64_t{weights.theirs[i]} << 32) + weights.mine[i];
    }
    mark_.fill(outside);
    for (int cell = 0; cell < size(); ++cell) mark_[place_of(cell)] = empty;
    // A cell sees a mark `distance` after it at the place radius + distance of its window.
    for (int place = 0; place < cells; ++place) {
      if (mark_[place] != empty) continue;
      for (int direction = 0; direction < 4; ++direction)
        for (int distance = -radius_; distance <= radius_; ++distance)
          if (distance != 0 && mark_[place + distance * directions[direction]] == outside)
            key_[place][direction] += (2 + (2u << 16)) * power_[radius_ + distance];
    }
    for (int place = 0; place < cells; ++place)
      if (mark_[place] == empty) enter(place);
  }

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  int size() const { return columns_ * rows_; }
  bool exact() const { return table_->exact(); }
  int ply() const { return ply_; }
  int turn() const { return ply_ & 1; }
  std::uint64_t key() const { return hash_; }
  // What a mark of a side adds to the key, by exclusive or.
  static std::uint64_t key_of(int side, int place) {
    return mixed(static_cast<std::uint64_t>(2 * place + side));
  }

  // Convert between cells, row-major from the top left, and the places of this board.
  int place_of(int cell) const { return (cell / columns_ + rim) * stride + cell % columns_ + rim; }
  int cell_of(int place) const { return (place / stride - rim) * columns_ + place % stride - rim; }

  Mark mark(int place) const { return mark_[place]; }
  bool is_empty(int place) const { return mark_[place] == empty; }
  // Whether a cell is at most two columns and rows away from a mark.
  bool is_near(int place) const { return near_[place] > 0; }
  Pattern pattern(int side, int place, int direction) const {
    return static_cast<Pattern>(pattern_[place][direction] >> 8 * side & 255);
  }
  // The key of the window of eight cells on a line through a cell, as a side sees it.
  std::uint32_t window(int side, int place, int direction) const {
    const std::uint32_t key = key_[place][direction] >> 16 * side & 65'535;
    return radius_ == 4 ? key : key / 3 % 6'561;
  }
  Threat threat(int side, int place) const { return threat_[side][place]; }
  // The cells where a side has a threat of one kind, an open three or more.
  const Cells& cells_of(int side, Threat threat) const { return sets_[side][int(threat)]; }
  bool has(int side, Threat threat) const { return cells_of(side, threat).size > 0; }
  // Set a mark, or take it away, without counting patterns: much faster than `play`. Until it is
  // taken away only `mark`, `is_empty`, `key`, `window` and the functions below know it.
  void set(int place, int side) {
    add_to_windows(place, digits(side));
    mark_[place] = static_cast<Mark>(side);
    hash_ ^= key_of(side, place);
  }
  void unset(int place) {
    const int side = mark_[place];
    add_to_windows(place, 0 - digits(side));
    mark_[place] = empty;
    hash_ ^= key_of(side, place);
  }
  // What `pattern` is after all marks that were set.
  Pattern pattern_now(int side, int place, int direction) const {
    return static_cast<Pattern>((*table_)[key_[place][direction] >> 16 * side & 65'535]);
  }
  // The fours that a mark makes: 0, 1, or 2 if it cannot be stopped.
  int fours_now(int side, int place) const {
    int fours = 0;
    for (int direction = 0; direction < 4; ++direction) {
      const Pattern pattern = pattern_now(side, place, direction);
      fours += pattern == Pattern::open_four ? 2 : pattern == Pattern::four;
    }
    return std::min(fours, 2);
  }
  // Visit the empty cells on the lines of a cell where a mark of a side makes a four.
  template <class Visit>
  void each_four_now(int side, int place, Visit&& visit) const {
    for (int direction = 0; direction < 4; ++direction)
      for (int distance = -4; distance <= 4; ++distance) {
        const int other = place + distance * directions[direction];
        if (mark_[other] == empty && pattern_now(side, other, direction) >= Pattern::four)
          visit(other);
      }
  }
  // The cells where a side could complete a line with its mark on an empty cell.
  struct Fives {
    std::int16_t cell[2] = {-1, -1};  // the first two
    int size = 0;
  };
  // Not inlined, to keep the file for browsers small.
  [[gnu::noinline]] Fives fives_after(int side, int place) const {
    Fives found;
    for (int direction = 0; direction < 4; ++direction) {
      if (pattern_now(side, place, direction) < Pattern::four) continue;
      for (int distance = -4; distance <= 4; ++distance) {
        const int other = place + distance * directions[direction];
        if (distance == 0 || mark_[other] != empty) continue;
        const std::uint32_t key =
            (key_[other][direction] >> 16 * side & 65'535) + power_[radius_ - distance];
        if ((*table_)[key] != unsigned(Pattern::five)) continue;
        if (found.size < 2) found.cell[found.size] = static_cast<std::int16_t>(other);
        ++found.size;
      }
    }
    return found;
  }
  // The sum of `PatternWeights` over the lines of a cell, and over all empty cells.
  int order(int side, int place) const { return static_cast<int>(sum_[side][place] & order_mask); }
  int worth(int side, bool to_move) const {
    const std::int64_t low = static_cast<std::int32_t>(worth_[side]);
    return static_cast<int>(to_move ? low : (worth_[side] - low) >> 32);
  }

  void play(int place) { play(place, turn()); }
  // Play for either side, so that a side can pass.
  void play(int place, int side) {
    worth_before_[ply_] = {worth_[0], worth_[1]};
    note(place, own);
    for (unsigned pattern : pattern_[place]) {
      worth_[0] -= worths_[pattern & 255];
      worth_[1] -= worths_[pattern >> 8];
    }
    for (int view : {0, 1}) set_sum(view, place, 0);
    mark_[place] = static_cast<Mark>(side);
    hash_ ^= key_of(side, place);
    surround(place, side);
    add_to_near<1>(place);
    ++ply_;
  }
  // Take back the last mark.
  void take_back(int place) {
    --ply_;
    unset(place);
    add_to_near<-1>(place);
    for (bool is_own = false; !is_own; changes_.pop_back()) {
      const Change& change = changes_.back();
      is_own = change.direction == own;
      if (!is_own) pattern_[change.place][change.direction] = change.pattern;
      for (int view : {0, 1}) set_sum(view, change.place, change.sum[view]);
    }
    worth_[0] = worth_before_[ply_][0];
    worth_[1] = worth_before_[ply_][1];
  }

 private:
  // What a move changed at a cell: the patterns on one line and their sums, or at its own cell the
  // sums alone.
  struct Change {
    std::int16_t place;
    std::uint16_t direction, pattern;
    std::uint32_t sum[2];
  };
  static constexpr unsigned own = 4;  // the direction of the move's own cell, its first change
  void note(int place, unsigned direction) {
    changes_.push_back({static_cast<std::int16_t>(place),
                        static_cast<std::uint16_t>(direction),
                        pattern_[place][direction & 3],
                        {sum_[0][place], sum_[1][place]}});
  }

  // What a mark at each place of a window adds to its key; the place in the middle has none.
  using Powers = std::array<std::uint32_t, 2 * PatternTable::max_radius + 1>;
  static constexpr Powers powers(int radius) {
    Powers found{};
    std::uint32_t power = 1;
    for (int i = 0; i <= 2 * radius; ++i)
      if (i != radius) found[i] = power, power *= 3;
    return found;
  }
  static std::uint32_t digits(int side) { return side == 0 ? 1 + (2u << 16) : 2 + (1u << 16); }
  // Add the digits of a mark to the windows of its surroundings; their negative takes it away. Not
  // inlined, to keep the file for browsers small.
  [[gnu::noinline]] void add_to_windows(int place, std::uint32_t by) {
    if (radius_ == 4) add_to_windows<4>(place, by);
    else add_to_windows<5>(place, by);
  }
  // With the radius known to the compiler.
  template <int radius>
  void add_to_windows(int place, std::uint32_t by) {
    constexpr Powers power = powers(radius);
    for (int distance = 1; distance <= radius; ++distance)
      for (int direction = 0; direction < 4; ++direction) {
        const int step = distance * directions[direction];
        key_[place - step][direction] += by * power[radius + distance];
        key_[place + step][direction] += by * power[radius - distance];
      }
  }
  // Add the mark of a side to the windows of its surroundings, and count their patterns.
  void surround(int place, int side) {
    const PatternTable& table = *table_;
    const std::uint32_t by = digits(side);
    for (int direction = 0; direction < 4; ++direction) {
      const int step = directions[direction];
      for (int distance = -radius_; distance <= radius_; ++distance) {
        if (distance == 0) continue;
        const int other = place + distance * step;
        std::uint32_t& key = key_[other][direction];
        key += by * power_[radius_ - distance];
        if (mark_[other] != empty) continue;
        const unsigned now = table[key & 65535] | table[key >> 16] << 8;
        const unsigned before = pattern_[other][direction];
        if (now == before) continue;
        note(other, direction);
        pattern_[other][direction] = static_cast<std::uint16_t>(now);
        if ((now ^ before) & 255) count(0, other, before & 255, now & 255);
        if ((now ^ before) >> 8) count(1, other, before >> 8, now >> 8);
      }
    }
  }
  template <int sign>
  void add_to_near(int place) {
    // Five cells of a row at once; no count is above 25.
    constexpr auto ones =
        std::bit_cast<std::uint64_t>(std::array<std::int8_t, 8>{1, 1, 1, 1, 1, 0, 0, 0});
    for (int row = -2; row <= 2; ++row) {
      std::int8_t* const first = &near_[place + row * stride - 2];
      std::uint64_t counts;
      std::memcpy(&counts, first, sizeof counts);
      counts += sign > 0 ? ones : 0 - ones;
      std::memcpy(first, &counts, sizeof counts);
    }
  }

  // Count the patterns of an empty cell for the first time.
  void enter(int place) {
    for (int direction = 0; direction < 4; ++direction) {
      const std::uint32_t key = key_[place][direction];
      const unsigned now = (*table_)[key & 65535] | (*table_)[key >> 16] << 8;
      pattern_[place][direction] = static_cast<std::uint16_t>(now);
      count(0, place, 0, now & 255);
      count(1, place, 0, now >> 8);
    }
  }

  // Count a pattern of a cell in place of another.
  void count(int side, int place, unsigned before, unsigned now) {
    worth_[side] += worths_[now] - worths_[before];
    set_sum(side, place, sum_[side][place] + sums_[now] - sums_[before]);
  }
  void set_sum(int side, int place, std::uint32_t sum) {
    const std::uint32_t old = sum_[side][place];
    sum_[side][place] = sum;
    if ((sum ^ old) > order_mask) judge(side, place, sum >> order_bits);
  }

  // Put a cell into the set of its threat, if there is one.
  void judge(int side, int place, std::uint32_t tally) {
    const Threat now = threat_of(tally), before = threat_[side][place];
    if (now == before) return;
    threat_[side][place] = now;
    if (before > Threat::three) {
      Cells& set = sets_[side][int(before)];
      const int at = at_[side][place], last = set.cell[--set.size];
      set.cell[at] = static_cast<std::int16_t>(last);
      at_[side][last] = static_cast<std::int16_t>(at);
    }
    if (now > Threat::three) {
      Cells& set = sets_[side][int(now)];
      at_[side][place] = static_cast<std::int16_t>(set.size);
      set.cell[set.size++] = static_cast<std::int16_t>(place);
    }
  }

  // The sum of a cell has the order of its patterns, and above it their numbers, three bits each:
  // fives, open fours, fours, open threes, threes and open twos together.
  static constexpr int order_bits = 14;
  static constexpr std::uint32_t order_mask = (1u << order_bits) - 1;
  static constexpr std::array<std::uint32_t, patterns> tallied = {
      0, 0, 0, 0, 1 << 12, 1 << 12, 1 << 12, 1 << 9, 1 << 9, 1 << 6, 1 << 3, 1};
  static Threat threat_of(std::uint32_t tally) {
    if (tally & 7) return Threat::five;
    const std::uint32_t fours = tally >> 6 & 7, open_threes = tally >> 9 & 7;
    if (tally & 7 << 3 || fours > 1) return Threat::sure_four;
    if (fours) return open_threes ? Threat::four_three : Threat::four;
    if (open_threes) return open_threes > 1 ? Threat::open_threes : Threat::open_three;
    return tally ? Threat::three : Threat::none;
  }

  int columns_, rows_, radius_, ply_ = 0;
  const PatternTable* table_;
  std::array<std::uint32_t, patterns> sums_{};
  std::array<std::int64_t, patterns> worths_{};  // to move, and not, in the upper half
  std::uint64_t hash_ = 0;
  Powers power_;
  std::array<Mark, cells> mark_;
  std::array<std::int8_t, cells> near_{};
  std::uint32_t key_[cells][4]{};      // of X, and of O in the upper half
  std::uint16_t pattern_[cells][4]{};  // the same, a byte each
  Threat threat_[2][cells]{};
  std::uint32_t sum_[2][cells]{};
  std::int64_t worth_[2]{};
  std::array<std::array<std::int64_t, 2>, max_moves> worth_before_;  // each move
  std::vector<Change> changes_;  // of all moves, to take them back
  std::int16_t at_[2][cells]{};
  Cells sets_[2][threats]{};
};

}  // namespace noughts
