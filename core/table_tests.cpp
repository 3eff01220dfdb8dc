// Tests of the table that threads share, for the sanitizer of threads: exit status 0 if all pass.
//
// tests/threads.py calls the searches themselves from several threads.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

#include "checking.hpp"
#include "table.hpp"

using namespace noughts;

// One thread makes the table grow while others store.
int main() {
  constexpr int threads = 3, size = 100'000;
  Table table(9);
  table.new_search(100, threads);
  const auto key_of = [](int i) { return mixed(static_cast<std::uint64_t>(i)); };
  std::atomic<bool> wrong{false};
  const auto check = [&](int i) {
    const auto entry = table.find(key_of(i));
    if (entry && (entry->score != i % 999 || entry->move != i % 81)) wrong = true;
    return entry.has_value();
  };
  std::vector<std::thread> running;
  for (int first = 0; first < threads; ++first)
    running.emplace_back([&, first] {
      for (int i = first; i < threads * size; i += threads) {
        table.store(key_of(i), i % 50, i % 999, Table::exact, i % 81, first == 0);
        check(i / 2);
        if (table.find(~key_of(i))) wrong = true;
      }
    });
  for (std::thread& each : running) each.join();
  int kept = 0;
  for (int i = 0; i < threads * size; ++i) kept += check(i);
  CHECK(!wrong);
  CHECK(kept > size);  // its first size has space for 65,536
  std::puts("all tests of the table passed");
}
