// How positions for training are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace noughts {

inline void write_two(std::vector<std::uint8_t>& into, int number) {
  into.push_back(static_cast<std::uint8_t>(number));
  into.push_back(static_cast<std::uint8_t>(number >> 8));
}

// Write the result of a game into its samples, `Sample::result_at` in each, from the view of the
// side to move. `movers` are these sides; `winner` is -1 for a draw.
template <class Sample>
void write_results(std::vector<std::uint8_t>& into, std::size_t begin,
                   const std::vector<int>& movers, int winner) {
  for (std::size_t i = 0; i < movers.size(); ++i)
    into[begin + i * Sample::size + Sample::result_at] =
        static_cast<std::uint8_t>(winner < 0            ? 0
                                  : winner == movers[i] ? 1
                                                        : -1);
}

}  // namespace noughts
