// Monte Carlo tree search: UCT with solved-node backup in a fixed pool of nodes.
//
//     select --> expand --> play out --> back up        (Kocsis and Szepesvari 2006)
//        ^                                  |
//        +--------- next simulation <-------+
//
// A node is a leaf at its first visit. At the second, its children are added to the pool, next to
// each other in random order; each is visited once before the upper confidence bounds decide:
//
//     pool   root | 81 children of the root | 9 children of ... | 7 children of ... | free
//
// A proven node is not visited again (Winands, Bjornsson and Saito 2008). Its score is that of a
// line that the winner can force: a shorter win may exist, a longer defence does not. When the pool
// is full the tree stops growing and the simulations continue.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "outlook.hpp"
#include "search.hpp"
#include "tactics.hpp"

namespace noughts {

// xoroshiro128+ (Blackman and Vigna 2018); only its upper bits are used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : low_(mixed(seed)), high_(mixed(~seed)) {}

  std::uint64_t operator()() {
    const std::uint64_t sum = low_ + high_, both = low_ ^ high_;
    low_ = std::rotl(low_, 24) ^ both ^ both << 16;
    high_ = std::rotl(both, 37);
    return sum;
  }

 private:
  std::uint64_t low_, high_;
};

// A number below `size`, from the upper or the middle 24 bits of a random number.
constexpr unsigned upper_choice(std::uint64_t random, unsigned size) {
  return static_cast<unsigned>((random >> 40) * size >> 24);
}
constexpr unsigned middle_choice(std::uint64_t random, unsigned size) {
  return static_cast<unsigned>((random >> 16 & 0xff'ffff) * size >> 24);
}

// The indices of the set bits of a board, lowest first, four bits each.
inline constexpr auto set_bits_3x3 = [] {
  std::array<std::uint64_t, 512> table{};
  for (unsigned bits = 0; bits < 512; ++bits) {
    int n = 0;
    for (std::uint64_t i = 0; i < 9; ++i)
      if (bits >> i & 1) table[bits] |= i << 4 * n++;
  }
  return table;
}();
constexpr int nth_bit_3x3(unsigned bits, unsigned n) {
  return static_cast<int>(set_bits_3x3[bits] >> 4 * n & 15);
}

// The natural logarithm of a positive normal number, by the series of the inverse hyperbolic
// tangent. Libraries differ in the last bit of theirs; this one is the same on every machine.
inline float logarithm(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  // number = part * 2^exponent, with the part between sqrt(1/2) and sqrt(2).
  const std::uint32_t root_of_half = 0x3f35'04f3;
  const std::uint32_t above = bits - root_of_half;
  const int exponent = static_cast<std::int32_t>(above) >> 23;
  const double part = std::bit_cast<float>((above & 0x7f'ffff) + root_of_half);
  const double x = (part - 1) / (part + 1), square = x * x;
  const double series = 1 + square * (1. / 3 + square * (1. / 5 + square * (1. / 7 + square / 9)));
  return static_cast<float>(exponent * 0.6931471805599453 + 2 * x * series);
}

// Playout policy: random, or random except that immediate wins are played ("decisive moves":
// Teytaud and Teytaud 2010).
enum class Playout { random, decisive };

// Play to the end. With a free choice, a board is drawn first, then one of its cells.
template <Playout playout>
Outcome play_out(NestedPosition position, Random& generator) {
  Random random = generator;
  while (position.outcome == Outcome::going_on) {
    if (playout == Playout::decisive && can_win(position)) {
      position.outcome = won_by_turn(position);
      break;
    }
    const std::uint64_t number = random();
    int board = position.target;
    if (!position.is_forced()) {
      const unsigned open = board_mask & ~position.closed;
      board = nth_bit_3x3(open, middle_choice(number, std::popcount(open)));
    }
    const unsigned empty = board_mask & ~position.occupied(board);
    const int cell = nth_bit_3x3(empty, upper_choice(number, std::popcount(empty)));
    position.play(9 * board + cell);
  }
  generator = random;
  return position.outcome;
}

// Play to the end. Without gravity a playout is a random order of the empty cells. Decisive
// playouts also block: with wins but no blocks, they would misjudge games that threats decide.
template <Playout playout, class Bits>
Outcome play_out(RowPosition<Bits> position, Random& generator) {
  Random random = generator;
  const RowRules<Bits>& rules = *position.rules;
  const bool decides = playout == Playout::decisive && !rules.misere;
  Bits winning[2]{};  // the cells that complete a line of X and of O
  if (decides)
    for (int player : {0, 1}) winning[player] = rules.completing(position.marks[player]);
  std::uint16_t
      choices[8 * sizeof(Bits)];  // bits of the bottoms of open columns, or of the empty cells
  int size = 0;
  if (rules.gravity) {
    for (int column = 0; column < rules.columns; ++column)
      if (position.landings() & rules.column(column)) choices[size++] = column * rules.stride;
  } else {
    for (Bits empty = position.landings(); empty; empty ^= bit<Bits>(lowest(empty)))
      choices[size++] = static_cast<std::uint16_t>(lowest(empty));
  }
  while (position.outcome == Outcome::going_on) {
    const Bits landings = position.landings();
    const int player = position.turn();
    if (decides && (winning[player] & landings)) {
      position.outcome = won_by_turn(position);
      break;
    }
    int i = upper_choice(random(), size);
    if (decides) {
      if (const Bits block = winning[1 - player] & landings; block) {
        const int cell = lowest(block);
        const int wanted = rules.gravity ? cell - cell % rules.stride : cell;
        for (i = 0; choices[i] != wanted;) ++i;
      }
    }
    const int first = choices[i];
    if (rules.gravity) {
      const Bits column = (bit<Bits>(rules.rows) + ~Bits(0)) << first;
      position.place(landings & column);
      if ((position.occupied() & column) == column) choices[i] = choices[--size];
    } else {
      position.place(bit<Bits>(first));
      choices[i] = choices[--size];
    }
    if (decides) winning[player] = rules.completing(position.marks[player]);
  }
  generator = random;
  return position.outcome;
}

// Statistics of a root move, for the side to move at the root.
struct MoveStatistics {
  int move;
  std::uint64_t visits;
  double mean;  // -1 to 1, of the simulations; also for a proven move
  bool proven;
  int score;  // if proven
};

template <class Position>
class MonteCarlo {
 public:
  // The constant c of UCT, mean + c * sqrt(ln N / n), for results between -1 and 1.
  float exploration = 1.4f;
  Playout playout = Playout::decisive;

  MonteCarlo(double pool_mib, std::uint64_t seed)
      : capacity_(
            static_cast<std::uint32_t>(std::clamp(pool_mib * 1048576 / sizeof(Node), 1.0, 4e9))),
        pool_(new Node[capacity_]),  // uninitialised
        random_(seed) {}

  // Search until the root is proven or `control` ends it.
  Finding analyse(const Position& root, Control& control, const Report& report = {}) {
    used_ = 1;
    simulations_ = 0;
    depth_ = 0;
    nodes_allowed_ = control.limit().nodes;
    out_of_nodes_ = false;
    pool_[0] = leaf;
    if (root.outcome != Outcome::going_on) pool_[0].score = final_score(root, 1 - root.turn());
    // At least one simulation, of one ply at least, so that there is a move to return.
    while (!pool_[0].is_proven() && (simulations_ == 0 || !is_over(control))) {
      simulate(root, std::max(1, control.limit().depth));
      ++simulations_;
      if (report && simulations_ >= 1024 && std::has_single_bit(simulations_))
        report(finding(control));
    }
    return finding(control);
  }

  // Statistics of every root move of the last search, in ascending order.
  std::vector<MoveStatistics> scores() const {
    std::vector<MoveStatistics> result;
    const Node& root = pool_[0];
    for (std::uint32_t i = root.first; i < root.first + root.children; ++i)
      result.push_back({pool_[i].move, pool_[i].visits,
                        pool_[i].total / std::max(1.0, static_cast<double>(pool_[i].visits)),
                        pool_[i].is_proven(), pool_[i].is_proven() ? pool_[i].score : 0});
    std::sort(result.begin(), result.end(),
              [](const auto& a, const auto& b) { return a.move < b.move; });
    return result;
  }

 private:
  static constexpr std::int16_t unproven = -infinite - 1;
  static constexpr std::uint32_t visits_most = std::numeric_limits<std::int32_t>::max();

  // All values are those of the player who moved here.
  struct Node {
    std::int32_t total;  // sum of the results; a mean in 32 bits would freeze after 2^24 visits
    float spread;        // 1 / sqrt(visits), for the bound
    std::uint32_t visits;
    std::uint32_t first;  // of the children, in the pool
    std::uint16_t children;
    std::uint16_t move;
    std::int16_t score;

    bool is_proven() const { return score != unproven; }
    float mean() const { return static_cast<float>(total) * spread * spread; }
  };

  static constexpr Node leaf{0, 0, 0, 0, 0, 0, unproven};

  bool is_over(Control& control) const {
    // `must_stop(0)` reads the clock. A simulation on a large board may take ten microseconds, so
    // call it at every sixteenth.
    return simulations_ >= control.limit().simulations || out_of_nodes_ ||
           pool_[0].visits == visits_most || (simulations_ % 16 == 0 && control.must_stop(0));
  }

  void simulate(Position position, int depth_limit) {
    std::uint32_t path[max_moves + 1] = {0};
    int depth = 0;
    while (depth < depth_limit) {
      Node& node = pool_[path[depth]];
      if (node.is_proven() || node.visits == 0) break;
      if (!node.children && !expand(node, position, depth == 0)) break;
      path[++depth] = select(node);
      position.play(pool_[path[depth]].move);
      if (position.outcome != Outcome::going_on)
        pool_[path[depth]].score = final_score(position, 1 - position.turn());
    }
    depth_ = std::max(depth_, depth);
    const bool proven = pool_[path[depth]].is_proven();
    if (!proven)
      position.outcome = playout == Playout::random
                             ? play_out<Playout::random>(position, random_)
                             : play_out<Playout::decisive>(position, random_);
    const int winner =
        (position.outcome == Outcome::x_wins) - (position.outcome == Outcome::o_wins);
    // The player who moved to the last node also moved to every second node before it.
    int result = position.turn() == 1 ? winner : -winner;
    for (int i = depth; i >= 0; --i, result = -result) {
      Node& node = pool_[path[i]];
      ++node.visits;
      node.total += result;
      node.spread = 1 / std::sqrt(static_cast<float>(node.visits));
    }
    if (proven)
      for (int i = depth; i > 0 && prove(pool_[path[i - 1]], pool_[path[i]].score); --i) {
      }
  }

  // Add the children of a node; return whether the pool has room for them. Below the root, an
  // immediate win becomes the only child: the others could not change the value.
  bool expand(Node& node, const Position& position, bool is_root) {
    MoveList list;
    position.moves(list);
    if (!is_root && playout == Playout::decisive && can_win(position)) {
      const auto wins = [&](int move) {
        Position after = position;
        after.play(move);
        return after.outcome == won_by_turn(position);
      };
      list.move[0] = *std::find_if(list.begin(), list.end(), wins);
      list.size = 1;
    }
    if (static_cast<std::uint32_t>(list.size) > capacity_ - used_) return false;
    // The root always gets its children: without them there is no move to return.
    if (used_ > 1 && used_ + static_cast<std::uint64_t>(list.size) > nodes_allowed_) {
      out_of_nodes_ = true;
      return false;
    }
    node.first = used_;
    node.children = list.size;
    for (unsigned left = list.size; left > 0; --left) {
      const unsigned i = upper_choice(random_(), left);
      Node& child = pool_[used_++] = leaf;
      child.move = list.move[i];
      list.move[i] = list.move[left - 1];
    }
    return true;
  }

  // The next unvisited child, else the unproven child with the largest upper confidence bound.
  std::uint32_t select(const Node& node) const {
    if (node.visits <= node.children) return node.first + node.visits - 1;
    const float scale = exploration * std::sqrt(logarithm(static_cast<float>(node.visits)));
    std::uint32_t best = node.first;
    float best_bound = -infinite;
    for (std::uint32_t i = node.first; i < node.first + node.children; ++i) {
      const Node& child = pool_[i];
      const float bound = child.mean() + scale * child.spread;
      if (bound > best_bound && !child.is_proven()) {
        best_bound = bound;
        best = i;
      }
    }
    return best;
  }

  // Prove the node if the new proven score of a child allows it; return whether it does.
  bool prove(Node& node, int score) {
    if (!is_win(score))
      for (std::uint32_t i = node.first; i < node.first + node.children; ++i) {
        if (!pool_[i].is_proven()) return false;
        score = std::max<int>(score, pool_[i].score);
      }
    node.score = -score;
    return true;
  }

  // The child to play: a proven win first; else the most visited child, or a proven draw if that
  // child's mean is negative; proven losses last, the longest first.
  const Node* best_child(const Node& node) const {
    const Node* best = nullptr;
    for (std::uint32_t i = node.first; i < node.first + node.children; ++i)
      if (!best || is_better(pool_[i], *best)) best = &pool_[i];
    return best;
  }
  static bool is_better(const Node& a, const Node& b) {
    if (a.is_proven() && b.is_proven()) return a.score > b.score;
    if (a.is_proven()) return is_win(a.score) || (a.score == 0 && b.total < 0);
    if (b.is_proven()) return !is_better(b, a);
    return a.visits > b.visits;
  }

  Finding finding(const Control& control) const {
    const Node& root = pool_[0];
    Finding result;
    result.exact = root.is_proven();
    if (result.exact) {
      result.score = -root.score;
      if (!is_win(root.score)) result.lower = result.score;   // the winner may win sooner,
      if (!is_loss(root.score)) result.upper = result.score;  // but no later
    } else {
      const int limit = estimate_unit - 1;
      const Node* best = best_child(root);
      const float mean = !best ? -root.mean() : best->is_proven() ? 0 : best->mean();
      result.score = std::clamp(static_cast<int>(mean * estimate_unit), -limit, limit);
    }
    for (const Node* node = best_child(root); node && node->visits; node = best_child(*node))
      result.pv.push_back(node->move);
    if (!result.pv.empty()) result.move = result.pv[0];
    result.depth = depth_;
    result.nodes = used_;
    result.simulations = simulations_;
    result.seconds = control.seconds();
    result.table_use = static_cast<double>(used_) / capacity_;
    return result;
  }

  std::uint64_t nodes_allowed_ = 0;
  bool out_of_nodes_ = false;
  std::uint32_t capacity_;
  std::unique_ptr<Node[]> pool_;
  Random random_;
  std::uint32_t used_ = 1;  // the root is first
  std::uint64_t simulations_ = 0;
  int depth_ = 0;
};

}  // namespace noughts
