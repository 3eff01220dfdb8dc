// Pairs of free cells of a row game, such that each line contains a pair.
//
//     . a a b .     A defender who answers one cell of a pair with the other blocks all lines
//     c . . b .     (Hales and Jewett 1963).
//     c d d . .
//
// Two lines share two cells only on one straight: a row, column or diagonal of the board. A pair
// there blocks lines in succession, a run, and consists of two of the cells common to its lines.
// Whether there are cells enough for given runs is a question of bipartite matching, answered by
// augmenting paths (Kuhn 1955). The runs are as long as possible at first; where cells lack, one is
// cut, or the run beside it gets some of its lines.
#pragma once

#include <algorithm>
#include <array>

#include "bits.hpp"

namespace noughts {

template <class Bits>
class Pairing {
 public:
  void clear() {
    lines_ = runs_ = 0;
    cells_ = Bits{};
  }

  // Add a line, known by its free cells. The lines of a straight are added in succession.
  void add(const Bits& free) {
    line_[lines_] = free;
    cells_ |= free;
    const Bits common = runs_ == 0 ? Bits{} : run_[runs_ - 1].common & free;
    if (has_two(common)) {
      run_[runs_ - 1].common = common;
      run_[runs_ - 1].last = lines_;
    } else {
      run_[runs_++] = {free, Bits{}, lines_, lines_};
    }
    ++lines_;
  }

  // The number of runs without a pair; 1 in place of a larger number unless `counts`. If it is 0,
  // the pairs are added to `cells`. Cells of `spared` are taken last. At most `trials` changes of
  // the runs are tried.
  int find(const Bits& spared, bool counts, int trials, Bits& cells) {
    // No change makes the runs fewer.
    if (!counts && 2 * runs_ > count(cells_)) return 1;
    int lacking = 0;
    taken_ = Bits{};
    spared_ = spared;
    for (int i = 0; i < runs_ && (counts || !lacking); ++i)
      while (!complete(i))
        if (!make_room(i, trials)) {
          ++lacking;
          break;
        }
    if (!lacking) cells |= taken_;
    return lacking;
  }

 private:
  static constexpr int max_cells = 8 * sizeof(Bits);
  static constexpr int max_lines = 4 * max_cells;
  struct Run {
    Bits common, own;  // the cells of all its lines, and those of its pair
    int first, last;   // of its lines
  };

  // Give a run its pair.
  bool complete(int i) {
    while (!has_two(run_[i].own))
      if (!add_cell(i)) return false;
    return true;
  }

  // Give a run one more cell; other runs may have to change theirs.
  bool add_cell(int i) {
    reached_ = Bits{};
    return extend(i);
  }
  bool extend(int i) {
    Run& run = run_[i];
    int cell = -1;
    if (const Bits free = run.common & ~taken_) {
      cell = lowest(free & ~spared_ ? free & ~spared_ : free);
      taken_ |= bit<Bits>(cell);
    }
    for (Bits others; cell < 0 && (others = run.common & ~(reached_ | run.own));) {
      const int other = lowest(others);
      reached_ |= bit<Bits>(other);
      if (!extend(owner_[other])) continue;
      run_[owner_[other]].own ^= bit<Bits>(other);
      cell = other;
    }
    if (cell < 0) return false;
    run.own |= bit<Bits>(cell);
    owner_[cell] = i;
    return true;
  }

  // Give run `i` one more cell by a change of one of the runs that compete for its cells: a cut
  // or, tried later, a move of the border with the run beside it.
  bool make_room(int i, int& trials) {
    const Bits contended = reached_ | run_[i].common;
    const int runs = runs_;
    std::copy_n(run_.begin(), runs, saved_run_.begin());
    const auto saved_owner = owner_;
    const Bits saved_taken = taken_;
    for (const bool cuts : {true, false})
      for (int j = 0; j <= i; ++j) {
        if (j != i && !(run_[j].own & contended)) continue;
        const int first = run_[j].first, last = run_[j].last;
        for (int other = cuts ? runs : 0; other < runs + cuts; ++other) {
          if (!cuts && run_[other].first != last + 1 && run_[other].last != first - 1) continue;
          for (int line = first; line < last; ++line) {
            if (--trials < 0) return false;
            if (cuts) run_[runs_++] = {Bits{}, Bits{}, last + 1, last};
            if (run_[other].first > last) {
              set_lines(j, first, line);
              set_lines(other, line + 1, run_[other].last);
            } else {
              set_lines(other, run_[other].first, line);
              set_lines(j, line + 1, last);
            }
            if (add_cell(i) && complete(j) && complete(other)) return true;
            runs_ = runs;
            std::copy_n(saved_run_.begin(), runs, run_.begin());
            owner_ = saved_owner;
            taken_ = saved_taken;
          }
        }
      }
    return false;
  }

  void set_lines(int i, int first, int last) {
    Bits common = ~Bits(0);
    for (int line = first; line <= last; ++line) common &= line_[line];
    taken_ &= ~(run_[i].own & ~common);
    run_[i] = {common, run_[i].own & common, first, last};
  }

  int lines_ = 0, runs_ = 0;
  std::array<Bits, max_lines> line_;
  std::array<Run, max_lines> run_, saved_run_;
  std::array<int, max_cells> owner_;  // the run of a taken cell
  Bits cells_{}, taken_{}, reached_{}, spared_{};
};

}  // namespace noughts
