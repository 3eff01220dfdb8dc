// The threads of a search: only this file starts any.
//
// A build for WebAssembly has none: `start` then refuses, as a system that has no more threads.
#pragma once

#ifndef __wasm__
#include <system_error>
#include <thread>
#include <utility>
#include <vector>
#endif

namespace noughts {

// Threads that are awaited at the end of their scope.
class Threads {
 public:
  // Run `work` in a new thread; return whether there is one.
  template <class Work>
  bool start([[maybe_unused]] Work&& work) {
#ifdef __wasm__
    return false;
#else
    try {
      threads_.emplace_back(std::forward<Work>(work));
    } catch (const std::system_error&) {
      return false;
    }
    return true;
#endif
  }

#ifndef __wasm__
  Threads() = default;
  ~Threads() {
    for (std::thread& each : threads_) each.join();
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  std::vector<std::thread> threads_;
#endif
};

}  // namespace noughts
