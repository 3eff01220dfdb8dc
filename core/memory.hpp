// Memory for tables: zeroed, aligned to cache lines, and paid for only where it is touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace noughts {

// Large pages miss the TLB less often, which pays for a table that a long search fills; small ones
// cost less where little is touched.
enum class Pages { small, large };

// As many entries as asked for, all bits zero; a large one is made and cleared as quickly as a
// small one. Throws std::bad_alloc, as `new` does.
template <class Entry>
class ZeroedArray {
 public:
  explicit ZeroedArray(std::size_t size = 0, Pages pages = Pages::small)
      : size_(size), pages_(pages) {
    clear();
  }

  void clear() {
    memory_.reset();  // first, so that two never stand side by side
    std::size_t space = size_ * sizeof(Entry) + cache_line;
    memory_.reset(std::calloc(space, 1));
    if (!memory_) throw std::bad_alloc();
    if (pages_ == Pages::large) advise(memory_.get(), space);
    void* first = memory_.get();
    first_ = static_cast<Entry*>(std::align(cache_line, size_ * sizeof(Entry), first, space));
  }

  std::size_t size() const { return size_; }
  Entry& operator[](std::size_t i) const { return first_[i]; }

 private:
  static constexpr std::size_t cache_line = 64;

  // The system may take the advice or leave it.
  static void advise([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t space) {
#ifdef __linux__
    constexpr std::size_t page = 4096;
    if (std::align(page, page, memory, space)) madvise(memory, space & ~(page - 1), MADV_HUGEPAGE);
#endif
  }

  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  std::size_t size_;
  Pages pages_;
  std::unique_ptr<void, Free> memory_;
  Entry* first_ = nullptr;
};

}  // namespace noughts
