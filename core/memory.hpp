// Memory for tables: zeroed, aligned to cache lines; the system provides a page at its first use.
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

// Start to load a cache line; does nothing where the compiler has no such hint.
inline void prefetch([[maybe_unused]] const void* line) {
#ifdef __GNUC__
  __builtin_prefetch(line);
#endif
}

// Large pages cause fewer TLB misses, which pays in a table that a long search fills; small pages
// cost less where a search uses little of the table.
enum class Pages { small, large };

// An array of `size` entries with all bits zero. A large array is made and cleared in the time of
// the pages in use: it comes from the system, not from `calloc`, which zeroes memory that it has
// kept. Throws std::bad_alloc, as `new` does.
template <class Entry>
class ZeroedArray {
 public:
  explicit ZeroedArray(std::size_t size = 0, Pages pages = Pages::small)
      : size_(size), pages_(pages) {
    clear();
  }

  void clear() {
    memory_.reset();  // first, so that there are never two
    std::size_t space = size_ * sizeof(Entry) + cache_line;
    memory_ = zeroed(space);
    if (!memory_) refuse();
    if (pages_ == Pages::large) advise(memory_.get(), space);
    void* first = memory_.get();
    first_ = static_cast<Entry*>(std::align(cache_line, size_ * sizeof(Entry), first, space));
  }

  std::size_t size() const { return size_; }
  Entry& operator[](std::size_t i) const { return first_[i]; }

 private:
  static constexpr std::size_t cache_line = 64;

  // A build without exceptions has a handler that does not return.
  [[noreturn]] static void refuse() {
#ifdef __cpp_exceptions
    throw std::bad_alloc();
#else
    std::get_new_handler()();
    std::abort();
#endif
  }

  // Ask for large pages; the system may refuse.
  static void advise([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t space) {
#ifdef __linux__
    constexpr std::size_t page = 4096;
    if (std::align(page, page, memory, space)) madvise(memory, space & ~(page - 1), MADV_HUGEPAGE);
#endif
  }

  // `mapped` is the size of memory that the system gave, 0 for that of `calloc`.
  struct Free {
    std::size_t mapped = 0;

    void operator()(void* memory) const {
#ifdef __linux__
      if (mapped > 0) return void(munmap(memory, mapped));
#endif
      std::free(memory);
    }
  };
  using Memory = std::unique_ptr<void, Free>;

  static Memory zeroed(std::size_t space) {
#ifdef __linux__
    if (space >= 1 << 20) {
      void* memory =
          mmap(nullptr, space, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      return {memory == MAP_FAILED ? nullptr : memory, Free{space}};
    }
#endif
    return {std::calloc(space, 1), Free{}};
  }

  std::size_t size_;
  Pages pages_;
  Memory memory_;
  Entry* first_ = nullptr;
};

}  // namespace noughts
