// Results by the hashes of positions, in buckets of four entries.
//
//     63   hash, without its first `bits` bits | result, `bits` bits   0
//
// The bucket is selected by the whole hash. The other tables differ for a reason: `Table` is shared
// by threads without locks, `BoundTable` has exact keys, and the proof searches keep two numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bits.hpp"
#include "memory.hpp"

namespace noughts {

template <int bits>
class HashTable {
 public:
  explicit HashTable(std::size_t bytes = 0)
      : buckets_(std::max<std::size_t>(1, bytes / sizeof(Bucket))) {}

  void clear() { buckets_.clear(); }

  // Call `visit` with each result of a hash until it returns true.
  template <class Visit>
  void find(std::uint64_t hash, Visit&& visit) const {
    for (const std::uint64_t entry : bucket(hash).entry)
      if (entry >> bits == tag(hash) && visit(entry & mask)) return;
  }

  // Replace the result of a hash that is `same`, else the one of least worth, by what `result`
  // returns; it gets the old result, or 0 in place of another hash's.
  template <class Same, class Worth, class Result>
  void store(std::uint64_t hash, Same&& same, Worth&& worth, Result&& result) {
    auto& entries = bucket(hash).entry;
    std::uint64_t* slot = &entries[0];
    std::uint64_t old = 0;
    for (std::uint64_t& entry : entries) {
      if (entry >> bits == tag(hash) && same(entry & mask)) {
        slot = &entry;
        old = entry & mask;
        break;
      }
      if (worth(entry & mask) < worth(*slot & mask)) slot = &entry;
    }
    *slot = hash << bits | result(old);
  }

  // The share of entries in use, from a sample.
  double use() const {
    const std::size_t sample = std::min<std::size_t>(buckets_.size(), 4096);
    int used = 0;
    for (std::size_t i = 0; i < sample; ++i)
      for (const std::uint64_t entry : buckets_[i].entry) used += entry != 0;
    return used / (4.0 * static_cast<double>(sample));
  }

 private:
  struct Bucket {
    std::uint64_t entry[4];
  };
  static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;

  static std::uint64_t tag(std::uint64_t hash) { return hash & ~std::uint64_t{0} >> bits; }
  Bucket& bucket(std::uint64_t hash) const {
    return buckets_[upper_product(hash, buckets_.size())];
  }

  ZeroedArray<Bucket> buckets_;
};

}  // namespace noughts
