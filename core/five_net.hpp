// A net that judges positions of five in a row from the patterns of their lines.
//
// Each empty cell near the marks has four lines, and each side sees a window of eight cells on
// each: a key below 3^8. A key and its mirror image have one vector of `features` numbers. The
// vectors of the four lines are added and clipped: the features of the cell, for both sides. Their
// sum over the cells, of the side to move and of the other, goes through a hidden layer; with a
// multiple of the estimate from the patterns it is the logit of the expected result. The features
// of a cell also give the logit of the move there.
//
// All arithmetic is in whole numbers: the same net gives the same moves on every machine. The idea
// to map whole lines is that of Rapfi (Haobin Jin, https://github.com/dhbloo/rapfi, 2022).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "line_patterns.hpp"
#include "logit.hpp"
#include "outlook.hpp"
#include "weights.hpp"

// A function with this mark is compiled twice for x86-64, once for processors with AVX2; which of
// the two runs is chosen when the program is loaded, where the system can do so. The sanitizer of
// threads starts too late for it.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_THREAD__)
#define NOUGHTS_ALSO_FOR_AVX2 [[gnu::target_clones("avx2", "default")]]
#else
#define NOUGHTS_ALSO_FOR_AVX2
#endif

namespace noughts {

class FiveNet {
 public:
  static constexpr int features = 32, hidden = 16;
  static constexpr int window = 8, keys = 6561, vectors = (keys + 81) / 2;
  // The numbers of the file, little-endian: vectors, in the order of the least of a key and its
  // mirror image, and a bias, one byte each; the hidden layer and its bias; the output layer and
  // its bias; the factor of the estimate from the patterns; the weights of moves.
  static constexpr std::size_t size = (vectors + 1) * features + 2 * (hidden * 2 * features) +
                                      4 * hidden + 2 * hidden + 2 * 4 + 2 * (2 * features);

  explicit FiveNet(std::string_view text) : vector_(vectors * features), row_(keys) {
    const auto* at = reinterpret_cast<const std::uint8_t*>(text.data());
    read_weights<std::int8_t>(at, vector_.data(), vector_.size());
    read_weights<std::int8_t>(at, bias_.data(), features);
    read_weights<std::int16_t>(at, &second_[0][0], hidden * 2 * features);
    read_weights<std::int32_t>(at, second_bias_.data(), hidden);
    read_weights<std::int16_t>(at, third_.data(), hidden);
    read_weights<std::int32_t>(at, &out_, 1);
    read_weights<std::int32_t>(at, &of_estimate_, 1);
    read_weights<std::int16_t>(at, policy_.data(), 2 * features);
    // No sum overflows, whatever a file holds.
    for (auto& row : second_)
      for (std::int16_t& each : row) each = std::clamp(each, std::int16_t{-511}, std::int16_t{511});
    for (std::int32_t& each : second_bias_) each = std::clamp(each, -most, most);
    out_ = std::clamp(out_, -most, most);
    int known = 0;
    for (int key = 0; key < keys; ++key) {
      int mirror = 0;
      for (int i = 0, rest = key; i < window; ++i, rest /= 3) mirror = 3 * mirror + rest % 3;
      row_[key] = static_cast<std::uint16_t>(mirror < key ? row_[mirror] : known++);
    }
  }

  // The logits of the moves to the empty cells near the marks.
  struct Logits {
    int size = 0;
    std::array<std::int16_t, max_moves> place;
    std::array<std::int32_t, max_moves> logit;
  };

  // Return the estimate for the side to move, and the logits of moves if asked for. `by_patterns`
  // is the estimate of the patterns.
  NOUGHTS_ALSO_FOR_AVX2 int estimate(const PatternBoard& board, int by_patterns,
                                     Logits* moves = nullptr) const {
    const int side = board.turn();
    std::array<std::uint16_t, 2 * features> sum{};
    for (int row = 0; row < board.rows(); ++row)
      for (int place = board.place_of(row * board.columns()), end = place + board.columns();
           place < end; ++place) {
        if (!board.is_empty(place) || !board.is_near(place)) continue;
        std::int16_t cell[2 * features];
        for (int view : {0, 1}) {
          const std::int16_t* lines[4];
          for (int direction = 0; direction < 4; ++direction)
            lines[direction] =
                &vector_[row_[board.window(side ^ view, place, direction)] * features];
          std::int16_t* into = cell + view * features;
          for (int i = 0; i < features; ++i) {
            // In numbers of two bytes, eight at once.
            const auto pair = static_cast<std::int16_t>(lines[0][i] + lines[1][i]);
            const auto other = static_cast<std::int16_t>(lines[2][i] + lines[3][i]);
            const auto total = static_cast<std::int16_t>(pair + other + bias_[i]);
            into[i] = std::min(std::max(total, std::int16_t{0}), largest);
          }
        }
        for (int i = 0; i < 2 * features; ++i)
          sum[i] = static_cast<std::uint16_t>(sum[i] + cell[i]);
        if (moves) {
          std::int32_t logit = 0;
          for (int i = 0; i < 2 * features; ++i) logit += cell[i] * policy_[i];
          moves->place[moves->size] = static_cast<std::int16_t>(place);
          moves->logit[moves->size++] = logit;
        }
      }
    std::int16_t half[2 * features];
    for (int i = 0; i < 2 * features; ++i) half[i] = static_cast<std::int16_t>(sum[i] >> 1);
    std::int64_t logit = out_ + (std::int64_t{of_estimate_} * by_patterns >> 10);
    for (int i = 0; i < hidden; ++i) {
      std::int32_t total = second_bias_[i];
      for (int j = 0; j < 2 * features; ++j) total += half[j] * second_[i][j];
      logit += std::clamp(total >> 8, 0, 1023) * third_[i];
    }
    constexpr std::int64_t far = 1 << 30;
    return estimates_.estimate(static_cast<int>(std::clamp(logit, -far, far)));
  }

  // A logit of 1 for a move.
  static constexpr int move_unit = 1 << 12;

 private:
  static constexpr std::int16_t largest = 127;   // of a feature; 64 is 1
  static constexpr std::int32_t most = 1 << 27;  // absolute, of a bias

  std::vector<std::int16_t> vector_;
  std::vector<std::uint16_t> row_;  // the vector of a key
  std::array<std::int16_t, features> bias_;
  std::int16_t second_[hidden][2 * features];
  std::array<std::int32_t, hidden> second_bias_;
  std::array<std::int16_t, hidden> third_;
  std::int32_t out_, of_estimate_;
  std::array<std::int16_t, 2 * features> policy_;
  LogitTable estimates_;
};

}  // namespace noughts
