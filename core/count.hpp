// Exact counts of the positions and games of a whole game, one ply after another.
//
//     layer of ply n  ──play every move──►  layer of ply n + 1
//
// A layer holds one position of each class under the symmetries of the board, with the number of
// move sequences that lead to any position of the class. Both follow from the layer before:
// symmetric positions have symmetric moves. The first position must be symmetric itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "memory.hpp"
#include "nested.hpp"
#include "row.hpp"
#include "search.hpp"

namespace noughts {

// The least data from which a position of a known ply can be restored.
template <class Bits>
struct Key {
  Bits x{}, o{};

  friend bool operator==(const Key&, const Key&) = default;
  std::uint64_t hash() const { return mixed(hashed(x) ^ mixed(hashed(o))); }
};

// Lexicographic order of the words.
inline bool precedes(std::uint64_t a, std::uint64_t b) { return a < b; }
template <int words>
bool precedes(const Words<words>& a, const Words<words>& b) {
  return a.word < b.word;
}
#ifdef __SIZEOF_INT128__
inline bool precedes(Bits128 a, Bits128 b) { return a < b; }
#endif

inline unsigned byte_of(std::uint64_t bits, int index) { return bits >> 8 * index & 255; }
template <int words>
unsigned byte_of(const Words<words>& bits, int index) {
  return byte_of(bits.word[index / 8], index % 8);
}
#ifdef __SIZEOF_INT128__
inline unsigned byte_of(Bits128 bits, int index) {
  return static_cast<unsigned>(bits >> 8 * index) & 255;
}
#endif

// Moves bit i of a set to `image(i)`, by a table for each byte.
template <class Bits>
class Permutation {
 public:
  template <class Image>
  Permutation(int size, Image&& image) : tables_((size + 7) / 8) {
    for (int index = 0; index < size; ++index)
      for (int byte = 0; byte < 256; ++byte)
        if (byte >> index % 8 & 1) tables_[index / 8][byte] |= bit<Bits>(image(index));
  }

  Bits operator()(const Bits& bits) const {
    Bits result{};
    for (std::size_t i = 0; i < tables_.size(); ++i)
      result |= tables_[i][byte_of(bits, static_cast<int>(i))];
    return result;
  }

 private:
  std::vector<std::array<Bits, 256>> tables_;
};

// Keys and symmetries of a row game: the key is the marks.
template <class Bits>
struct RowKeys {
  using Position = RowPosition<Bits>;
  using Key = noughts::Key<Bits>;

  const RowRules<Bits>* rules;

  explicit RowKeys(const Position& start) : rules(start.rules) {}

  Key key(const Position& position) const { return {position.marks[0], position.marks[1]}; }
  Position position(const Key& key, int ply) const {
    Position result(*rules);
    result.marks[0] = key.x;
    result.marks[1] = key.o;
    result.ply = ply;
    result.outcome = result.result();
    return result;
  }

  // All but the identity.
  std::vector<Permutation<Bits>> symmetries() const {
    std::vector<Permutation<Bits>> result;
    const int number = rules->gravity ? 2 : rules->columns == rules->rows ? 8 : 4;
    for (int symmetry = 1; symmetry < number; ++symmetry)
      result.emplace_back(rules->columns * rules->stride, [&](int index) {
        if (index % rules->stride == rules->rows) return index;  // a guard, always empty
        const int cell = rules->cell_of(index);
        return rules->bit_of(image_of(cell, symmetry, rules->columns, rules->rows));
      });
    return result;
  }
};

// Keys and symmetries of a nine-board game. The words of a key:
//
//     bits  0 to 80    marks, bit 9 * board + cell
//     bits 81 to 89    boards won
//     bits 90 to 98    of x only: the board that the last move chose
struct NestedKeys {
  using Position = NestedPosition;
  using Key = noughts::Key<Bits128>;

  NestedRules rules;

  explicit NestedKeys(const Position& start) : rules(start.rules) {}

  Key key(const Position& position) const {
    Key result;
    Bits128* const words[] = {&result.x, &result.o};
    for (int player : {0, 1}) {
      *words[player] = Bits128(position.won[player]) << 81;
      for (int board = 0; board < 9; ++board)
        *words[player] |= Bits128(position.boards[player][board]) << 9 * board;
    }
    if (position.target != Position::no_target) result.x |= bit<Bits128>(90 + position.target);
    return result;
  }

  Position position(const Key& key, int ply) const {
    Position result(rules);
    const Bits128 words[] = {key.x, key.o};
    const auto nine = [&](int player, int first) {
      return byte_of(words[player] >> first, 0) | (has(words[player], first + 8) ? 256u : 0u);
    };
    for (int player : {0, 1}) {
      for (int board = 0; board < 9; ++board)
        result.boards[player][board] = static_cast<std::uint16_t>(nine(player, 9 * board));
      result.won[player] = static_cast<std::uint16_t>(nine(player, 81));
    }
    if (const unsigned target = nine(0, 90))
      result.target = static_cast<std::uint8_t>(std::countr_zero(target));
    result.ply = static_cast<std::uint8_t>(ply);
    result.settle();
    return result;
  }

  std::vector<Permutation<Bits128>> symmetries() const {
    std::vector<Permutation<Bits128>> result;
    for (int symmetry = 1; symmetry < noughts::symmetries; ++symmetry) {
      const auto turned = [&](int cell) { return image_of(cell, symmetry, 3, 3); };
      result.emplace_back(99, [&](int index) {
        return index < 81 ? 9 * turned(index / 9) + turned(index % 9)
                          : index / 9 * 9 + turned(index % 9);
      });
    }
    return result;
  }
};

template <class Bits>
RowKeys<Bits> keys_of(const RowPosition<Bits>& start) {
  return RowKeys<Bits>(start);
}
inline NestedKeys keys_of(const NestedPosition& start) { return NestedKeys(start); }

// The counts of a kind of positions in one ply.
struct Tally {
  std::uint64_t classes = 0, positions = 0;
  Words<2> sequences;  // of moves that lead to these positions
};

// The positions of one ply, by their outcome.
using Layer = std::array<Tally, 4>;

// Why a count ended: the game has no further positions, or a bound was reached.
enum class CountEnd { complete, plies, seconds, memory, overflow };

template <class Keys>
class PositionCount {
 public:
  using Position = typename Keys::Position;
  using Key = typename Keys::Key;

  PositionCount(const Position& start, std::uint64_t bytes)
      : keys_(keys_of(start)), symmetries_(keys_.symmetries()), max_bytes_(bytes) {
    add(keys_.key(start), 1);
    ply_ = start.ply;
  }

  // Call `report` with each complete layer.
  CountEnd run(int plies, Control& control, const std::function<void(const Layer&)>& report) {
    for (;;) {
      Layer layer;
      if (!tally(layer, control)) return CountEnd::seconds;
      report(layer);
      if (!layer[static_cast<int>(Outcome::going_on)].classes) return CountEnd::complete;
      if (plies-- == 0) return CountEnd::plies;
      if (const auto end = expand(control)) return *end;
    }
  }

 private:
  struct Entry {
    Key key;
    std::uint64_t sequences;  // 0 in an empty slot
  };

  // Open addressing; a layer has many small tables, since each grows alone and is freed alone.
  struct Shard {
    ZeroedArray<Entry> slots;
    std::size_t used = 0;

    Entry& find(const Key& key, std::uint64_t hash) const {
      std::size_t index = hash & (slots.size() - 1);
      while (slots[index].sequences && !(slots[index].key == key))
        index = (index + 1) & (slots.size() - 1);
      return slots[index];
    }
  };
  static constexpr int shards = 256, first_slots = 16;

  // Visit the unfinished and finished positions of a shard until `visit` returns false.
  template <class Visit>
  bool visit_all(const Shard& shard, Control& control, Visit&& visit) {
    for (std::size_t i = 0; i < shard.slots.size(); ++i)
      if (const Entry& entry = shard.slots[i]; entry.sequences)
        if (control.must_stop(++visited_) || !visit(entry, keys_.position(entry.key, ply_)))
          return false;
    return true;
  }

  // Count the positions of `next_`; return false if the time is up.
  bool tally(Layer& layer, Control& control) {
    for (const auto& shard : next_) {
      const bool done = visit_all(shard, control, [&](const Entry& entry, const Position& place) {
        Tally& sum = layer[static_cast<int>(place.outcome)];
        int same = 1;
        for (const auto& symmetry : symmetries_)
          same += symmetry(entry.key.x) == entry.key.x && symmetry(entry.key.o) == entry.key.o;
        sum.classes += 1;
        sum.positions += (symmetries_.size() + 1) / same;
        sum.sequences = sum.sequences + entry.sequences;
        return true;
      });
      if (!done) return false;
    }
    return true;
  }

  // Replace `next_` by the layer after it, or return why that is impossible.
  std::optional<CountEnd> expand(Control& control) {
    auto current = std::exchange(next_, std::vector<Shard>(shards));
    for (auto& shard : current) {
      std::optional<CountEnd> end;
      MoveList list;
      const bool done = visit_all(shard, control, [&](const Entry& entry, const Position& place) {
        place.moves(list);
        for (int move : list) {
          Position after = place;
          after.play(move);
          if ((end = add(keys_.key(after), entry.sequences))) return false;
        }
        return true;
      });
      if (!done) return end ? end : CountEnd::seconds;
      bytes_ -= shard.slots.size() * sizeof(Entry);
      shard = Shard();
    }
    ++ply_;
    return std::nullopt;
  }

  // Add sequences to the class of a key, or return why that is impossible.
  std::optional<CountEnd> add(const Key& key, std::uint64_t sequences) {
    const Key form = canonical(key);
    const std::uint64_t hash = form.hash();
    Shard& shard = next_[hash >> 56];
    if (4 * (shard.used + 1) > 3 * shard.slots.size() && !grow(shard)) return CountEnd::memory;
    Entry& entry = shard.find(form, hash);
    if (!entry.sequences) {
      entry.key = form;
      ++shard.used;
    }
    entry.sequences += sequences;
    if (entry.sequences < sequences) return CountEnd::overflow;
    return std::nullopt;
  }

  bool grow(Shard& shard) {
    const std::size_t size = shard.slots.size() ? 2 * shard.slots.size() : first_slots;
    bytes_ += size * sizeof(Entry);
    if (bytes_ > max_bytes_) return false;
    Shard larger{ZeroedArray<Entry>(size), shard.used};
    for (std::size_t i = 0; i < shard.slots.size(); ++i)
      if (const Entry& entry = shard.slots[i]; entry.sequences)
        larger.find(entry.key, entry.key.hash()) = entry;
    bytes_ -= shard.slots.size() * sizeof(Entry);
    shard = std::move(larger);
    return true;
  }

  // The first of a key's images under all symmetries.
  Key canonical(const Key& key) const {
    Key first = key;
    for (const auto& symmetry : symmetries_) {
      const auto x = symmetry(key.x);
      if (precedes(first.x, x)) continue;
      const Key image{x, symmetry(key.o)};
      if (!(x == first.x) || precedes(image.o, first.o)) first = image;
    }
    return first;
  }

  Keys keys_;
  std::vector<Permutation<decltype(Key::x)>> symmetries_;
  std::vector<Shard> next_ = std::vector<Shard>(shards);
  int ply_ = 0;
  std::uint64_t bytes_ = 0, max_bytes_, visited_ = 0;
};

// Count the positions that can follow from a symmetric one: to the end of the game, or for at most
// `plies` plies, in tables of at most `bytes` bytes. `report` gets each complete layer.
template <class Position>
CountEnd count_positions(const Position& start, int plies, std::uint64_t bytes, Control& control,
                         const std::function<void(const Layer&)>& report) {
  using Keys = decltype(keys_of(start));
  return PositionCount<Keys>(start, bytes).run(plies, control, report);
}

}  // namespace noughts
