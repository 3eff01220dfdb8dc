// Sets of cells as bits, of the three widths that the boards need, and the tables of a 3x3 board.
//
//     Bits64    up to 64 bits    Connect Four 7x6, most m,n,k boards
//     Bits128   up to 128        Connect Four 9x9, 10x10 boards
//     Wide      up to 384        19x19
//
// All three have the same few operations, so that a position is written once, for any of them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace noughts {

using Bits64 = std::uint64_t;
using Bits128 = unsigned __int128;

// 384 bits, least significant word first.
struct Wide {
  static constexpr int words = 6;
  std::array<std::uint64_t, words> word{};

  constexpr Wide() = default;
  constexpr Wide(std::uint64_t low) : word{low} {}  // NOLINT: stands where the others take a number

  friend constexpr bool operator==(const Wide&, const Wide&) = default;
  explicit constexpr operator bool() const {
    std::uint64_t any = 0;
    for (auto w : word) any |= w;
    return any != 0;
  }
  constexpr Wide operator~() const {
    Wide result;
    for (int i = 0; i < words; ++i) result.word[i] = ~word[i];
    return result;
  }
  constexpr Wide& operator&=(const Wide& other) {
    for (int i = 0; i < words; ++i) word[i] &= other.word[i];
    return *this;
  }
  constexpr Wide& operator|=(const Wide& other) {
    for (int i = 0; i < words; ++i) word[i] |= other.word[i];
    return *this;
  }
  constexpr Wide& operator^=(const Wide& other) {
    for (int i = 0; i < words; ++i) word[i] ^= other.word[i];
    return *this;
  }
  friend constexpr Wide operator&(Wide a, const Wide& b) { return a &= b; }
  friend constexpr Wide operator|(Wide a, const Wide& b) { return a |= b; }
  friend constexpr Wide operator^(Wide a, const Wide& b) { return a ^= b; }
  friend constexpr Wide operator+(const Wide& a, const Wide& b) {
    Wide sum;
    std::uint64_t carry = 0;
    for (int i = 0; i < words; ++i) {
      const std::uint64_t partial = a.word[i] + carry;
      carry = partial < carry;
      sum.word[i] = partial + b.word[i];
      carry += sum.word[i] < partial;
    }
    return sum;
  }
  friend constexpr Wide operator<<(const Wide& a, int shift) {
    Wide result;
    const int whole = shift / 64, part = shift % 64;
    for (int i = words - 1; i >= whole; --i) {
      result.word[i] = a.word[i - whole] << part;
      if (part && i > whole) result.word[i] |= a.word[i - whole - 1] >> (64 - part);
    }
    return result;
  }
  friend constexpr Wide operator>>(const Wide& a, int shift) {
    Wide result;
    const int whole = shift / 64, part = shift % 64;
    for (int i = 0; i + whole < words; ++i) {
      result.word[i] = a.word[i + whole] >> part;
      if (part && i + whole + 1 < words) result.word[i] |= a.word[i + whole + 1] << (64 - part);
    }
    return result;
  }
};

constexpr int count(std::uint64_t bits) { return std::popcount(bits); }
constexpr int count(Bits128 bits) {
  return std::popcount(static_cast<std::uint64_t>(bits)) +
         std::popcount(static_cast<std::uint64_t>(bits >> 64));
}
constexpr int count(const Wide& bits) {
  int total = 0;
  for (auto w : bits.word) total += std::popcount(w);
  return total;
}

// The index of the lowest bit; `bits` is not empty.
constexpr int lowest(std::uint64_t bits) { return std::countr_zero(bits); }
constexpr int lowest(Bits128 bits) {
  const auto low = static_cast<std::uint64_t>(bits);
  return low ? std::countr_zero(low)
             : 64 + std::countr_zero(static_cast<std::uint64_t>(bits >> 64));
}
constexpr int lowest(const Wide& bits) {
  int i = 0;
  while (!bits.word[i]) ++i;
  return 64 * i + std::countr_zero(bits.word[i]);
}

template <class Bits>
constexpr Bits bit(int index) {
  return Bits(1) << index;
}

// A well mixed 64-bit hash (the finaliser of splitmix64: Steele, Lea and Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}
constexpr std::uint64_t hashed(std::uint64_t bits) { return mixed(bits); }
constexpr std::uint64_t hashed(Bits128 bits) {
  return mixed(static_cast<std::uint64_t>(bits) ^ mixed(static_cast<std::uint64_t>(bits >> 64)));
}
constexpr std::uint64_t hashed(const Wide& bits) {
  std::uint64_t hash = 0;
  for (auto w : bits.word) hash = mixed(hash ^ w);
  return hash;
}

// The 3x3 board, bit 3 * row + column, as in Python's noughts.games.lines.
inline constexpr unsigned board_mask = 0b111'111'111;
inline constexpr std::array<std::uint16_t, 8> lines_3x3 = {
    0b000'000'111, 0b000'111'000, 0b111'000'000, 0b001'001'001,
    0b010'010'010, 0b100'100'100, 0b100'010'001, 0b001'010'100};

// Whether the marks hold a line.
inline constexpr auto has_line_3x3 = [] {
  std::array<bool, 512> table{};
  for (unsigned marks = 0; marks < 512; ++marks)
    for (unsigned line : lines_3x3) table[marks] |= (marks & line) == line;
  return table;
}();

// The cells that would give the marks a line; all nine where they have one.
inline constexpr auto completing_3x3 = [] {
  std::array<std::uint16_t, 512> table{};
  for (unsigned marks = 0; marks < 512; ++marks)
    for (unsigned cell = 0; cell < 9; ++cell)
      if (has_line_3x3[marks | 1u << cell]) table[marks] |= 1u << cell;
  return table;
}();

}  // namespace noughts
