// Sets of cells as bits, in three widths, and the tables of a 3x3 board.
//
//     Bits64    up to 64 bits    Connect Four 7x6, most m,n,k boards
//     Bits128   up to 128        Connect Four 9x9, 10x10 boards
//     Wide      up to 448        20x20
//
// All three have the same operations: one position template serves them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace noughts {

using Bits64 = std::uint64_t;

// A number of 64 * `words` bits, least significant word first.
template <int words>
struct Words {
  std::array<std::uint64_t, words> word{};

  constexpr Words() = default;
  constexpr Words(std::uint64_t low) : word{low} {}  // NOLINT: implicit, as for the other widths

  friend constexpr bool operator==(const Words&, const Words&) = default;
  explicit constexpr operator bool() const {
    std::uint64_t any = 0;
    for (auto w : word) any |= w;
    return any != 0;
  }
  constexpr Words operator~() const {
    Words result;
    for (int i = 0; i < words; ++i) result.word[i] = ~word[i];
    return result;
  }
  constexpr Words& operator&=(const Words& other) {
    for (int i = 0; i < words; ++i) word[i] &= other.word[i];
    return *this;
  }
  constexpr Words& operator|=(const Words& other) {
    for (int i = 0; i < words; ++i) word[i] |= other.word[i];
    return *this;
  }
  constexpr Words& operator^=(const Words& other) {
    for (int i = 0; i < words; ++i) word[i] ^= other.word[i];
    return *this;
  }
  friend constexpr Words operator&(Words a, const Words& b) { return a &= b; }
  friend constexpr Words operator|(Words a, const Words& b) { return a |= b; }
  friend constexpr Words operator^(Words a, const Words& b) { return a ^= b; }
  friend constexpr Words operator+(const Words& a, const Words& b) {
    Words sum;
    std::uint64_t carry = 0;
    for (int i = 0; i < words; ++i) {
      const std::uint64_t partial = a.word[i] + carry;
      carry = partial < carry;
      sum.word[i] = partial + b.word[i];
      carry += sum.word[i] < partial;
    }
    return sum;
  }
  friend constexpr Words operator-(const Words& a, const Words& b) { return a + ~b + 1; }
  friend constexpr Words operator<<(const Words& a, int shift) {
    Words result;
    const int whole = shift / 64, part = shift % 64;
    for (int i = words - 1; i >= whole; --i) {
      result.word[i] = a.word[i - whole] << part;
      if (part && i > whole) result.word[i] |= a.word[i - whole - 1] >> (64 - part);
    }
    return result;
  }
  friend constexpr Words operator>>(const Words& a, int shift) {
    Words result;
    const int whole = shift / 64, part = shift % 64;
    for (int i = 0; i + whole < words; ++i) {
      result.word[i] = a.word[i + whole] >> part;
      if (part && i + whole + 1 < words) result.word[i] |= a.word[i + whole + 1] << (64 - part);
    }
    return result;
  }
};

#ifdef __SIZEOF_INT128__
__extension__ using Bits128 = unsigned __int128;  // up to three times as fast as the words
#else
using Bits128 = Words<2>;
#endif
using Wide = Words<7>;

constexpr int count(std::uint64_t bits) { return std::popcount(bits); }
template <int words>
constexpr int count(const Words<words>& bits) {
  int total = 0;
  for (auto w : bits.word) total += std::popcount(w);
  return total;
}

// The index of the lowest set bit; `bits` must not be 0.
constexpr int lowest(std::uint64_t bits) { return std::countr_zero(bits); }
template <int words>
constexpr int lowest(const Words<words>& bits) {
  int i = 0;
  while (!bits.word[i]) ++i;
  return 64 * i + std::countr_zero(bits.word[i]);
}

template <class Bits>
constexpr Bits bit(int index) {
  return Bits(1) << index;
}

// Whether bit `index` is set.
constexpr bool has(std::uint64_t bits, int index) { return bits >> index & 1; }
template <int words>
constexpr bool has(const Words<words>& bits, int index) {
  return bits.word[static_cast<unsigned>(index) / 64] >> static_cast<unsigned>(index) % 64 & 1;
}

// A 64-bit hash (the finaliser of splitmix64: Steele, Lea and Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}
constexpr std::uint64_t hashed(std::uint64_t bits) { return mixed(bits); }
template <int words>
constexpr std::uint64_t hashed(const Words<words>& bits) {
  std::uint64_t hash = 0;
  // The last word is empty on boards of up to 384 bits.
  const int used = words > 2 && !bits.word[words - 1] ? words - 1 : words;
  for (int i = used; i-- > 0;) hash = mixed(hash ^ bits.word[i]);
  return hash;
}

constexpr Words<2> words_of(const Words<2>& bits) { return bits; }
#ifdef __SIZEOF_INT128__
constexpr Words<2> words_of(Bits128 bits) {
  Words<2> halves(static_cast<std::uint64_t>(bits));
  halves.word[1] = static_cast<std::uint64_t>(bits >> 64);
  return halves;
}
constexpr int count(Bits128 bits) { return count(words_of(bits)); }
constexpr int lowest(Bits128 bits) { return lowest(words_of(bits)); }
constexpr bool has(Bits128 bits, int index) { return bits >> index & 1; }
constexpr std::uint64_t hashed(Bits128 bits) { return hashed(words_of(bits)); }
#endif

// The upper 64 bits of the 128-bit product.
constexpr std::uint64_t upper_product(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
  return static_cast<std::uint64_t>(static_cast<Bits128>(a) * b >> 64);
#else
  constexpr std::uint64_t half = 0xffff'ffff;
  const std::uint64_t cross = (a >> 32) * (b & half) + ((a & half) * (b & half) >> 32);
  return (a >> 32) * (b >> 32) + (cross >> 32) + (((a & half) * (b >> 32) + (cross & half)) >> 32);
#endif
}

// The 3x3 board, bit 3 * row + column, as in Python's noughts.games.lines.
inline constexpr unsigned board_mask = 0b111'111'111;
inline constexpr std::array<std::uint16_t, 8> lines_3x3 = {
    0b000'000'111, 0b000'111'000, 0b111'000'000, 0b001'001'001,
    0b010'010'010, 0b100'100'100, 0b100'010'001, 0b001'010'100};

// Whether the marks contain a line.
inline constexpr auto has_line_3x3 = [] {
  std::array<bool, 512> table{};
  for (unsigned marks = 0; marks < 512; ++marks)
    for (unsigned line : lines_3x3) table[marks] |= (marks & line) == line;
  return table;
}();

// The cells that complete a line of the marks; all nine if they already contain one.
inline constexpr auto completing_3x3 = [] {
  std::array<std::uint16_t, 512> table{};
  for (unsigned marks = 0; marks < 512; ++marks)
    for (unsigned cell = 0; cell < 9; ++cell)
      if (has_line_3x3[marks | 1u << cell]) table[marks] |= 1u << cell;
  return table;
}();

// Whether at least two bits are set.
template <class Bits>
constexpr bool has_two(const Bits& bits) {
  return bool(bits & (bits - 1));
}

}  // namespace noughts
