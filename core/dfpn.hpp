// Depth-first proof-number search: can the attacker force a win?
//
//     proof     the smallest number of leaves to prove, so that the side to move reaches its goal
//     disproof  the smallest number of leaves to disprove, so that it does not
//
//     proof(node)    = min over the children of disproof(child)      proven:   0, infinite
//     disproof(node) = max over the children of proof(child), plus   refuted:  infinite, 0
//                      one for each other undecided child
//
// The attacker must win by a given ply; the defender must prevent it, and a draw does. (Df-pn:
// Nagai 2002; the 1 + epsilon threshold: Pawlewicz and Lew 2007; the maximum over the children in
// place of their sum, because lines transpose: Ueda et al. 2008.) Marks are only added: no cycles.
#pragma once

#include <algorithm>
#include <span>

#include "memory.hpp"
#include "nested_proof.hpp"
#include "search.hpp"

namespace noughts {

template <class Position>
class ProofSearch {
 public:
  using Place = ProofPlace<Position>;
  using Numbers = ProofNumbers;
  static constexpr std::uint32_t decided = Numbers::infinite_proof;

  explicit ProofSearch(double table_mib)
      : table_(static_cast<std::size_t>(std::max(table_mib * 1048576 / sizeof(Bucket), 1.0))) {}

  void clear() { table_.clear(); }

  // Call before a search of another game or position: of a full table, entries that this search
  // does not use make room first.
  void new_search() { age_ = (age_ + 1) % ages; }

  // Search until it is proven whether `attacker` (0 is X) wins within the depth of the limit, or
  // until `control` ends the search. If the attacker wins, the score is bounded by a win at the
  // last ply of the depth; if not, by a later win, or by a draw if the depth covers all plies. The
  // finding is exact if a win or loss is proven; `move` and `pv` are then the winning line, or the
  // defence of a side to move that prevents a win. The table is kept for the next call.
  Finding prove(const Position& root, int attacker, Control& control) {
    const int depth = std::min(control.limit().depth, Place::last_ply - root.ply);
    goal_ = {attacker, root.ply + depth};
    salt_ = mixed(2 * goal_.last_ply + attacker);
    nodes_ = 0;
    move_ = -1;
    deepest_ = root.ply;
    control_ = &control;
    const Place place(root);
    if (root.outcome != Outcome::going_on || depth <= 0) root_ = place.at_first(goal_);
    else root_ = search(place, key(root), {decided, decided});
    return finding(root, control);
  }

  // The proof numbers of the last root, for its side to move.
  Numbers numbers() const { return root_; }

 private:
  static constexpr unsigned ages = 16;

  struct Entry {
    std::uint64_t key = 0;
    std::uint64_t proof : 27 = 0, disproof : 27 = 0;
    std::uint64_t effort : 6 = 0;  // 2 ** effort nodes; 0 for no entry
    std::uint64_t age : 4 = 0;     // the search, modulo `ages`, that last used the entry
  };
  struct alignas(64) Bucket {
    Entry entry[4];
  };
  struct Child {
    std::uint64_t key;
    Numbers numbers;
    std::uint16_t move;
  };

  // Positions of different plies may have the same hash. They have the same value, but with a limit
  // of depth not the same plies left.
  std::uint64_t key(const Position& position) const {
    const std::uint64_t ply = goal_.last_ply < Place::last_ply ? mixed(position.ply) : 0;
    return position.hash() ^ salt_ ^ ply;
  }
  Bucket& bucket(std::uint64_t key) const { return table_[upper_product(key, table_.size())]; }

  // The proof numbers in the table, else the first ones.
  Numbers numbers_of(std::uint64_t key, const Place& before, int move) {
    for (Entry& entry : bucket(key).entry)
      if (entry.key == key && entry.effort) {
        if (entry.age != age_) entry.age = age_;
        return {static_cast<std::uint32_t>(entry.proof),
                static_cast<std::uint32_t>(entry.disproof)};
      }
    Place after = before;
    after.play(move);
    return after.at_first(goal_);
  }

  // Replace the entry of the same position, else the one of the oldest search that took the least
  // effort.
  void store(std::uint64_t key, Numbers numbers, std::uint64_t effort) {
    Entry* place = nullptr;
    int least = std::numeric_limits<int>::max();
    for (Entry& entry : bucket(key).entry) {
      if (entry.key == key) {
        place = &entry;
        break;
      }
      const int worth = static_cast<int>(entry.effort) - 64 * ((age_ - entry.age) & (ages - 1));
      if (worth < least) least = worth, place = &entry;
    }
    place->key = key;
    place->proof = numbers.proof;
    place->disproof = numbers.disproof;
    place->effort = std::bit_width(effort);
    place->age = age_;
  }

  // Search an unfinished position until one of its proof numbers reaches its limit.
  Numbers search(const Place& place, std::uint64_t position_key, Numbers limit) {
    const std::uint64_t nodes_before = nodes_++;
    deepest_ = std::max<int>(deepest_, place.position().ply);
    Child children[Place::max_moves];
    int size = 0;
    MoveList list;
    place.moves(goal_, list);
    for (int move : list) {
      Position after = place.position();
      after.play(move);
      Child& child = children[size++];
      child.move = static_cast<std::uint16_t>(move);
      child.key = key(after);
      prefetch(&bucket(child.key));  // most look-ups in this large table miss the caches
    }
    for (Child& child : std::span(children, size))
      child.numbers = numbers_of(child.key, place, child.move);
    Numbers numbers;
    for (;;) {
      Child* best = children;
      std::uint32_t first = decided, second = decided, most = 0, undecided = 0;
      for (Child& child : std::span(children, size)) {
        most = std::max(most, child.numbers.proof);
        undecided += child.numbers.proof != 0;
        if (child.numbers.disproof < first) {
          second = first;
          first = child.numbers.disproof;
          best = &child;
        } else {
          second = std::min(second, child.numbers.disproof);
        }
      }
      const std::uint32_t others = undecided > 0 ? undecided - 1 : 0;
      numbers.proof = first;
      numbers.disproof = first == 0 ? decided : std::min(most + others, decided - 1);
      move_ = best->move;
      if (control_->must_stop(nodes_) || numbers.is_decided() || numbers.proof >= limit.proof ||
          numbers.disproof >= limit.disproof)
        break;
      const Numbers below = {limit.disproof - others,
                             std::min(limit.proof, second + second / 4 + 1)};
      Place after = place;
      after.play(best->move);
      best->numbers = search(after, best->key, below);
    }
    store(position_key, numbers, nodes_ - nodes_before);
    return numbers;
  }

  Finding finding(const Position& root, const Control& control) {
    Finding result;
    const int reached = win - goal_.last_ply;
    const int sign = root.turn() == goal_.attacker ? 1 : -1;
    if (root_.is_decided()) {
      const bool wins = (root_.proof == 0) == (sign > 0);
      const int beyond = goal_.last_ply == Place::last_ply ? 0 : reached - 1;
      result.exact = wins;
      if (wins) result.score = sign * reached;
      (wins == (sign > 0) ? result.lower : result.upper) = sign * (wins ? reached : beyond);
      result.move = move_;
      follow(root, result.pv);
    }
    result.depth = deepest_ - root.ply;
    result.nodes = nodes_;
    result.seconds = control.seconds();
    result.table_use = use();
    return result;
  }

  // Append the moves of a proof, as far as the table holds it.
  void follow(const Position& root, std::vector<int>& pv) {
    Place place(root);
    Numbers numbers = root_;
    const auto after = [&](int move) {
      Position position = place.position();
      position.play(move);
      return position;
    };
    const auto numbers_after = [&](int move) { return numbers_of(key(after(move)), place, move); };
    const auto play = [&](int move) {
      pv.push_back(move);
      place.play(move);
    };
    if (move_ >= 0) {
      numbers = numbers_after(move_);
      play(move_);
    }
    while (numbers.is_decided() && place.position().outcome == Outcome::going_on &&
           place.position().ply < goal_.last_ply) {
      MoveList list;
      place.position().moves(list);
      const bool achieves = numbers.proof == 0;
      int chosen = -1;
      for (int move : list) {
        const Numbers next = numbers_after(move);
        if (!next.is_decided() || (next.proof == 0) == achieves) continue;
        chosen = move;
        numbers = next;
        if (after(move).outcome != Outcome::going_on) break;
      }
      if (chosen < 0) return;
      play(chosen);
    }
  }

  // The share of the table in use, from a sample.
  double use() const {
    const std::uint64_t sample = std::min<std::uint64_t>(table_.size(), 1024);
    int used = 0;
    for (std::uint64_t i = 0; i < sample; ++i)
      for (const Entry& entry : table_[i].entry) used += entry.effort != 0;
    return used / (4.0 * static_cast<double>(sample));
  }

  ZeroedArray<Bucket> table_;
  std::uint64_t salt_ = 0, nodes_ = 0;
  unsigned age_ = 0;
  ProofGoal goal_;
  int deepest_ = 0;
  int move_ = -1;  // best move of the last completed node; at the end, of the root
  Control* control_ = nullptr;
  Numbers root_{1, 1};
};

}  // namespace noughts
