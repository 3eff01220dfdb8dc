// Exact values of the nine-board games, by proof-number search.
//
// Two questions decide a position: does the side to move win, and does the other side? The solver
// works on them in turns, with twice the nodes each time, so that a hard question does not block an
// easy one. If neither side wins, the position is a draw. Where the first line decides, `Prover`
// and, before ply 18, `StrategySearch` need a small part of the nodes of `ProofSearch`; for a limit
// of depth they have no answer.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <utility>

#include "dfpn.hpp"
#include "nested.hpp"
#include "net.hpp"
#include "prover.hpp"
#include "search.hpp"
#include "strategy.hpp"
#include "strategy_search.hpp"

namespace noughts {

class NestedSolver {
 public:
  using Book = StrategyBook;
  static constexpr bool finds_distances = false;
  static constexpr int share = 1;

  // `book` and `net` may be null; without a net strategies are not sought.
  NestedSolver(const NestedRules&, int table_mib, Book* book, std::shared_ptr<const Net> net)
      : table_mib_(table_mib), book_(book), net_(std::move(net)) {}

  void clear() {
    proofs_.reset();
    provers_ = {};
    strategies_ = {};
  }
  void new_search() {
    if (proofs_) proofs_->new_search();
  }

  // Find the value. A proven win comes by the last ply, or within the depth of the limit; its exact
  // distance stays open, so the bounds differ. If stopped, the bounds still hold.
  Finding solve(const NestedPosition& position, Control& control) {
    const bool covers_all = control.limit().depth >= 81 - position.ply;
    const bool is_early = position.ply < first_ply;
    if (position.rules.one_line && covers_all &&
        (!is_early || (net_ && table_mib_ >= strategies_mib)))
      return is_early ? prove_early(position, control) : prove(position, control);
    provers_ = {};
    strategies_ = {};
    if (!proofs_) proofs_.emplace(table_mib_);
    Finding found;
    bool answered[2] = {};
    for (std::uint64_t nodes = first_nodes; !found.exact && !(answered[0] && answered[1]);
         nodes *= 2) {
      for (int attacker : {position.turn(), 1 - position.turn()}) {
        const std::uint64_t left = control.limit().nodes - found.nodes;
        if (found.exact || answered[attacker] || left == 0) continue;
        Control part = control.part(std::min(nodes, left), control.limit().depth);
        const Finding answer = proofs_->prove(position, attacker, part);
        answered[attacker] = proofs_->numbers().is_decided();
        found.nodes += answer.nodes;
        found.lower = std::max(found.lower, answer.lower);
        found.upper = std::min(found.upper, answer.upper);
        found.exact = found.lower > 0 || found.upper < 0 || found.lower == found.upper;
        // A side to move that cannot win may still lose by this move.
        const bool is_vain = attacker == position.turn() && !answer.exact;
        if (answer.move >= 0 && (found.move < 0 || !is_vain)) {
          found.move = answer.move;
          found.pv = answer.pv;
        }
        found.depth = std::max(found.depth, answer.depth);
        found.table_use = answer.table_use;
      }
      if (found.nodes >= control.limit().nodes || control.must_stop(0)) break;
    }
    found.score = std::clamp(0, found.lower, found.upper);
    found.seconds = control.seconds();
    return found;
  }

  // The bounds of a move that the book knows; wins come by the last ply.
  Bounds bounds_of(const NestedPosition& position, int move) {
    if (!book_) return {};
    NestedPosition after = position;
    after.play(move);
    if (!book_->find(after)) return {};
    if (position.turn() == book_->attacker()) return {win - 81, infinite};
    return {-infinite, 81 - win};
  }

 private:
  static constexpr int first_ply = 81 - Prover::max_empty;
  // A strategy is sought if the limit allows this many searches as long as its first one: with
  // fewer, it would hardly ever be found.
  static constexpr int min_choices = 32;
  static constexpr int strategies_mib = 8;  // the smallest table beside which strategies are sought
  static constexpr std::uint64_t first_nodes = 100'000;
  static constexpr int buckets_of_mib = 14;  // log2 of the buckets in a MiB

  // Ask in turns whether each side wins, with twice the nodes each time. `ask` continues the search
  // for an attacker and returns its verdict; it adds the nodes to the finding. Without nodes for
  // either side, the value stays open.
  template <class Ask>
  static Finding in_turns(const NestedPosition& position, Control& control, Ask&& ask) {
    Finding found;
    bool answered[2] = {};
    for (std::uint64_t nodes = first_nodes; !found.exact && !(answered[0] && answered[1]);
         nodes *= 2) {
      const std::uint64_t before = found.nodes;
      for (int attacker : {position.turn(), 1 - position.turn()}) {
        if (found.exact || answered[attacker] || found.nodes >= control.limit().nodes) continue;
        Control part = control.part(std::min(nodes, control.limit().nodes - found.nodes));
        const Verdict verdict = ask(attacker, nodes, part, found);
        if (verdict == Verdict::open) continue;
        answered[attacker] = true;
        const bool attacks = attacker == position.turn();
        if (verdict == Verdict::won) {
          found.exact = true;
          (attacks ? found.lower : found.upper) = attacks ? win - 81 : 81 - win;
        } else {
          (attacks ? found.upper : found.lower) = 0;
        }
      }
      if (found.nodes == before || found.nodes >= control.limit().nodes || control.must_stop(0))
        break;
    }
    found.exact = found.exact || found.lower == found.upper;
    found.depth = static_cast<int>(found.pv.size());
    found.score = std::clamp(0, found.lower, found.upper);
    found.seconds = control.seconds();
    return found;
  }

  // The value, by a prover for each side. Their tables are small at first, so that they stay in the
  // cache, and grow with the nodes.
  Finding prove(const NestedPosition& position, Control& control) {
    proofs_.reset();
    bool began[2] = {};
    const int max_buckets = buckets_of_mib + std::bit_width(static_cast<unsigned>(table_mib_)) - 2;
    return in_turns(
        position, control, [&](int attacker, std::uint64_t nodes, Control& part, Finding& found) {
          auto& prover = provers_[attacker];
          const int grown = std::bit_width(nodes / first_nodes) - 1;
          const int buckets = std::min(buckets_of_mib - 1 + grown, max_buckets);
          if (!prover || (prover->log2_buckets() < buckets && grown % 2 == 0)) {
            prover.reset();
            prover = std::make_unique<Prover>(Prover::standard(), buckets);
            began[attacker] = false;
          }
          const auto numbers = std::exchange(began[attacker], true)
                                   ? prover->continue_proof(part)
                                   : prover->prove(position, attacker, part);
          found.nodes += prover->expansions();
          if (!numbers.is_decided()) return Verdict::open;
          const bool attacks = attacker == position.turn();
          const bool wins = (numbers.proof == 0) == attacks;
          const bool is_vain = attacks && !wins && found.move >= 0;  // the line of a vain try
          if (!is_vain) found.pv = prover->line();
          if (!is_vain && !found.pv.empty()) found.move = found.pv.front();
          return wins ? Verdict::won : Verdict::lost;
        });
  }

  // The value before the plies of the prover. The search continues where it ended, if it was that
  // of this position.
  Finding prove_early(const NestedPosition& position, Control& control) {
    proofs_.reset();
    provers_ = {};
    const auto outlook = Node<NestedPosition>(position).outlook();
    if (is_win(outlook.score)) {
      Finding found;
      found.lower = found.upper = found.score = outlook.score;
      found.exact = true;
      found.move = outlook.move;
      found.pv = {outlook.move};
      found.depth = 1;
      found.seconds = control.seconds();
      return found;
    }
    const StrategyLimits limits{first_ply, 1'000, {300'000, 30'000'000, Limit{}.nodes}};
    if (sought_ != position) strategies_ = {};
    sought_ = position;
    return in_turns(position, control,
                    [&](int attacker, std::uint64_t, Control& part, Finding& found) {
                      auto& strategy = strategies_[attacker];
                      if (!strategy) {
                        const std::uint64_t left = control.limit().nodes - found.nodes;
                        if (limits.nodes_to_choose(position.ply) > left / min_choices)
                          return Verdict::open;
                        strategy = std::make_unique<StrategySearch>(net_);
                        strategy->begin(position, attacker, limits);
                      }
                      const Verdict verdict = strategy->advance(part);
                      found.nodes += strategy->expansions() + strategy->policy_nodes();
                      if (verdict == Verdict::won && attacker == position.turn())
                        found.pv = {found.move = strategy->move()};
                      return verdict;
                    });
  }

  int table_mib_;
  Book* book_;
  std::shared_ptr<const Net> net_;
  std::optional<ProofSearch<NestedPosition>> proofs_;
  std::array<std::unique_ptr<Prover>, 2> provers_;
  std::array<std::unique_ptr<StrategySearch>, 2> strategies_;
  std::optional<NestedPosition> sought_;
};

}  // namespace noughts
