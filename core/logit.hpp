// The estimates that a net's logits of the expected result mean.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "search.hpp"

namespace noughts {

class LogitTable {
 public:
  static constexpr int unit = 1 << 13;  // a logit of 1

  LogitTable() {
    for (int i = 0; i < size; ++i)
      estimate_[i] = static_cast<std::int16_t>(
          std::lround((estimate_unit - 1) * std::tanh(i * step / (2.0 * unit))));
  }

  int estimate(int logit) const {
    const int found = estimate_[std::min(std::abs(logit) / step, size - 1)];
    return logit < 0 ? -found : found;
  }

 private:
  static constexpr int step = 16, size = 10 * unit / step;
  std::array<std::int16_t, size> estimate_;
};

}  // namespace noughts
