// The order in which a search tries moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace noughts {

// The moves that caused cutoffs, by ply and by side.
template <int cells>
class Cutoffs {
 public:
  // The credit of a move for all cutoffs.
  int of(int side, int move) const { return history_[side][move]; }
  // The same, for the last two moves with a cutoff at this ply above all others.
  int promise(int ply, int side, int move) const {
    const auto& killers = killers_[ply];
    const int more = move == killers[0] ? 1 << 28 : move == killers[1] ? 1 << 27 : 0;
    return of(side, move) + more;
  }
  void credit(int ply, int side, int move, int depth) {
    auto& killers = killers_[ply];
    if (killers[0] != move) killers[1] = std::exchange(killers[0], static_cast<std::int16_t>(move));
    int& credit = history_[side][move];
    credit += depth * depth - credit * depth / 4096;
  }
  // Before another search: the credits of the last one count less.
  void fade() {
    for (auto& of_ply : killers_) of_ply[0] = of_ply[1] = -1;
    for (auto& of_side : history_)
      for (int& credit : of_side) credit /= 8;
  }
  void forget() { std::fill_n(&history_[0][0], 2 * cells, 0); }

 private:
  static constexpr int max_plies = 362;
  int history_[2][cells]{};
  std::int16_t killers_[max_plies][2]{};
};

// The moves of a node, one at a time, the most promising first.
template <int cells>
class MoveOrder {
 public:
  static constexpr int first_of_all = 1 << 30;

  void add(int move, int promise) {
    move_[size_] = static_cast<std::int16_t>(move);
    promise_[size_++] = promise;
  }
  // Return the next move; -1 after all.
  int next() {
    if (at_ == size_ && put_off_ > 0) {
      // The moves put off have moved to the front.
      at_ = 0;
      size_ = std::exchange(put_off_, 0);
      again_ = true;
    }
    if (at_ == size_) return -1;
    int best = at_;
    for (int i = at_ + 1; i < size_; ++i)
      if (promise_[i] > promise_[best]) best = i;
    std::swap(promise_[at_], promise_[best]);
    std::swap(move_[at_], move_[best]);
    return move_[at_++];
  }

  // Return the last move again after all others.
  void put_off(int move) {
    promise_[put_off_] = promise_[at_ - 1];
    move_[put_off_++] = static_cast<std::int16_t>(move);
  }
  // Whether the moves are now those put off before.
  bool is_put_off() const { return again_; }

 private:
  int size_ = 0, at_ = 0, put_off_ = 0;
  bool again_ = false;
  int promise_[cells];
  std::int16_t move_[cells];
};

}  // namespace noughts
