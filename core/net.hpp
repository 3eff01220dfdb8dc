// A learned evaluation of the nine-board games: a small neural network on top of the hand-written
// evaluation, the base.
//
//     content of each board ── 16 numbers ── matrix of the board's place ──┐
//     rows: the chosen board; in advanced also the safe cells ── vectors ──┤ sum: 32 numbers
//                                                                          ▼
//     logit of the expected result ◄── hidden layer of 8 ◄── clipped to 0 … 1
//                 ▲
//                 └── two multiples of the estimate of the base
//
// The sum is kept for both sides, each from its own view, and a move changes one board: one vector
// is subtracted and one added ("efficiently updatable": Nasu 2018). A leaf needs only one of the
// two sums. All arithmetic is in integers, so the result is the same on every machine.
//
// A small net is made of fewer numbers. It has two numbers for each content in place of 16: the 16
// are those of the content's eight images, by symmetry. It knows only ultimate where a won board is
// closed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "logit.hpp"
#include "memory.hpp"
#include "nested_evaluation.hpp"
#include "weights.hpp"

namespace noughts {

// The weights, as in the file of a net; the numbers are little-endian and follow each other.
class Net {
 public:
  static constexpr int embedded = 16, width = 32, hidden = 8;
  // Contents: those of boards that nobody has won; of closed boards; of won boards that are open,
  // by the cells taken.
  static constexpr int won = 19'683, lost = 19'684, drawn = 19'685;
  static constexpr int open_won = 19'686, open_lost = open_won + 512, contents = open_lost + 512;
  // Rows: the chosen board, twice; the safe cells of both sides; the safe moves.
  static constexpr int max_safe = 31, max_moves = 10;
  static constexpr int first_safe = 20, first_moves = first_safe + (max_safe + 1) * (max_safe + 1),
                       rows = first_moves + max_moves + 1;
  // Powers of two: one in a weight, in the sum, and in what layers pass on.
  static constexpr int weight_bits = 6, sum_bits = 9, layer_bits = 7;
  static constexpr std::size_t size = contents * embedded + 9 * embedded * width +
                                      2 * (rows * width) + hidden * width + 4 * hidden +
                                      2 * hidden + 3 * 4;
  // Of a small net: its contents are the open boards without a line, and the three of closed
  // boards.
  static constexpr int small_embedded = embedded / symmetries, small_contents = 11'093 + 3,
                       small_rows = first_safe;
  static constexpr std::size_t small_size = size - contents * embedded +
                                            small_contents * small_embedded -
                                            2 * width * (rows - small_rows);

  // The weights of a file; `text` has `size` bytes, or `small_size`.
  explicit Net(std::string_view text)
      : first_(9 * contents * width, Pages::large), rows_(rows * width) {
    const auto* at = reinterpret_cast<const std::uint8_t*>(text.data());
    std::vector<std::int8_t> embedding(contents * embedded), place(9 * embedded * width);
    const bool small = text.size() == small_size;
    if (small) read_small(at, embedding);
    else read_weights<std::int8_t>(at, embedding.data(), embedding.size());
    read_weights<std::int8_t>(at, place.data(), place.size());
    read_weights<std::int16_t>(at, rows_.data(), small ? small_rows * width : rows_.size());
    std::int8_t second[hidden][width];
    read_weights<std::int8_t>(at, &second[0][0], hidden * width);
    for (int i = 0; i < hidden; ++i)
      for (int j = 0; j < width; ++j) second_[i][j] = second[i][j];
    read_weights<std::int32_t>(at, second_bias_.data(), hidden);
    read_weights<std::int16_t>(at, third_.data(), hidden);
    read_weights<std::int32_t>(at, &bias_, 1);
    read_weights<std::int32_t>(at, &of_estimate_, 1);
    read_weights<std::int32_t>(at, &of_balance_, 1);
    // No sum overflows, whatever a file holds.
    for (std::int32_t& each : second_bias_) each = std::clamp(each, -most, most);
    bias_ = std::clamp(bias_, -most, most);
    for (int board = 0; board < 9; ++board)
      for (int content = 0; content < contents; ++content)
        for (int j = 0; j < width; ++j) {
          int total = 0;
          for (int i = 0; i < embedded; ++i)
            total += embedding[content * embedded + i] * place[(board * embedded + i) * width + j];
          constexpr int shift = 2 * weight_bits - sum_bits;
          first_[(board * contents + content) * width + j] =
              static_cast<std::int16_t>((total + (1 << (shift - 1))) >> shift);
        }
    // The factors are in units of 2^-10.
    for (int i = 0; i < balances; ++i) {
      const int balance = i * balance_step + balance_step / 2;
      const std::int64_t estimate = squashed(balance, half);
      const std::int64_t logit =
          (of_estimate_ * estimate + std::int64_t{of_balance_} * balance) >> 10;
      logit_[i] = static_cast<std::int32_t>(std::clamp<std::int64_t>(logit, -most, most));
    }
  }

  const std::int16_t* of_content(int board, int content) const {
    return &first_[(board * contents + content) * width];
  }

  const std::int16_t* of_row(int row) const { return &rows_[row * width]; }

  // The estimate for a side from its sum with the vectors of the rows, and the balance of the base.
  int estimate(const std::int16_t* sum, int balance) const {
    std::int16_t first[width];
    for (int j = 0; j < width; ++j)
      first[j] =
          static_cast<std::int16_t>(std::clamp(sum[j] >> (sum_bits - layer_bits), 0, largest));
    const int size = logit_[std::min(std::abs(balance) / balance_step, balances - 1)];
    std::int32_t logit = bias_ + (balance < 0 ? -size : size);
    for (int i = 0; i < hidden; ++i) {
      std::int32_t total = second_bias_[i];
      for (int j = 0; j < width; ++j) total += first[j] * second_[i][j];
      logit += std::clamp(total >> weight_bits, 0, largest) * third_[i];
    }
    return estimates_.estimate(logit);
  }

 private:
  static constexpr int largest = (1 << layer_bits) - 1;
  static constexpr std::int32_t most = 1 << 27;  // absolute, of a bias
  static_assert(LogitTable::unit == 1 << (weight_bits + layer_bits));
  static constexpr int balance_step = 32, balances = 1024;
  static constexpr int half = 2458;  // the balance of an estimate of 1/2

  // Read two numbers for each content of a small net, and embed each content by its images.
  static void read_small(const std::uint8_t*& at, std::vector<std::int8_t>& embedding) {
    std::vector<std::int8_t> numbers(contents * small_embedded);
    const auto of = [&](int content) { return &numbers[content * small_embedded]; };
    const auto embed = [&](int content, int symmetry, int image) {
      std::copy_n(of(image), small_embedded,
                  &embedding[content * embedded + symmetry * small_embedded]);
    };
    for_each_open([&](unsigned own, unsigned other) {
      read_weights<std::int8_t>(at, of(board_number(own, other)), small_embedded);
    });
    for (int content : {won, lost, drawn})
      read_weights<std::int8_t>(at, of(content), small_embedded);
    for (int symmetry = 0; symmetry < symmetries; ++symmetry) {
      std::array<unsigned, 512> image{};
      for (unsigned marks = 0; marks < 512; ++marks)
        for (int cell = 0; cell < 9; ++cell)
          image[marks] |= (marks >> cell & 1) << image_of(cell, symmetry, 3, 3);
      for_each_open([&](unsigned own, unsigned other) {
        embed(board_number(own, other), symmetry, board_number(image[own], image[other]));
      });
      for (int content : {won, lost, drawn}) embed(content, symmetry, content);
    }
  }
  // Call `visit(own, other)` with the marks of each board that is open where a won board is closed.
  template <class Visit>
  static void for_each_open(Visit&& visit) {
    for (unsigned own = 0; own < 512; ++own)
      for (unsigned other = 0; other < 512; ++other)
        if (!(own & other) && (own | other) != board_mask && !has_line_3x3[own] &&
            !has_line_3x3[other])
          visit(own, other);
  }

  ZeroedArray<std::int16_t> first_;  // a vector of 32 is a cache line
  std::vector<std::int16_t> rows_;
  std::int16_t second_[hidden][width];
  std::array<std::int32_t, hidden> second_bias_;
  std::array<std::int16_t, hidden> third_;
  std::int32_t bias_, of_estimate_, of_balance_;
  LogitTable estimates_;
  std::array<std::int32_t, balances> logit_;  // by the balance
};

// The inputs of a net for a side: contents of the boards, and rows.
inline int content_of(const NestedPosition& position, int board, int side) {
  const bool mine = position.won[side] >> board & 1, theirs = position.won[side ^ 1] >> board & 1;
  if (position.closed >> board & 1) return mine ? Net::won : theirs ? Net::lost : Net::drawn;
  const int taken = static_cast<int>(position.occupied(board));
  if (mine || theirs) return (mine ? Net::open_won : Net::open_lost) + taken;
  return board_number(position.boards[side][board], position.boards[side ^ 1][board]);
}
struct Rows {
  static constexpr int most = 3;
  int size;
  std::array<int, most> row;
};
// The rows for the side to move. Variants of rules have other rows of the chosen board.
inline Rows rows_of(const Node<NestedPosition>& place) {
  const NestedPosition& position = place.position;
  const NestedRules& rules = position.rules;
  const int target = position.is_forced() ? position.target : NestedPosition::no_target;
  const int chosen = target + (rules.count_boards || !rules.free_choice ? 10 : 0);
  if (!rules.one_line) return {1, {chosen}};
  const int mine = position.turn(), theirs = mine ^ 1;
  const auto safe = [&](int side) {
    return std::min(SafetyEvaluation::safe_cells(place, side), Net::max_safe);
  };
  const int moves = position.is_forced()
                        ? std::popcount(place.empty(target) & ~place.one_step[theirs])
                        : Net::max_moves;
  return {3,
          {chosen, Net::first_safe + (Net::max_safe + 1) * safe(mine) + safe(theirs),
           Net::first_moves + moves}};
}

// The sums lie on a stack by plies, since a search goes depth first: `enter` must be called for a
// node before its children are played.
template <class Base>
class NetEvaluation {
 public:
  using Place = Node<NestedPosition>;
  static constexpr bool is_net = true;
  struct State {
    typename Base::State base;
    std::int8_t board = -1;                       // that the last move changed; -1 at the start
    std::array<std::uint16_t, 2> gone{}, come{};  // its contents before and after, for both sides
  };

  explicit NetEvaluation(std::shared_ptr<const Net> net) : net_(std::move(net)) {}

  const std::shared_ptr<const Net>& net() const { return net_; }

  State start(const Place& place) {
    for (int side : {0, 1}) {
      Sum& sum = sums_[place.position.ply][side] = {};
      for (int board = 0; board < 9; ++board) {
        const auto* vector = net_->of_content(board, content_of(place.position, board, side));
        for (int j = 0; j < Net::width; ++j) sum[j] = static_cast<std::int16_t>(sum[j] + vector[j]);
      }
    }
    return {base_.start(place)};
  }
  void play(State& state, const Place& after, int move) const {
    base_.play(state.base, after, move);
    // The board before the move was open, and lacked the new mark.
    const NestedPosition& position = after.position;
    const int board = move / 9, mover = position.turn() ^ 1;
    const unsigned marks = position.boards[mover][board] & ~(1u << move % 9);
    const unsigned others = position.boards[mover ^ 1][board];
    const bool lost = position.won[mover ^ 1] >> board & 1;
    const bool won = position.won[mover] >> board & 1 && has_line_3x3[marks];
    state.board = static_cast<std::int8_t>(board);
    for (int side : {0, 1}) {
      const bool moved = side == mover;
      int gone = moved ? board_number(marks, others) : board_number(others, marks);
      if (won || lost)
        gone = (won == moved ? Net::open_won : Net::open_lost) + static_cast<int>(marks | others);
      state.gone[side] = static_cast<std::uint16_t>(gone);
      state.come[side] = static_cast<std::uint16_t>(content_of(position, board, side));
    }
    // The side to move needs its vector soon.
    prefetch(net_->of_content(board, state.come[mover ^ 1]));
  }
  void enter(const Place& place, const State& state) {
    if (state.board >= 0)
      for (int side : {0, 1}) add_up(sums_[place.position.ply][side], place, state, side);
  }
  int estimate(const Place& place, const State& state) const {
    const int side = place.position.turn();
    Sum sum;
    if (state.board >= 0) add_up(sum, place, state, side);
    else sum = sums_[place.position.ply][side];
    const Rows rows = rows_of(place);
    for (int i = 0; i < rows.size; ++i) {
      const auto* vector = net_->of_row(rows.row[i]);
      for (int j = 0; j < Net::width; ++j) sum[j] = static_cast<std::int16_t>(sum[j] + vector[j]);
    }
    return net_->estimate(sum.data(), balance(base_, place, state.base));
  }
  // The balance of the base in the unit of nets.
  static int balance(const Base& base, const Place& place, const typename Base::State& state) {
    constexpr int unit = std::is_same_v<Base, SafetyEvaluation> ? 64 : 1;
    return unit * base.balance(place, state);
  }

 private:
  using Sum = std::array<std::int16_t, Net::width>;

  // The sum of a position, from that of the position before.
  void add_up(Sum& sum, const Place& place, const State& state, int side) const {
    const Sum& before = sums_[place.position.ply - 1][side];
    const auto* gone = net_->of_content(state.board, state.gone[side]);
    const auto* come = net_->of_content(state.board, state.come[side]);
    for (int j = 0; j < Net::width; ++j)
      sum[j] = static_cast<std::int16_t>(before[j] + come[j] - gone[j]);
  }

  std::shared_ptr<const Net> net_;
  Base base_{};
  std::array<std::array<Sum, 2>, 82> sums_{};
};

}  // namespace noughts
