// What every engine does, its methods and its resources.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "notation.hpp"
#include "search.hpp"
#include "tactics.hpp"

namespace noughts {

enum class Method { alphabeta, selective, mcts, mcts_random, solve, solve_weakly, assisted, best };

// How urgent each move of a position is, by its number.
inline std::vector<int> urgencies(std::string_view text) {
  std::vector<int> found;
  visit_position(text, [&](const auto& position) {
    MoveList moves;
    position.moves(moves);
    for (const int move : moves) {
      found.resize(std::max<std::size_t>(found.size(), move + 1));
      found[move] = urgency(position, move);
    }
  });
  return found;
}

// If the best move loses: of those that lose as late, put the most urgent one first.
inline void put_urgent_first(Scores& scores, const std::vector<int>& wanted) {
  if (scores.empty() || !is_loss(scores[0].second.score)) return;
  std::size_t first = 0;
  for (std::size_t i = 1; i < scores.size(); ++i) {
    if (scores[i].second.score != scores[0].second.score) break;
    if (wanted[scores[i].first] > wanted[scores[first].first]) first = i;
  }
  for (; first > 0; --first) std::swap(scores[first - 1], scores[first]);
}

class Engine {
 public:
  virtual ~Engine() = default;
  // Return false if `text` is not a position of these rules.
  virtual bool search(std::string_view text, Method method, Control& control, const Report& report,
                      Finding& found) = 0;
  virtual bool value_moves(std::string_view text, Method method, Control& control,
                           const ScoresReport& report, Scores& found) = 0;
  // As `value_moves`; of the moves that lose latest, the most urgent one comes first.
  bool scores(std::string_view text, Method method, Control& control, const ScoresReport& report,
              Scores& found) {
    const std::vector<int> wanted = urgencies(text);
    ScoresReport ordered;
    if (report)
      ordered = [&](Scores scores) {
        put_urgent_first(scores, wanted);
        report(scores);
      };
    if (!value_moves(text, method, control, ordered, found)) return false;
    put_urgent_first(found, wanted);
    return true;
  }
  // Clear all tables: the next search starts from nothing.
  virtual void clear() = 0;
};

// Memory of the tables, threads of alpha-beta, and the seed of all random choices.
struct Resources {
  int table_mib = 64, threads = 1;
  std::uint64_t seed = 0;
};

}  // namespace noughts
