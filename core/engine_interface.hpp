// What every engine does, its methods and its resources.
#pragma once

#include <cstdint>
#include <string_view>

#include "search.hpp"

namespace noughts {

enum class Method { alphabeta, selective, mcts, mcts_random, solve, solve_weakly, assisted, best };

class Engine {
 public:
  virtual ~Engine() = default;
  // Return false if `text` is not a position of these rules.
  virtual bool search(std::string_view text, Method method, Control& control, const Report& report,
                      Finding& found) = 0;
  virtual bool scores(std::string_view text, Method method, Control& control,
                      const ScoresReport& report, Scores& found) = 0;
  // Clear all tables: the next search starts from nothing.
  virtual void clear() = 0;
};

// Memory of the tables, threads of alpha-beta, and the seed of all random choices.
struct Resources {
  int table_mib = 64, threads = 1;
  std::uint64_t seed = 0;
};

}  // namespace noughts
