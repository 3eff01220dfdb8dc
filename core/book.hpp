// The value of every Connect Four position with a fixed number of stones: solved once, looked up in
// play.
//
// A book is a text with one character for each index: 1 a loss for the side to move, 2 a draw, 3 a
// win, 0 unknown. The index of a position encodes the heights of its columns, from the left, and
// which of the stones, column by column from the bottom up, belong to the side to move:
//
//     index = rank of the heights * number of choices of stones + rank of the choice
//
// A position and its mirror image share the index of the one with the smaller key.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "row.hpp"
#include "search.hpp"

namespace noughts {

// The indices of all positions with a given number of stones.
class BookIndex {
 public:
  BookIndex(const RowRules<Bits64>& rules, int stones)
      : columns_(rules.columns), stride_(rules.stride), stones_(stones) {
    heights_.assign(columns_ + 1, Counts(stones + 1));
    heights_[0][0] = 1;
    for (int columns = 1; columns <= columns_; ++columns)
      for (int sum = 0; sum <= stones; ++sum)
        for (int height = 0; height <= std::min(rules.rows, sum); ++height)
          heights_[columns][sum] += heights_[columns - 1][sum - height];
    choices_.assign(stones + 1, Counts(stones + 1));
    for (int of = 0; of <= stones; ++of)
      for (int chosen = 0; chosen <= of; ++chosen)
        choices_[of][chosen] =
            chosen == 0 ? 1 : choices_[of - 1][chosen - 1] + choices_[of - 1][chosen];
  }

  int stones() const { return stones_; }
  std::uint64_t size() const { return heights_[columns_][stones_] * choices_[stones_][owned()]; }

  // The index of a position by its key (see Connect4Search): a column of the key is the sum of the
  // column's own stones and all its stones.
  std::uint64_t operator[](Bits64 key) const {
    std::uint64_t height_rank = 0, choice_rank = 0;
    int left = stones_, own = owned();
    for (int column = 0; column < columns_; ++column) {
      const Bits64 sum = (key >> (column * stride_) & ((Bits64(1) << stride_) - 1)) + 1;
      const int height = static_cast<int>(std::bit_width(sum)) - 1;
      for (int lower = 0; lower < height; ++lower)
        height_rank += heights_[columns_ - column - 1][left - lower];
      for (int i = 0; i < height; ++i) {
        --left;
        if (sum >> i & 1) --own;
        else if (own > 0) choice_rank += choices_[left][own - 1];
      }
    }
    return height_rank * choices_[stones_][owned()] + choice_rank;
  }

 private:
  using Counts = std::vector<std::uint64_t>;

  int owned() const { return stones_ / 2; }  // stones of the side to move

  int columns_, stride_, stones_;
  std::vector<Counts> heights_;  // [columns][stones]: ways to fill that many columns
  std::vector<Counts> choices_;  // [stones][chosen]: binomial coefficients
};

class Book {
 public:
  // The text is not copied; it has one character for each index.
  Book(const BookIndex& index, std::string_view values) : index_(index), values_(values) {}

  int stones() const { return index_.stones(); }

  // Narrow the bounds of a score, in any unit, by the value in the book.
  void find(Bits64 key, Bounds& bounds) const {
    const int entry = values_[index_[key]];
    if (entry == 0) return;
    bounds.lower = std::max(bounds.lower, entry == 3 ? 1 : entry == 2 ? 0 : bounds.lower);
    bounds.upper = std::min(bounds.upper, entry == 1 ? -1 : entry == 2 ? 0 : bounds.upper);
  }

 private:
  BookIndex index_;
  std::string_view values_;
};

}  // namespace noughts
