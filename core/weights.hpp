// Numbers of a net's file, little-endian.
#pragma once

#include <cstddef>
#include <cstdint>

namespace noughts {

// Read `count` numbers that are kept as `Stored`, and move `at` behind them.
template <class Stored, class Number>
void read_weights(const std::uint8_t*& at, Number* numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t value = 0;
    for (std::size_t byte = 0; byte < sizeof(Stored); ++byte)
      value |= static_cast<std::uint32_t>(*at++) << 8 * byte;
    numbers[i] = static_cast<Number>(static_cast<Stored>(value));
  }
}

}  // namespace noughts
