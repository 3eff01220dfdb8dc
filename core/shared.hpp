// Threads in shared memory of WebAssembly: workers of the page that lend their threads.
//
//     absent ──help──► free ──begin──► busy ──► free …          a fault ──► absent
//
// Each worker has an instance of the module on the same memory, with its stack, and waits in
// `help`. The C library is built for one thread: its memory functions are wrapped with a lock, and
// helpers call no other function of it that keeps a state.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <utility>

namespace noughts {

// Wait until the number is no longer `value`.
inline void wait_while(std::atomic<int>& number, int value) {
  while (number.load() == value)
    __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&number), value, -1);
}
inline void set_and_wake(std::atomic<int>& number, int value) {
  number.store(value);
  __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&number), ~0u);
}

// The thread of a worker.
class Helper {
 public:
  enum State { absent, free, busy };

  // The loader sets it to `absent` if the worker fails.
  std::atomic<int> state{absent};

  void begin(std::function<void()> work) {
    work_ = std::move(work);
    set_and_wake(state, busy);
  }
  void join() { wait_while(state, busy); }
  // Work for others; does not return.
  [[noreturn]] void help() {
    set_and_wake(state, free);
    for (;;) {
      wait_while(state, free);
      work_();
      work_ = nullptr;
      set_and_wake(state, free);
    }
  }

 private:
  std::function<void()> work_;
};

inline constexpr int max_helpers = 31;
inline Helper helpers[max_helpers];

inline Helper* free_helper() {
  for (Helper& each : helpers)
    if (each.state == Helper::free) return &each;
  return nullptr;
}

// Excludes other threads in its scope.
class Lock {
 public:
  Lock() {
    while (taken_.exchange(1) != 0) wait_while(taken_, 1);
  }
  ~Lock() { set_and_wake(taken_, 0); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  static inline std::atomic<int> taken_{0};
};

}  // namespace noughts

// The linker's option --wrap gives these names.
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* memory, std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
int __real_posix_memalign(void** memory, std::size_t alignment, std::size_t size);
void __real_free(void* memory);

void* __wrap_malloc(std::size_t size) {
  const noughts::Lock lock;
  return __real_malloc(size);
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
  const noughts::Lock lock;
  return __real_calloc(count, size);
}
void* __wrap_realloc(void* memory, std::size_t size) {
  const noughts::Lock lock;
  return __real_realloc(memory, size);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  const noughts::Lock lock;
  return __real_aligned_alloc(alignment, size);
}
int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  const noughts::Lock lock;
  return __real_posix_memalign(memory, alignment, size);
}
void __wrap_free(void* memory) {
  const noughts::Lock lock;
  __real_free(memory);
}
}
