// Proofs of wins from early positions of a nine-board game that the first line decides.
//
//     attacker's node   one move, chosen by the selective search; another one if it cannot be
//     proven defender's node   every safe reply; of replies that are images of each other, the
//     first leaf              a position from `leaf_ply` on: a proof by `Prover`
//
// Each position is stateless work: the same call gives the same result on every machine.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alphabeta.hpp"
#include "net.hpp"
#include "prover.hpp"

namespace noughts {

// The replies that a strategy must answer: the safe ones, ascending, without those that a symmetry
// of the position maps to an earlier one. After any other reply a line can be completed at once, or
// the game continues as an image of one after a reply of the list.
inline MoveList replies_to_answer(const Node<NestedPosition>& place) {
  bool keeps[symmetries];
  for (int symmetry = 1; symmetry < symmetries; ++symmetry)
    keeps[symmetry] = place.is_kept_by(symmetry);
  MoveList list;
  const unsigned danger = place.final_boards(place.position.turn() ^ 1);
  for (unsigned left = place.position.reach(); left; left &= left - 1) {
    const int board = std::countr_zero(left);
    for (unsigned cells = SafeMoves::safe_cells(place, board, danger); cells; cells &= cells - 1) {
      const int move = 9 * board + std::countr_zero(cells);
      bool is_first = true;
      for (int symmetry = 1; symmetry < symmetries; ++symmetry)
        is_first = is_first && !(keeps[symmetry] && place.image(move, symmetry) < move);
      if (is_first) list.add(move);
    }
  }
  return list;
}

// A move of a strategy in one byte: the cell if the board is given, else 9 more than the move.
inline char code_of(const NestedPosition& position, int move) {
  return static_cast<char>(position.is_forced() ? move % 9 : 9 + move);
}
// The move of a code; -1 if it is not legal.
inline int move_of(const NestedPosition& position, char code) {
  const int number = static_cast<unsigned char>(code);
  if (position.is_forced() != (number < 9) || number >= 90) return -1;
  const int move = number < 9 ? 9 * position.target + number : number - 9;
  MoveList legal;
  position.moves(legal);
  return std::find(legal.begin(), legal.end(), move) == legal.end() ? -1 : move;
}

// Reads a strategy for `attacker` whose codes reach to the ply `cut`, and writes the part before
// another ply. Nodes from the cut on, and those where a line can be completed at once, have no
// code.
class StrategyReader {
 public:
  StrategyReader(std::string_view codes, int attacker, int cut)
      : codes_(codes), attacker_(attacker), cut_(cut) {}

  // Return the codes of nodes before the ply `shorter`; none if a code is illegal or missing, or
  // codes are left.
  std::optional<std::string> part(const NestedPosition& root, int shorter) {
    if (!read(root, shorter)) return {};
    return part_;
  }
  // Return the moves from the root to leaves, whose numbers ascend; none if the codes are no
  // strategy. The leaves have the ply of the cut.
  std::optional<std::vector<std::string>> paths(const NestedPosition& root,
                                                const std::vector<std::size_t>& leaves) {
    wanted_ = leaves;
    if (!read(root, cut_)) return {};
    return paths_;
  }
  // Return the numbers of codes at and below each node with a code; none if the codes are no
  // strategy.
  std::optional<std::vector<std::uint32_t>> sizes(const NestedPosition& root) {
    sizes_.assign(codes_.size(), 0);
    wanted_.clear();
    if (!read(root, 0)) return {};
    return std::move(sizes_);
  }
  // Where the reading ended, and the leaves of the part.
  std::size_t at() const { return at_; }
  std::size_t leaves() const { return leaves_; }

 private:
  bool read(const NestedPosition& root, int shorter) {
    at_ = leaves_ = 0;
    part_.clear();
    paths_.clear();
    path_.clear();
    shorter_ = std::max<int>(shorter, root.ply);  // a root behind the ply is a leaf
    return visit(Node<NestedPosition>(root)) && at_ == codes_.size();
  }

  bool visit_after(const Node<NestedPosition>& place, int move) {
    Node<NestedPosition> after = place;
    after.play(move);
    path_.push_back(static_cast<char>(move));
    const bool is_read = visit(after);
    path_.pop_back();
    return is_read;
  }

  bool visit(const Node<NestedPosition>& place) {
    const NestedPosition& position = place.position;
    if (position.turn() == attacker_) {
      if (position.outcome != Outcome::going_on) return false;  // a draw
      if (SafeMoves(place).wins) return true;
      // The attacker has every other ply.
      if (position.ply == shorter_ || position.ply == shorter_ + 1) {
        if (paths_.size() < wanted_.size() && wanted_[paths_.size()] == leaves_)
          paths_.push_back(path_);
        ++leaves_;
      }
      if (position.ply >= cut_) return true;
      if (at_ == codes_.size()) return false;
      const int move = move_of(position, codes_[at_]);
      if (move < 0) return false;
      if (position.ply < shorter_) part_.push_back(codes_[at_]);
      const std::size_t here = at_++;
      const bool is_read = visit_after(place, move);
      if (here < sizes_.size()) sizes_[here] = static_cast<std::uint32_t>(at_ - here);
      return is_read;
    }
    if (position.outcome != Outcome::going_on || SafeMoves(place).wins) return false;
    for (int reply : replies_to_answer(place))
      if (!visit_after(place, reply)) return false;
    return true;
  }

  std::string_view codes_;
  int attacker_, cut_, shorter_ = 0;
  std::size_t at_ = 0, leaves_ = 0;
  std::vector<std::uint32_t> sizes_;
  std::string part_, path_;
  std::vector<std::size_t> wanted_;  // leaves
  std::vector<std::string> paths_;   // to them
};

// The attacker's moves of a strategy by the position.
class StrategyBook {
 public:
  // `codes` reach to the ply `cut`. Check `is_valid` before use.
  StrategyBook(const NestedPosition& root, std::string codes, int attacker, int cut)
      : root_(root), codes_(std::move(codes)), attacker_(attacker), cut_(cut) {
    if (auto sizes = StrategyReader(codes_, attacker, cut).sizes(root)) sizes_ = std::move(*sizes);
    else is_valid_ = false;
  }

  bool is_valid() const { return is_valid_; }

  // Return the move in a position where the attacker is to move: that of the strategy, its image if
  // the strategy has an image of the position, or one that completes a line; -1 without one.
  int move_in(const NestedPosition& position) const {
    if (position.outcome != Outcome::going_on || position.turn() != attacker_) return -1;
    const auto outlook = Node<NestedPosition>(position).outlook();
    if (is_win(outlook.score)) return outlook.move;
    Wanted wanted{position, {}};
    for (int symmetry = 0; symmetry < symmetries; ++symmetry)
      for (int move = 0; move < cells; ++move) {
        const int image = Node<NestedPosition>::image(move, symmetry);
        for (int side : {0, 1})
          if (position.boards[side][move / 9] >> move % 9 & 1)
            wanted.marked[side][image] |= 1u << symmetry;
      }
    unsigned alive = (1u << symmetries) - 1;  // the images that have the marks of a node
    for (int side : {0, 1})
      for (int move = 0; move < cells; ++move)
        if (root_.boards[side][move / 9] >> move % 9 & 1) alive &= wanted.marked[side][move];
    std::size_t at = 0;
    return seek(Node<NestedPosition>(root_), wanted, alive, at);
  }

 private:
  static constexpr int cells = Node<NestedPosition>::cells;

  struct Wanted {
    NestedPosition position;
    // For each side and cell, the symmetries whose image of the position has that mark.
    std::array<std::array<unsigned, cells>, 2> marked;
  };

  // Seek a position below a node whose marks are those of the images `alive`; `at` is the node's
  // first code, and afterwards, unless the position was found, the one behind its last.
  int seek(const Node<NestedPosition>& place, const Wanted& wanted, unsigned alive,
           std::size_t& at) const {
    const NestedPosition& position = place.position;
    if (position.turn() == attacker_) {
      const std::size_t end = at + size_at(place, at);
      if (end == at) return -1;
      const int move = move_of(position, codes_[at]);
      if (position.ply == wanted.position.ply) {
        at = end;
        return image_back(position, wanted, alive, move);
      }
      alive &= wanted.marked[attacker_][move];
      if (alive != 0) {
        Node<NestedPosition> after = place;
        after.play(move);
        ++at;
        if (const int found = seek(after, wanted, alive, at); found >= 0) return found;
      }
      at = end;
      return -1;
    }
    for (int reply : replies_to_answer(place)) {
      Node<NestedPosition> after = place;
      after.play(reply);
      const unsigned left = alive & wanted.marked[attacker_ ^ 1][reply];
      if (left == 0) at += size_at(after, at);
      else if (const int found = seek(after, wanted, left, at); found >= 0) return found;
    }
    return -1;
  }

  // The codes of an attacker's node and below.
  std::size_t size_at(const Node<NestedPosition>& place, std::size_t at) const {
    return place.position.ply >= cut_ || SafeMoves(place).wins ? 0 : sizes_[at];
  }

  // The move in the wanted position for a move in its image; -1 if the boards to play on differ.
  static int image_back(const NestedPosition& position, const Wanted& wanted, unsigned alive,
                        int move) {
    for (; alive; alive &= alive - 1) {
      const int symmetry = std::countr_zero(alive);
      if (position.is_forced() != wanted.position.is_forced()) continue;
      if (position.is_forced() &&
          image_of(wanted.position.target, symmetry, 3, 3) != position.target)
        continue;
      for (int original = 0; original < cells; ++original)
        if (Node<NestedPosition>::image(original, symmetry) == move) return original;
    }
    return -1;
  }

  NestedPosition root_;
  std::string codes_;
  std::vector<std::uint32_t> sizes_;
  int attacker_, cut_;
  bool is_valid_ = true;
};

enum class Verdict : std::uint8_t { open, won, lost };

// The effort of a proof.
struct StrategyLimits {
  int leaf_ply = 18;
  // Nodes of the search that chooses a move two plies before the leaves; four times as many two
  // plies earlier, and so on.
  std::uint64_t policy_nodes = 1'000;
  // Expansions of a leaf. All leaves get the smallest budget before one gets the next.
  std::vector<std::uint64_t> budgets = {300'000, 30'000'000};
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
    limits_ = &limits;
    control_ = &control;
    result_ = {};
    attacker_ = position.turn();
    policy_.clear();
    Branch root;
    for (std::size_t round = 0; round < limits.budgets.size() && !must_stop(); ++round) {
      budget_ = limits.budgets[round];
      is_last_ = round + 1 == limits.budgets.size();
      if (visit(position, root) != Verdict::open) break;
    }
    result_.verdict = root.verdict;
    if (root.verdict == Verdict::won) collect(position, root);
    return result_;
  }

 private:
  static constexpr int table_mib = 2;
  static constexpr int most_doublings = 32;
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

  bool must_stop() { return control_->must_stop(result_.expansions); }

  Verdict visit(const NestedPosition& position, Branch& branch) {
    if (branch.verdict != Verdict::open || must_stop()) return branch.verdict;
    if (position.ply >= limits_->leaf_ply) return branch.verdict = search_leaf(position, branch);
    while (true) {
      if (branch.move < 0) {
        const bool chosen = choose(position, branch);
        if (must_stop()) return Verdict::open;
        if (!chosen) return branch.verdict = branch.is_doubtful ? Verdict::open : Verdict::lost;
      }
      const Verdict verdict = answer(position, branch);
      if (verdict == Verdict::won) return branch.verdict = verdict;
      if (must_stop() || (verdict == Verdict::open && !is_last_)) return Verdict::open;
      branch.is_doubtful |= verdict == Verdict::open;
      branch.move = -1;
      branch.replies.clear();
    }
  }

  // The verdict of the move of a branch: lost if one reply refutes it.
  Verdict answer(const NestedPosition& position, Branch& branch) {
    Node<NestedPosition> place(position);
    place.play(branch.move);
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
    Control part = control_->part(std::min(budget_, control_->limit().nodes - result_.expansions));
    const auto numbers = prover_.prove(position, attacker_, part);
    result_.expansions += prover_.expansions();
    branch.move = prover_.move();
    return numbers.proof == 0      ? Verdict::won
           : numbers.disproof == 0 ? Verdict::lost
                                   : Verdict::open;
  }

  // Choose the next move of a branch; return whether there is one.
  bool choose(const NestedPosition& position, Branch& branch) {
    const int before = std::min(limits_->leaf_ply - 2 - position.ply, most_doublings);
    const std::uint64_t nodes = limits_->policy_nodes << before;
    if (branch.tries++ == 0) {
      Control control = control_->part(nodes);
      branch.move = branch.first = policy_.analyse(position, control, {}).move;
      return branch.move >= 0;
    }
    if (branch.tries == 2) {
      ++result_.changes;
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

  void collect(const NestedPosition& position, const Branch& branch) {
    result_.codes.push_back(code_of(position, branch.move));
    result_.leaves += branch.replies.empty();
    if (branch.replies.empty()) return;
    Node<NestedPosition> place(position);
    place.play(branch.move);
    const MoveList replies = replies_to_answer(place);
    for (int i = 0; i < replies.size; ++i) {
      NestedPosition after = place.position;
      after.play(replies.move[i]);
      collect(after, branch.replies[i]);
    }
  }

  AlphaBeta<NestedPosition, NetEvaluation<SafetyEvaluation>> policy_;
  Prover prover_;
  const StrategyLimits* limits_ = nullptr;
  Control* control_ = nullptr;
  Strategy result_;
  int attacker_ = 0;
  std::uint64_t budget_ = 0;
  bool is_last_ = false;
};

}  // namespace noughts
