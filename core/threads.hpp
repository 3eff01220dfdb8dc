// The threads of a search: only this file starts any.
//
// A build for WebAssembly cannot start threads. With shared memory, other workers of the page lend
// theirs before a search (`shared.hpp`); without it, `start` refuses, as a system that has no more.
#pragma once

#if !defined(__wasm__)
#include <system_error>
#include <thread>
#include <utility>
#include <vector>
#elif defined(__wasm_atomics__)
#include <utility>
#include <vector>

#include "shared.hpp"
#endif

namespace noughts {

// Threads that are awaited at the end of their scope.
class Threads {
 public:
  // Run `work` in a new thread; return whether there is one.
  template <class Work>
  bool start([[maybe_unused]] Work&& work) {
#if !defined(__wasm__)
    try {
      threads_.emplace_back(std::forward<Work>(work));
    } catch (const std::system_error&) {
      return false;
    }
    return true;
#elif defined(__wasm_atomics__)
    Helper* const helper = free_helper();
    if (helper == nullptr) return false;
    helper->begin(std::forward<Work>(work));
    helpers_.push_back(helper);
    return true;
#else
    return false;
#endif
  }

#if !defined(__wasm__) || defined(__wasm_atomics__)
  Threads() = default;
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
#endif

#if !defined(__wasm__)
  ~Threads() {
    for (std::thread& each : threads_) each.join();
  }

 private:
  std::vector<std::thread> threads_;
#elif defined(__wasm_atomics__)
  ~Threads() {
    for (Helper* each : helpers_) each->join();
  }

 private:
  std::vector<Helper*> helpers_;
#endif
};

}  // namespace noughts
