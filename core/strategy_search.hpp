// Proofs of wins from early positions of a nine-board game that the first line decides.
//
//     attacker's node   one move, chosen by the selective search; if it fails, another one
//     defender's node   every safe reply; of images of each other, the first
//     leaf              a position from `leaf_ply` on: a proof by `Prover`
//
// Each position is stateless work: the same call gives the same result on every machine. A search
// in steps may choose other moves, since its steps end searches early.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "alphabeta.hpp"
#include "net.hpp"
#include "prover.hpp"
#include "strategy.hpp"

namespace noughts {

enum class Verdict : std::uint8_t { open, won, lost };

// The effort of a proof.
struct StrategyLimits {
  int leaf_ply = 18;
  // Nodes of the search that chooses a move two plies before the leaves.
  std::uint64_t policy_nodes = 1'000;
  // Expansions of a leaf. All leaves get the smallest budget before one gets the next.
  std::vector<std::uint64_t> budgets = {300'000, 30'000'000};

  // Nodes of the search that chooses a move: twice as many for each ply earlier, up to a bound.
  std::uint64_t nodes_to_choose(int ply) const {
    constexpr std::uint64_t most = 4'000'000;
    std::uint64_t nodes = policy_nodes;
    for (int later = ply + 2; later < leaf_ply && nodes < most; ++later) nodes *= 2;
    return nodes;
  }
};

struct Strategy {
  Verdict verdict = Verdict::open;
  std::uint64_t expansions = 0;
  int leaves = 0;
  int changes = 0;  // nodes where the first choice was not the last one
  // The attacker's moves, as codes: depth first, replies in ascending order, from the root to the
  // leaves, which have the last moves.
  std::string codes;
};

class StrategySearch {
 public:
  explicit StrategySearch(std::shared_ptr<const Net> net)
      : policy_(table_mib, 0, Selection{}, NetEvaluation<SafetyEvaluation>(std::move(net))) {}

  // Prove that the side to move, the attacker, wins, within the expansions that are the nodes of
  // the limit of `control`. The position is unfinished, and nobody can complete a line at once.
  Strategy prove(const NestedPosition& position, const StrategyLimits& limits, Control& control) {
    begin(position, position.turn(), limits);
    keeps_moves_ = true;
    Strategy found;
    found.verdict = advance(control);
    found.expansions = expansions_;
    found.changes = changes_;
    if (found.verdict == Verdict::won) collect(position, root_, found);
    return found;
  }

  // Begin a search in steps. Nobody can complete a line at once in the unfinished position, before
  // the ply of the leaves.
  void begin(const NestedPosition& position, int attacker, const StrategyLimits& limits) {
    position_ = position;
    attacker_ = attacker;
    limits_ = limits;
    root_ = {};
    round_ = 0;
    changes_ = 0;
    keeps_moves_ = false;
    halted_ = nullptr;
    policy_.clear();
  }
  // Continue the search, within the limit of `control` of expansions. The verdict is that of the
  // attacker, and final unless the control ended the search.
  Verdict advance(Control& control) {
    control_ = &control;
    expansions_ = policy_nodes_ = 0;
    for (; round_ < limits_.budgets.size() && !must_stop(); ++round_) {
      if (position_.turn() == attacker_) visit(position_, root_);
      else if (root_.verdict == Verdict::open)
        root_.verdict = answer(Node<NestedPosition>(position_), root_);
      if (root_.verdict != Verdict::open || must_stop()) break;
    }
    return root_.verdict;
  }
  // The attacker's move in the position of a search that has won; -1 if the other side moves.
  int move() const { return root_.move; }
  // Work of the last step: positions opened by proofs, and nodes of the searches for moves.
  std::uint64_t expansions() const { return expansions_; }
  std::uint64_t policy_nodes() const { return policy_nodes_; }

 private:
  static constexpr int table_mib = 2;
  static constexpr int order_factor = 16;  // nodes for the order of all moves, in `policy_nodes`

  // A node of the attacker, and the nodes after each reply to its move.
  struct Branch {
    Verdict verdict = Verdict::open;
    int move = -1, first = -1;  // the move in hand, and the first one tried
    bool is_doubtful = false;   // a move was left without a proof or refutation
    std::vector<int> others;    // moves to try next, the best last
    int tries = 0;
    std::vector<Branch> replies;
  };

  bool must_stop() { return control_->must_stop(expansions_); }

  Verdict visit(const NestedPosition& position, Branch& branch) {
    if (branch.verdict != Verdict::open || must_stop()) return branch.verdict;
    if (position.ply >= limits_.leaf_ply) return branch.verdict = search_leaf(position, branch);
    while (true) {
      if (branch.move < 0) {
        const bool chosen = choose(position, branch);
        if (must_stop()) return Verdict::open;
        if (!chosen) return branch.verdict = branch.is_doubtful ? Verdict::open : Verdict::lost;
      }
      Node<NestedPosition> after(position);
      after.play(branch.move);
      const Verdict verdict = answer(after, branch);
      if (verdict == Verdict::won) {
        if (!keeps_moves_) branch.replies = {};
        return branch.verdict = verdict;
      }
      if (must_stop() || (verdict == Verdict::open && !is_last())) return Verdict::open;
      branch.is_doubtful |= verdict == Verdict::open;
      branch.move = -1;
      branch.replies.clear();
      halted_ = nullptr;
    }
  }

  // The verdict of a defender's position, whose replies a branch holds: lost if one refutes it.
  Verdict answer(const Node<NestedPosition>& place, Branch& branch) {
    if (place.position.outcome != Outcome::going_on) return Verdict::lost;  // a draw
    const SafeMoves safe(place);
    if (safe.wins) return Verdict::lost;
    const MoveList replies = replies_to_answer(place);
    branch.replies.resize(replies.size);
    Verdict verdict = Verdict::won;
    for (int i = 0; i < replies.size; ++i) {
      NestedPosition after = place.position;
      after.play(replies.move[i]);
      const Verdict each =
          after.outcome == Outcome::going_on ? visit(after, branch.replies[i]) : Verdict::lost;
      if (each == Verdict::lost) return each;
      if (each == Verdict::open) verdict = each;
    }
    return verdict;
  }

  Verdict search_leaf(const NestedPosition& position, Branch& branch) {
    const std::uint64_t budget = limits_.budgets[round_];
    Control part = control_->part(std::min(budget, control_->limit().nodes - expansions_));
    const auto numbers = halted_ == &branch ? prover_.continue_proof(part)
                                            : prover_.prove(position, attacker_, part);
    expansions_ += prover_.expansions();
    halted_ = !numbers.is_decided() && prover_.expansions() < budget ? &branch : nullptr;
    branch.move = prover_.move();
    return numbers.proof == 0      ? Verdict::won
           : numbers.disproof == 0 ? Verdict::lost
                                   : Verdict::open;
  }

  // Choose the next move of a branch; return whether there is one.
  bool choose(const NestedPosition& position, Branch& branch) {
    const std::uint64_t nodes = limits_.nodes_to_choose(position.ply);
    policy_nodes_ += branch.tries == 0 ? nodes : branch.tries == 1 ? order_factor * nodes : 0;
    if (branch.tries++ == 0) {
      Control control = control_->part(nodes);
      branch.move = branch.first = policy_.analyse(position, control, {}).move;
      return branch.move >= 0;
    }
    if (branch.tries == 2) {
      ++changes_;
      Control control = control_->part(order_factor * nodes);
      const Scores scores = policy_.scores(position, control, {});
      for (auto each = scores.rbegin(); each != scores.rend(); ++each)
        if (each->first != branch.first) branch.others.push_back(each->first);
    }
    if (branch.others.empty()) return false;
    branch.move = branch.others.back();
    branch.others.pop_back();
    return true;
  }

  void collect(const NestedPosition& position, const Branch& branch, Strategy& found) const {
    found.codes.push_back(code_of(position, branch.move));
    found.leaves += branch.replies.empty();
    if (branch.replies.empty()) return;
    Node<NestedPosition> place(position);
    place.play(branch.move);
    const MoveList replies = replies_to_answer(place);
    for (int i = 0; i < replies.size; ++i) {
      NestedPosition after = place.position;
      after.play(replies.move[i]);
      collect(after, branch.replies[i], found);
    }
  }

  bool is_last() const { return round_ + 1 == limits_.budgets.size(); }

  AlphaBeta<NestedPosition, NetEvaluation<SafetyEvaluation>> policy_;
  Prover prover_;
  NestedPosition position_{NestedRules{}};
  StrategyLimits limits_;
  Control* control_ = nullptr;
  Branch root_;
  std::size_t round_ = 0;
  int attacker_ = 0, changes_ = 0;
  bool keeps_moves_ = false;
  const Branch* halted_ = nullptr;  // the leaf whose proof the last step left unfinished
  std::uint64_t expansions_ = 0, policy_nodes_ = 0;
};

}  // namespace noughts
