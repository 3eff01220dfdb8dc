// What the threads of an alpha-beta search share: the table of positions, and who searches what.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>

#include "bits.hpp"
#include "memory.hpp"

namespace noughts {

// Transposition table: buckets of four entries, one cache line each. It starts with 1 MiB and grows
// fourfold whenever half of that is full: the first access to a page costs more than a node. Then
// each store moves one bucket, since all at once would take a tenth of a second. Threads share it
// without locks: an entry that two threads wrote at once has the key of neither (Hyatt and Mann
// 2002). One thread of a search makes it grow; meanwhile another one can miss entries.
class Table {
 public:
  enum Bound : std::uint8_t { none, upper, lower, exact };  // `exact` has the bits of both others

  struct Entry {
    std::int16_t score;  // wins and losses counted from this position
    std::int16_t move;
    std::uint8_t depth;
    std::uint8_t age;
    Bound bound;
    std::uint8_t unused = 0;
  };
  static_assert(sizeof(Entry) == 8);

  explicit Table(std::size_t mib)
      : buckets_(std::max<std::size_t>(mib, 1) * (1 << 20) / sizeof(Bucket)) {}

  void clear() {
    buckets_.clear();
    in_use_ = first_buckets;
    unmoved_ = filled_ = 0;
  }

  // Prepare for a search with `plies_left` plies to the end of the game. It has at most
  // 3^plies_left positions and uses only a part of the table that holds them all: few pages for a
  // short game.
  void new_search(int plies_left, std::size_t threads) {
    ++age_;
    max_in_use_ = 1;
    for (int ply = 1; ply < plies_left && max_in_use_ < buckets_.size(); ++ply) max_in_use_ *= 3;
    max_in_use_ = std::min(max_in_use_, buckets_.size());
    if (in_use_ > max_in_use_) in_use_ = max_in_use_, unmoved_ = 0;
    threads_ = threads;
  }

  std::optional<Entry> find(std::uint64_t key) const {
    for (const Slot& slot : bucket(key).slot) {
      const std::uint64_t content = slot.content.load(std::memory_order_relaxed);
      if ((slot.check.load(std::memory_order_relaxed) ^ content) != key) continue;
      const auto entry = std::bit_cast<Entry>(content);
      if (entry.bound != none) return entry;
    }
    return {};
  }

  // Replace the entry of the same position, else the entry of the oldest search with the smallest
  // depth. `grows` is true in one thread of a search.
  void store(std::uint64_t key, int depth, int score, Bound bound, int move, bool grows = true) {
    Slot* victim = nullptr;
    Entry old{};
    bool same = false;
    int least = std::numeric_limits<int>::max();
    for (Slot& slot : bucket(key).slot) {
      const std::uint64_t content = slot.content.load(std::memory_order_relaxed);
      const auto entry = std::bit_cast<Entry>(content);
      same = (slot.check.load(std::memory_order_relaxed) ^ content) == key;
      const int worth = entry.depth - 256 * static_cast<std::uint8_t>(age_ - entry.age);
      if (same || entry.bound == none || worth < least) victim = &slot, old = entry, least = worth;
      if (same || entry.bound == none) break;
    }
    if (move < 0 && same && old.bound != none) move = old.move;
    const Entry entry{static_cast<std::int16_t>(score), static_cast<std::int16_t>(move),
                      static_cast<std::uint8_t>(std::min(depth, 255)), age_, bound};
    write(*victim, key, std::bit_cast<std::uint64_t>(entry));
    if (!grows) return;
    filled_ += old.bound == none || (threads_ > 1 && !same);  // others fill it meanwhile
    if (unmoved_ > 0) move_bucket();
    else if (threads_ * filled_ > 2 * in_use_ && in_use_ < max_in_use_) grow();
  }

  // The share of entries that this search has written, from a sample.
  double use() const {
    const std::size_t in_use = in_use_;
    const std::size_t sample = std::min<std::size_t>(in_use, 1000);
    int used = 0;
    for (std::size_t i = 0; i < sample; ++i)
      for (const Slot& slot : buckets_[i].slot) {
        const auto entry = std::bit_cast<Entry>(slot.content.load(std::memory_order_relaxed));
        used += entry.bound != none && entry.age == age_;
      }
    return used / (4.0 * static_cast<double>(sample)) * static_cast<double>(in_use) /
           static_cast<double>(max_in_use_);
  }

 private:
  // `check` is the key, exclusive or the content.
  struct Slot {
    std::atomic<std::uint64_t> check, content;
  };
  struct alignas(64) Bucket {
    Slot slot[4];
  };
  static_assert(sizeof(Bucket) == 64);

  static constexpr std::size_t first_buckets = 1 << 14;

  Bucket& bucket(std::uint64_t key) const {
    if (const std::size_t unmoved = unmoved_.load(std::memory_order_relaxed); unmoved > 0) {
      const std::size_t from = moved_from_.load(std::memory_order_relaxed);
      if (const std::size_t old = upper_product(key, from); old < unmoved) return buckets_[old];
    }
    return buckets_[upper_product(key, in_use_.load(std::memory_order_relaxed))];
  }

  // Bring more buckets into use, to which `move_bucket` then moves the entries.
  void grow() {
    while (unmoved_ > 0) move_bucket();
    const std::size_t now = in_use_;
    moved_from_ = now;
    unmoved_ = now;
    in_use_ = std::min(4 * now, max_in_use_);
  }

  // Move the entries of the last bucket that is not moved. Their new buckets are never earlier.
  void move_bucket() {
    const std::size_t from = unmoved_.load(std::memory_order_relaxed) - 1;
    unmoved_.store(from, std::memory_order_relaxed);
    for (Slot& slot : buckets_[from].slot) {
      const std::uint64_t content = slot.content.exchange(0, std::memory_order_relaxed);
      const std::uint64_t key = slot.check.exchange(0, std::memory_order_relaxed) ^ content;
      if (std::bit_cast<Entry>(content).bound == none) continue;
      auto& slots = bucket(key).slot;
      const auto free = std::find_if(std::begin(slots), std::end(slots), [](const Slot& each) {
        return each.content.load(std::memory_order_relaxed) == 0;
      });
      if (free == std::end(slots)) --filled_;
      else write(*free, key, content);
    }
  }

  static void write(Slot& slot, std::uint64_t key, std::uint64_t content) {
    slot.check.store(key ^ content, std::memory_order_relaxed);
    slot.content.store(content, std::memory_order_relaxed);
  }

  ZeroedArray<Bucket> buckets_;
  std::size_t max_in_use_ = buckets_.size();        // buckets
  std::atomic<std::size_t> in_use_{first_buckets};  // buckets
  std::atomic<std::size_t> moved_from_{0};          // buckets before the last growth
  std::atomic<std::size_t> unmoved_{0};             // of these, still to be moved
  std::size_t filled_ = 0;                          // by the thread that makes the table grow
  std::size_t threads_ = 1;
  std::uint8_t age_ = 0;
};

// The moves that threads search at the moment. A thread that comes to one of them tries its others
// first, so that two threads rarely search the same subtree ("simplified ABDADA": Kerrigan 2016).
class Busy {
 public:
  bool has(std::uint64_t key) const { return slot(key).load(std::memory_order_relaxed) == key; }
  void begin(std::uint64_t key) { slot(key).store(key, std::memory_order_relaxed); }
  void end(std::uint64_t key) {
    if (has(key)) slot(key).store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t size = 4096;
  std::atomic<std::uint64_t>& slot(std::uint64_t key) { return slots_[key % size]; }
  const std::atomic<std::uint64_t>& slot(std::uint64_t key) const { return slots_[key % size]; }

  std::array<std::atomic<std::uint64_t>, size> slots_{};
};

}  // namespace noughts
