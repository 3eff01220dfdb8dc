// One engine: the searches of one set of rules, with their tables.
//
//     analyse   better and better findings        alphabeta (the default) or mcts
//     scores    the value of every legal move     alphabeta
//     solve     the exact value, or bounds        the exact solver of the game, else alphabeta
//
// Only one of the searches holds its memory at a time, so that the engine keeps to the size asked
// for; a change of the search forgets what the one before had found.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "alphabeta.hpp"
#include "connect4_solver.hpp"
#include "evaluation.hpp"
#include "mcts.hpp"
#include "nested_solver.hpp"
#include "notation.hpp"
#include "row_solver.hpp"
#include "search.hpp"

namespace noughts {

enum class Method { alphabeta, mcts, solve };

class Engine {
 public:
  virtual ~Engine() = default;
  // False where `text` is not a position of these rules.
  virtual bool search(std::string_view text, Method method, Control& control, const Report& report,
                      Finding& found) = 0;
  virtual bool scores(std::string_view text, Control& control, Scores& found) = 0;
};

// Stands where a game has no exact solver.
struct NoSolver {};

template <class Position, class Evaluation, class Solver>
class EngineOf : public Engine {
 public:
  template <class Rules>
  EngineOf(const Rules& rules, int table_mib, std::uint64_t seed)
      : rules_(rules), table_mib_(table_mib), seed_(seed) {}

  bool search(std::string_view text, Method method, Control& control, const Report& report,
              Finding& found) override {
    const auto position = parse(text);
    if (!position) return false;
    if (method == Method::mcts) found = mcts().analyse(*position, control, report);
    else if (method == Method::solve && can_solve && position->outcome == Outcome::going_on)
      found = solve(*position, control);
    else found = alphabeta().analyse(*position, control, report);
    return true;
  }

  bool scores(std::string_view text, Control& control, Scores& found) override {
    const auto position = parse(text);
    if (position) found = alphabeta().scores(*position, control, {});
    return position.has_value();
  }

 private:
  using Rules = typename Position::Rules;
  static constexpr bool can_solve = !std::is_same_v<Solver, NoSolver>;

  std::optional<Position> parse(std::string_view text) const {
    const auto fields = split(text, '~');
    if constexpr (std::is_same_v<Position, NestedPosition>) return parse_nested(rules_, fields);
    else return parse_row(rules_, fields);
  }

  AlphaBeta<Position, Evaluation>& alphabeta() {
    mcts_.reset();
    solver_.reset();
    if (!alphabeta_)
      alphabeta_ = std::make_unique<AlphaBeta<Position, Evaluation>>(table_mib_, seed_);
    return *alphabeta_;
  }
  MonteCarlo<Position>& mcts() {
    alphabeta_.reset();
    solver_.reset();
    if (!mcts_) mcts_ = std::make_unique<MonteCarlo<Position>>(table_mib_, seed_);
    return *mcts_;
  }
  Finding solve(const Position& position, Control& control) {
    if constexpr (can_solve) {
      alphabeta_.reset();
      mcts_.reset();
      if (!solver_) solver_ = std::make_unique<Solver>(rules_, table_mib_);
      return solver_->solve(position, control);
    } else {
      return {};
    }
  }

  Rules rules_;
  int table_mib_;
  std::uint64_t seed_;
  std::unique_ptr<AlphaBeta<Position, Evaluation>> alphabeta_;
  std::unique_ptr<MonteCarlo<Position>> mcts_;
  std::unique_ptr<Solver> solver_;
};

template <class Bits, class Solver>
std::unique_ptr<Engine> make_row_engine(const RowId& id, int table_mib, std::uint64_t seed) {
  const RowRules<Bits> rules(id.columns, id.rows, id.k, id.gravity, id.misere);
  return std::make_unique<EngineOf<RowPosition<Bits>, ThreatsEvaluation<Bits>, Solver>>(
      rules, table_mib, seed);
}

// Null where there are no such rules.
inline std::unique_ptr<Engine> make_engine(std::string_view rules_id, int table_mib,
                                           std::uint64_t seed) {
  if (const auto rules = parse_nested_id(rules_id)) {
    if (rules->one_line)
      return std::make_unique<EngineOf<NestedPosition, SafetyEvaluation, NestedSolver>>(
          *rules, table_mib, seed);
    return std::make_unique<EngineOf<NestedPosition, ChancesEvaluation, NestedSolver>>(
        *rules, table_mib, seed);
  }
  const auto id = parse_row_id(rules_id);
  if (!id) return nullptr;
  if (id->gravity && id->k == 4 && id->bits() <= 64)
    return make_row_engine<Bits64, Connect4Solver>(*id, table_mib, seed);
  if (id->gravity) {
    if (id->bits() <= 64) return make_row_engine<Bits64, NoSolver>(*id, table_mib, seed);
    if (id->bits() <= 128) return make_row_engine<Bits128, NoSolver>(*id, table_mib, seed);
    return make_row_engine<Wide, NoSolver>(*id, table_mib, seed);
  }
  if (id->bits() <= 64) return make_row_engine<Bits64, RowSolver<Bits64>>(*id, table_mib, seed);
  if (id->bits() <= 128) return make_row_engine<Bits128, RowSolver<Bits128>>(*id, table_mib, seed);
  return make_row_engine<Wide, NoSolver>(*id, table_mib, seed);
}

}  // namespace noughts
