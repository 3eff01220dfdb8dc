// Limits, stopping, scores and results, the same for every search of the core.
//
//     -win ... -(win - p) lost at ply p ... -estimate_unit ... 0 ... estimate_unit ... win - p ...
//     win
//
// A score is an integer from the side to move. An estimate n means an expected result of
// n / estimate_unit, strictly between -1 and 1.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace noughts {

inline constexpr int win = 30'000;            // a win at ply p scores win - p
inline constexpr int sure = win - 1'000;      // the smallest score of a proven win
inline constexpr int estimate_unit = 10'000;  // all estimates lie strictly within
inline constexpr int infinite = win + 1;

constexpr bool is_win(int score) { return score >= sure; }
constexpr bool is_loss(int score) { return score <= -sure; }

// Limits of a search; the first one reached ends it.
struct Limit {
  int depth = std::numeric_limits<int>::max();
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t simulations = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  // Seconds that the search should take: less if the choice is clear, more if it is not.
  double target = std::numeric_limits<double>::infinity();
};

// Result of a search, in progress or complete.
struct Finding {
  int move = -1;  // the best one; -1 if none is known
  int score = 0;
  bool exact = false;     // whether the value (win, draw or loss) is proven
  int lower = -infinite;  // bounds of the score that are proven
  int upper = infinite;
  int depth = 0;  // plies looked ahead
  std::uint64_t nodes = 0;
  std::uint64_t simulations = 0;
  double seconds = 0;
  double table_use = 0;  // share of the table (or node pool) in use, 0 to 1
  std::vector<int> pv;
};

// Proven bounds of a score.
struct Bounds {
  int lower = -infinite, upper = infinite;
};

// Returns the proven bounds of a root move, for the side to move, from a solver that runs in turns
// with the search.
using MoveBounds = std::function<Bounds(int move)>;

// Fit an estimate between proven bounds. If a win is excluded, estimates are mapped to the range
// from a loss to a draw; if a loss is excluded, to that from a draw to a win. Order is kept.
inline int within(int estimate, Bounds bounds) {
  if (!is_win(estimate) && !is_loss(estimate)) {
    if (bounds.upper <= 0) estimate = (estimate - estimate_unit) / 2;
    if (bounds.lower >= 0) estimate = (estimate + estimate_unit) / 2;
  }
  return std::clamp(estimate, bounds.lower, bounds.upper);
}

// The result for every legal move, for the side to move; best first.
using Scores = std::vector<std::pair<int, Finding>>;

inline void sort_best_first(Scores& scores) {
  std::stable_sort(scores.begin(), scores.end(),
                   [](const auto& a, const auto& b) { return a.second.score > b.second.score; });
}

// Called with each better finding.
using Report = std::function<void(const Finding&)>;
using ScoresReport = std::function<void(const Scores&)>;

// Asks whether the search may continue, every `interval` seconds.
struct Poll {
  std::function<bool()> may_continue;
  double interval = 0.05;
};

// How clear the choice of a move is, from depth to depth.
class Clarity {
 public:
  // Learn the result of the next depth.
  void learn(int move, int score) {
    if (move_ >= 0) {
      changes_ = changes_ / 2 + (move != move_);
      drop_ = std::max(0, before_ - score);  // from the last depth of the same parity
    }
    before_ = std::exchange(score_, score);
    move_ = move;
  }
  // The part of its target that the search should take.
  double share() const {
    return least + changes_ / 2 + std::min(drop_, max_drop) / static_cast<double>(max_drop) / 2;
  }

 private:
  static constexpr double least = 0.6;
  static constexpr int max_drop = estimate_unit / 5;

  int move_ = -1, score_ = -infinite, before_ = -infinite, drop_ = 0;
  double changes_ = 0;
};

// Returns the time in seconds; it never jumps.
using Clock = double (*)();
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Decides when a search ends. Only this class reads the clock and the stop flag of other threads.
class Control {
 public:
  Control(const Limit& limit, const std::atomic<bool>& stop, const Poll& poll = {},
          Clock clock = steady_seconds)
      : limit_(limit),
        stop_(&stop),
        poll_(poll),
        clock_(clock),
        started_(clock()),
        next_poll_(poll.interval) {}

  const Limit& limit() const { return limit_; }
  double seconds() const { return clock_() - started_; }
  // Whether the search must end; cheap enough to call at every node. Each of `threads` threads may
  // search the same part of the nodes. Without a count of nodes (0) each call reads the clock.
  bool must_stop(std::uint64_t nodes, std::uint64_t threads = 1) {
    const bool spent = nodes * threads + threads - 1 >= limit_.nodes;
    // After a count that starts again from 0 the difference wraps around, and the clock is read.
    if (!stopped_ && (spent || nodes == 0 || nodes - read_at_ >= next_reading_))
      stopped_ = spent || stop_->load(std::memory_order_relaxed) || is_late(nodes);
    return stopped_;
  }
  // Whether the time for a part of the target is too short for another depth, which takes about as
  // long as all before.
  bool is_short(double share) const { return seconds() > share * limit_.target / 2; }
  bool stopped() const { return stopped_; }
  void end() { stopped_ = true; }

  // Return the control of a part of the work: at most `nodes` and `depth`, in the remaining time.
  Control part(std::uint64_t nodes, int depth = std::numeric_limits<int>::max()) const {
    Limit rest = limit_;
    rest.nodes = std::min(nodes, limit_.nodes);
    rest.depth = depth;
    rest.seconds -= seconds();
    rest.target = std::numeric_limits<double>::infinity();
    return {rest, *stop_, poll_, clock_};
  }
  // Subtract the nodes of another search (`others`) from the limit; `nodes` are those of this one.
  void charge(std::uint64_t others, std::uint64_t nodes) {
    limit_.nodes -= std::min(others, limit_.nodes);
    stopped_ = stopped_ || nodes >= limit_.nodes;
  }

 private:
  static constexpr std::uint64_t first_reading = 64, most_unread = 1024;  // nodes

  bool is_late(std::uint64_t nodes) {
    const double now = seconds();
    if (now >= limit_.seconds) return true;
    plan_reading(nodes, now);
    if (!poll_.may_continue || now < next_poll_) return false;
    next_poll_ = now + poll_.interval;
    return !poll_.may_continue();
  }

  // Plan the next reading of the clock: at the latest when, at the present speed, a quarter of the
  // remaining time will have passed. A node of a large board may take a tenth of a millisecond.
  void plan_reading(std::uint64_t nodes, double now) {
    const auto done = static_cast<double>(nodes - std::min(read_at_, nodes));
    const double in_a_quarter =
        done * (limit_.seconds - now) / 4 / std::max(now - read_after_, 1e-9);
    const std::uint64_t most = std::min(4 * next_reading_, most_unread);
    next_reading_ = in_a_quarter < static_cast<double>(most)
                        ? std::max(static_cast<std::uint64_t>(in_a_quarter), std::uint64_t{1})
                        : most;
    read_at_ = nodes;
    read_after_ = now;
  }

  Limit limit_;
  const std::atomic<bool>* stop_;
  Poll poll_;
  Clock clock_;
  double started_;
  double next_poll_;
  std::uint64_t read_at_ = 0, next_reading_ = first_reading;  // nodes
  double read_after_ = 0;                                     // seconds
  bool stopped_ = false;
};

}  // namespace noughts
