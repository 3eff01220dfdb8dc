// A learned evaluation of ultimate: a small neural network on top of the chances.
//
//     content of each board ── 16 numbers ── matrix of the board's place ──┐
//     board that the last move chose ── vector ────────────────────────────┤ sum: 32 numbers
//                                                                          ▼
//     logit of the expected result ◄── hidden layer of 8 ◄── clipped to 0 … 1
//                 ▲
//                 └── two multiples of the estimate from the chances
//
// The sum is kept for both sides, each from its own view, and a move changes one board: one vector
// is subtracted and one added ("efficiently updatable": Nasu 2018). A leaf needs only one of the
// two sums. All arithmetic is in integers, so the result is the same on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "evaluation.hpp"

namespace noughts {

// The weights, as in the file of a net; the numbers are little-endian and follow each other.
class Net {
 public:
  static constexpr int contents = 19'686, embedded = 16, width = 32, hidden = 8, named = 20;
  static constexpr int won = 19'683, lost = 19'684, drawn = 19'685;  // contents of closed boards
  // Powers of two: one in a weight, in the sum, and in what layers pass on.
  static constexpr int weight_bits = 6, sum_bits = 9, layer_bits = 7;
  static constexpr std::size_t size = contents * embedded + 9 * embedded * width +
                                      2 * (named * width) + hidden * width + 4 * hidden +
                                      2 * hidden + 3 * 4;

  // The weights of a file; `text` has `size` bytes.
  explicit Net(std::string_view text) : first_(9 * contents * width) {
    const auto* at = reinterpret_cast<const std::uint8_t*>(text.data());
    std::vector<std::int8_t> embedding(contents * embedded), place(9 * embedded * width);
    read(at, embedding.data(), embedding.size());
    read(at, place.data(), place.size());
    read(at, &named_[0][0], named * width);
    std::int8_t second[hidden][width];
    read(at, &second[0][0], hidden * width);
    for (int i = 0; i < hidden; ++i)
      for (int j = 0; j < width; ++j) second_[i][j] = second[i][j];
    read(at, second_bias_.data(), hidden);
    read(at, third_.data(), hidden);
    read(at, &bias_, 1);
    read(at, &of_estimate_, 1);
    read(at, &of_balance_, 1);
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
    for (int i = 0; i < results; ++i)
      result_[i] = static_cast<std::int16_t>(
          std::lround((estimate_unit - 1) * std::tanh(i * result_step / (2.0 * logit_unit))));
    // The factors are in units of 2^-10.
    for (int i = 0; i < balances; ++i) {
      const int balance = i * balance_step + balance_step / 2;
      const std::int64_t estimate = squashed(balance, ChancesWeights{}.half);
      const std::int64_t logit =
          (of_estimate_ * estimate + std::int64_t{of_balance_} * balance) >> 10;
      logit_[i] = static_cast<std::int32_t>(std::clamp<std::int64_t>(logit, -most, most));
    }
  }

  const std::int16_t* of_content(int board, int content) const {
    return &first_[(board * contents + content) * width];
  }

  // The estimate for a side from its sum; `chosen` is the row of the board that the last move
  // chose, `balance` that of the chances.
  int estimate(const std::int16_t* sum, int chosen, int balance) const {
    std::int16_t first[width];
    for (int j = 0; j < width; ++j) {
      const int value = (sum[j] + named_[chosen][j]) >> (sum_bits - layer_bits);
      first[j] = static_cast<std::int16_t>(std::clamp(value, 0, largest));
    }
    const int size = logit_[std::min(std::abs(balance) / balance_step, balances - 1)];
    std::int32_t logit = bias_ + (balance < 0 ? -size : size);
    for (int i = 0; i < hidden; ++i) {
      std::int32_t total = second_bias_[i];
      for (int j = 0; j < width; ++j) total += first[j] * second_[i][j];
      logit += std::clamp(total >> weight_bits, 0, largest) * third_[i];
    }
    const int result = result_[std::min(std::abs(logit) / result_step, results - 1)];
    return logit < 0 ? -result : result;
  }

 private:
  static constexpr int largest = (1 << layer_bits) - 1;
  static constexpr std::int32_t most = 1 << 27;  // absolute, of a bias
  static constexpr int logit_unit = 1 << (weight_bits + layer_bits);
  static constexpr int result_step = 16, results = 10 * logit_unit / result_step;
  static constexpr int balance_step = 32, balances = 1024;

  template <class Number>
  static void read(const std::uint8_t*& at, Number* numbers, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t value = 0;
      for (std::size_t byte = 0; byte < sizeof(Number); ++byte)
        value |= static_cast<std::uint32_t>(*at++) << 8 * byte;
      numbers[i] = static_cast<Number>(value);
    }
  }

  std::vector<std::int16_t> first_;
  std::int16_t named_[named][width];
  std::int16_t second_[hidden][width];
  std::array<std::int32_t, hidden> second_bias_;
  std::array<std::int16_t, hidden> third_;
  std::int32_t bias_, of_estimate_, of_balance_;
  std::array<std::int16_t, results> result_;  // by the logit
  std::array<std::int32_t, balances> logit_;  // by the balance
};

// The inputs of a net for one side: contents of the boards, and the row of the chosen board.
inline int content_of(const NestedPosition& position, int board, int side) {
  if (position.won[side] >> board & 1) return Net::won;
  if (position.won[side ^ 1] >> board & 1) return Net::lost;
  if (position.closed >> board & 1) return Net::drawn;
  return board_number(position.boards[side][board], position.boards[side ^ 1][board]);
}
inline int chosen_row(const NestedPosition& position) {
  const int target = position.is_forced() ? position.target : NestedPosition::no_target;
  return target + (position.rules.count_boards ? 10 : 0);
}

// The sums lie on a stack by plies, since a search goes depth first: `enter` must be called for a
// node before its children are played.
class NetEvaluation {
 public:
  using Place = Node<NestedPosition>;
  struct State {
    ChancesEvaluation::State chances;
    std::int8_t board = -1;                       // that the last move changed; -1 at the start
    std::array<std::uint16_t, 2> gone{}, come{};  // its contents before and after, for both sides
  };

  explicit NetEvaluation(std::shared_ptr<const Net> net) : net_(std::move(net)) {}

  static bool knows(const NestedRules& rules) {
    return !rules.one_line && rules.free_choice && rules.won_closed;
  }

  State start(const Place& place) {
    for (int side : {0, 1}) {
      Sum& sum = sums_[place.position.ply][side] = {};
      for (int board = 0; board < 9; ++board) {
        const auto* vector = net_->of_content(board, content_of(place.position, board, side));
        for (int j = 0; j < Net::width; ++j) sum[j] = static_cast<std::int16_t>(sum[j] + vector[j]);
      }
    }
    return {chances_.start(place)};
  }
  void play(State& state, const Place& after, int move) const {
    chances_.play(state.chances, after, move);
    // The board before the move was open, and lacked the new mark.
    const int board = move / 9, mover = after.position.turn() ^ 1;
    const unsigned marks = after.position.boards[mover][board] & ~(1u << move % 9);
    const unsigned others = after.position.boards[mover ^ 1][board];
    state.board = static_cast<std::int8_t>(board);
    for (int side : {0, 1}) {
      state.gone[side] = static_cast<std::uint16_t>(side == mover ? board_number(marks, others)
                                                                  : board_number(others, marks));
      state.come[side] = static_cast<std::uint16_t>(content_of(after.position, board, side));
    }
  }
  void enter(const Place& place, const State& state) {
    if (state.board >= 0)
      for (int side : {0, 1}) add_up(sums_[place.position.ply][side], place, state, side);
  }
  int estimate(const Place& place, const State& state) const {
    const int side = place.position.turn();
    const int balance = chances_.balance(place, state.chances);
    Sum sum;
    if (state.board >= 0) add_up(sum, place, state, side);
    else sum = sums_[place.position.ply][side];
    return net_->estimate(sum.data(), chosen_row(place.position), balance);
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
  ChancesEvaluation chances_{};
  std::array<std::array<Sum, 2>, 82> sums_{};
};

}  // namespace noughts
