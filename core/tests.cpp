// The core's own tests, for the sanitizers: exit status 0 if all hold.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "notation.hpp"

using namespace noughts;

#define CHECK(condition)                                                   \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                        \
    }                                                                      \
  } while (false)

namespace {

std::uint64_t perft_of(const std::string& text, int depth) {
  std::uint64_t nodes = 0;
  CHECK(visit_position(text, [&](const auto& position) { nodes = perft(position, depth); }));
  return nodes;
}

const std::string empty_nested = "9.9.9.9.9.9.9.9.9";

void test_perft() {
  CHECK(perft_of("basic~3.3.3~X", 9) == 127872);
  CHECK(perft_of("connect4~7.7.7.7.7.7~X", 7) == 823536);
  CHECK(perft_of("connect4:9,9~9.9.9.9.9.9.9.9.9~X", 4) == 6561);
  CHECK(perft_of("ultimate~" + empty_nested + "~X~-", 5) == 473256);
  CHECK(perft_of("ultimate:won=open~" + empty_nested + "~X~-~---------", 5) == 473256);
  CHECK(perft_of("advanced:full=draw~" + empty_nested + "~X~-", 5) == 473256);
}

// Plays to the end at random, over all games and widths of bits.
void test_random_games() {
  const std::string nineteen = [] {
    std::string rows = "19";
    for (int row = 1; row < 19; ++row) rows += ".19";
    return rows;
  }();
  const std::string starts[] = {
      "basic~3.3.3~X",
      "mnk:3,3,3,misere~3.3.3~X",
      "mnk:9,9,5~" + empty_nested + "~X",
      "mnk:19,19,5~" + nineteen + "~X",
      "connect4~7.7.7.7.7.7~X",
      "connect4:9,9~" + empty_nested + "~X",
      "advanced~" + empty_nested + "~X~-",
      "ultimate:tie=boards,won=open~" + empty_nested + "~X~-~---------",
  };
  std::uint64_t seed = 1;
  for (const auto& start : starts)
    for (int game = 0; game < 200; ++game)
      CHECK(visit_position(start, [&](auto position) {
        MoveList list;
        for (position.moves(list); list.size; position.moves(list)) {
          CHECK(list.size == position.count_moves());
          seed = mixed(seed);
          position.play(list.move[seed % list.size]);
        }
        CHECK(position.outcome != Outcome::going_on);
      }));
}

void test_texts_that_are_no_positions() {
  for (const char* text :
       {"", "~", "~~~", "basic", "basic~3.3~X", "basic~4.3.3~X", "basic~Z2.3.3~X", "mnk:0,3,3~3~X",
        "mnk:99,1,1~9~X", "mnk:3,3,3,~3.3.3~X", "connect4:1~7~X", "ultimate~9~X~-",
        "ultimate~9.9.9.9.9.9.9.9.9~X~0", "ultimate:won=open~9.9.9.9.9.9.9.9.9~X~-~--",
        "basic~99999999999.3.3~X", "basic~3.3.3~X~1~2"})
    if (visit_position(text, [](const auto&) {})) {
      std::fprintf(stderr, "read as a position: %s\n", text);
      std::exit(1);
    }
}

}  // namespace

int main() {
  test_perft();
  test_random_games();
  test_texts_that_are_no_positions();
  std::puts("all tests of the core passed");
}
