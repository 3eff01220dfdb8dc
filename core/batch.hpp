// Many games of one set of rules at once, for agents that learn.
//
//     step(actions) ──► for each game: its move is played, and its rows of the arrays are written
//
// The arrays belong to the caller, who reads them in place. A game that is over keeps its
// observation, has reward 0 and ignores actions until it is reset.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "nested.hpp"
#include "notation.hpp"
#include "row.hpp"
#include "threads.hpp"

namespace noughts {

// What an action outside `legal` does.
enum class Illegal { refuse, lose, random, ignore };

// The arrays of a batch, each with one row a game.
struct BatchArrays {
  std::uint8_t* observation;  // rows x columns x planes: marks of the side to move, of the other,
                              // and with nine boards the boards of the next move
  std::uint8_t* legal;        // actions
  float* reward;              // of X, of O
  std::uint8_t* terminated;
  std::uint8_t* turn;  // 0 X, 1 O
  std::int32_t* ply;
};

struct BatchShape {
  int rows, columns, planes, actions;
};

namespace batch {

// The bytes 0 and 1 of the bits of an index; the lowest bit comes first.
template <int bits>
inline constexpr auto spread = [] {
  std::array<std::array<std::uint8_t, bits>, 1 << bits> result{};
  for (int index = 0; index < 1 << bits; ++index)
    for (int i = 0; i < bits; ++i) result[index][i] = index >> i & 1;
  return result;
}();

// The bytes of three cells of nine boards: bits 0 to 2 are mine, 3 to 5 theirs, 6 is the board.
inline constexpr auto three_cells = [] {
  std::array<std::array<std::uint8_t, 9>, 128> result{};
  for (int index = 0; index < 128; ++index)
    for (int cell = 0; cell < 3; ++cell)
      for (int plane = 0; plane < 3; ++plane)
        result[index][3 * cell + plane] =
            plane == 2 ? index >> 6 & 1 : index >> (3 * plane + cell) & 1;
  return result;
}();

// Exchange the bytes of each pair.
inline void swap_pairs(std::uint8_t* bytes, int pairs) {
  int i = 0;
#if defined(__GNUC__)
  using Eight = std::uint16_t __attribute__((vector_size(16)));
  for (; i + 8 <= pairs; i += 8) {
    Eight eight;
    std::memcpy(&eight, bytes + 2 * i, 16);
    eight = eight << 8 | eight >> 8;
    std::memcpy(bytes + 2 * i, &eight, 16);
  }
#endif
  for (; i < pairs; ++i) std::swap(bytes[2 * i], bytes[2 * i + 1]);
}

// The index of a set bit of a byte by its number from 0.
inline constexpr auto bit_of_byte = [] {
  std::array<std::array<std::uint8_t, 8>, 256> result{};
  for (int byte = 0; byte < 256; ++byte)
    for (int bit = 0, number = 0; bit < 8; ++bit)
      if (byte >> bit & 1) result[byte][number++] = bit;
  return result;
}();

// The same of nine bits.
inline constexpr auto bit_of_nine = [] {
  std::array<std::array<std::uint8_t, 16>, 512> result{};
  for (int index = 0; index < 512; ++index)
    for (int bit = 0, number = 0; bit < 9; ++bit)
      if (index >> bit & 1) result[index][number++] = bit;
  return result;
}();

// The index of a set bit by its number from 0, without a branch (S. Vigna, Broadword
// implementation of rank/select queries, 2008).
inline int select(std::uint64_t bits, int number) {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;
  std::uint64_t sums = bits - (bits >> 1 & 0x5555555555555555);
  sums = (sums & 0x3333333333333333) + (sums >> 2 & 0x3333333333333333);
  sums = (sums + (sums >> 4) & 0x0f0f0f0f0f0f0f0f) * ones;  // byte i: the bits of bytes 0 to i
  const std::uint64_t before = ((number * ones | tops) - sums) & tops;  // bytes that end too early
  const int first = 8 * std::popcount(before);
  const int rank = number - static_cast<int>(sums << 8 >> first & 0xff);
  return first + bit_of_byte[bits >> first & 0xff][rank];
}
template <int words>
int select(const Words<words>& bits, int number) {
  int word = 0;
  for (int here; number >= (here = std::popcount(bits.word[word])); ++word) number -= here;
  return 64 * word + select(bits.word[word], number);
}
#ifdef __SIZEOF_INT128__
inline int select(Bits128 bits, int number) { return select(words_of(bits), number); }
#endif

}  // namespace batch

// The rows of the arrays of a row game. A move changes few bytes: the planes change places, and
// one mark comes.
template <class Bits>
class RowGames {
 public:
  using Rules = RowRules<Bits>;
  using Position = RowPosition<Bits>;

  explicit RowGames(const RowId& id) : rules_(id), bit_of_(rules_.size()) {
    for (int cell = 0; cell < rules_.size(); ++cell) bit_of_[cell] = rules_.bit_of(cell);
    cell_of_.resize(8 * sizeof(Bits));
    for (int cell = 0; cell < rules_.size(); ++cell) cell_of_[bit_of_[cell]] = cell;
  }

  BatchShape shape() const {
    return {rules_.rows, rules_.columns, 2, rules_.gravity ? rules_.columns : rules_.size()};
  }
  Position start() const { return Position(rules_); }
  std::optional<Position> parse(std::string_view text) const {
    return parse_row(rules_, split(text, '~'));
  }

  // Play a legal action.
  void play(Position& position, int action, std::uint8_t* observation, std::uint8_t* legal) const {
    const Bits cell = rules_.gravity ? position.landing(action) : bit<Bits>(bit_of_[action]);
    if (cell == Bits{}) return;  // a full column: the caller has written to `legal`
    position.place(cell);
    batch::swap_pairs(observation, rules_.size());
    const int place = rules_.gravity ? cell_of_[lowest(cell)] : action;
    observation[2 * place + 1] = 1;
    if (position.outcome != Outcome::going_on) std::memset(legal, 0, shape().actions);
    else if (!rules_.gravity || place < rules_.columns) legal[action] = 0;
  }

  // Write the whole rows of a position.
  void write(const Position& position, std::uint8_t* observation, std::uint8_t* legal) const {
    const Bits& mine = position.marks[position.turn()];
    const Bits& theirs = position.marks[1 - position.turn()];
    for (int cell = 0; cell < rules_.size(); ++cell) {
      observation[2 * cell] = has(mine, bit_of_[cell]);
      observation[2 * cell + 1] = has(theirs, bit_of_[cell]);
    }
    std::memset(legal, 0, shape().actions);
    MoveList list;
    position.moves(list);
    for (int move : list) legal[move] = 1;
  }

  std::array<int, 3> boards(const Position&) const { return {-1, 0, 0}; }

  // The legal action with a number from 0.
  int action(const Position& position, int number) const {
    const int cell = cell_of_[batch::select(position.landings(), number)];
    return rules_.gravity ? cell % rules_.columns : cell;
  }

 private:
  Rules rules_;
  std::vector<int> bit_of_, cell_of_;
};

// A position of a small board: bit `cell` of X and of O, row-major.
struct SmallPosition {
  std::uint16_t marks[2]{};
  std::uint8_t ply = 0;
  Outcome outcome = Outcome::going_on;
  std::uint16_t cells;

  int turn() const { return ply & 1; }
  unsigned empty() const { return cells & ~(marks[0] | marks[1]); }
  int count_moves() const { return std::popcount(empty()); }
};

// Row games of at most nine cells without gravity, with the outcomes of all marks in a table.
class SmallGames {
 public:
  using Position = SmallPosition;
  static constexpr int most_cells = 9;

  explicit SmallGames(const RowId& id) : rules_(id) {
    for (int player : {0, 1})
      for (unsigned marks = 0; marks < ends_[player].size(); ++marks) {
        RowPosition<Bits64> position(rules_);
        for (int cell = 0; cell < rules_.size(); ++cell)
          if (marks >> cell & 1) position.marks[player] |= bit<Bits64>(rules_.bit_of(cell));
        ends_[player][marks] = position.result();
      }
  }

  BatchShape shape() const { return {rules_.rows, rules_.columns, 2, rules_.size()}; }
  Position start() const {
    Position position;
    position.cells = static_cast<std::uint16_t>((1u << rules_.size()) - 1);
    return position;
  }
  std::optional<Position> parse(std::string_view text) const {
    const auto parsed = parse_row(rules_, split(text, '~'));
    if (!parsed) return std::nullopt;
    Position position = start();
    for (int cell = 0; cell < rules_.size(); ++cell)
      for (int player : {0, 1})
        if (has(parsed->marks[player], rules_.bit_of(cell)))
          position.marks[player] |= static_cast<std::uint16_t>(1u << cell);
    position.ply = static_cast<std::uint8_t>(parsed->ply);
    position.outcome = parsed->outcome;
    return position;
  }

  void play(Position& position, int action, std::uint8_t* observation, std::uint8_t* legal) const {
    const int player = position.turn();
    auto& marks = position.marks[player];
    marks = static_cast<std::uint16_t>(marks | 1u << action);
    ++position.ply;
    batch::swap_pairs(observation, rules_.size());
    observation[2 * action + 1] = 1;
    legal[action] = 0;
    position.outcome = ends_[player][marks];
    if (position.outcome != Outcome::going_on) std::memset(legal, 0, rules_.size());
    else if (position.ply == rules_.size()) position.outcome = Outcome::draw;
  }

  void write(const Position& position, std::uint8_t* observation, std::uint8_t* legal) const {
    const unsigned mine = position.marks[position.turn()];
    const unsigned theirs = position.marks[1 - position.turn()];
    const unsigned empty = position.outcome == Outcome::going_on ? position.empty() : 0;
    for (int cell = 0; cell < rules_.size(); ++cell) {
      observation[2 * cell] = mine >> cell & 1;
      observation[2 * cell + 1] = theirs >> cell & 1;
      legal[cell] = empty >> cell & 1;
    }
  }

  std::array<int, 3> boards(const Position&) const { return {-1, 0, 0}; }

  int action(const Position& position, int number) const {
    return batch::bit_of_nine[position.empty()][number];
  }

 private:
  RowRules<Bits64> rules_;
  std::array<Outcome, 1 << most_cells> ends_[2]{};  // of the marks of one player alone
};

// The rows of the arrays of a game of nine boards.
class NestedGames {
 public:
  using Position = NestedPosition;

  explicit NestedGames(const NestedRules& rules) : rules_(rules) {}

  BatchShape shape() const { return {9, 9, 3, 81}; }
  Position start() const { return Position(rules_); }
  std::optional<Position> parse(std::string_view text) const {
    return parse_nested(rules_, split(text, '~'));
  }

  void play(Position& position, int action, std::uint8_t* observation, std::uint8_t* legal) const {
    position.play(action);
    write(position, observation, legal);
  }

  void write(const Position& position, std::uint8_t* observation, std::uint8_t* legal) const {
    const int turn = position.turn();
    const unsigned reach = position.outcome == Outcome::going_on ? position.reach() : 0;
    for (int row = 0; row < 9; ++row)
      for (int column = 0; column < 3; ++column) {
        const int board = row / 3 * 3 + column, shift = row % 3 * 3;
        const unsigned index = (position.boards[turn][board] >> shift & 7) |
                               (position.boards[1 - turn][board] >> shift & 7) << 3 |
                               (reach >> board & 1) << 6;
        std::memcpy(observation + 27 * row + 9 * column, batch::three_cells[index].data(), 9);
      }
    for (int board = 0; board < 9; ++board) {
      const unsigned empty = reach >> board & 1 ? board_mask & ~position.occupied(board) : 0;
      std::memcpy(legal + 9 * board, batch::spread<9>[empty].data(), 9);
    }
  }

  std::array<int, 3> boards(const Position& position) const {
    const int target = position.target == Position::no_target ? -1 : position.target;
    return {target, position.won[0], position.won[1]};
  }

  int action(const Position& position, int number) const {
    for (unsigned left = position.reach();; left &= left - 1) {
      const int board = std::countr_zero(left);
      unsigned empty = board_mask & ~position.occupied(board);
      const int cells = std::popcount(empty);
      if (number >= cells) {
        number -= cells;
        continue;
      }
      for (; number > 0; --number) empty &= empty - 1;
      return 9 * board + std::countr_zero(empty);
    }
  }

 private:
  NestedRules rules_;
};

class Batch {
 public:
  virtual ~Batch() = default;
  virtual BatchShape shape() const = 0;
  // Let the batch write to these arrays, and start all games.
  virtual void begin(const BatchArrays& arrays) = 0;
  // Play an action in each game. With `Illegal::refuse`, return the first game whose action is
  // illegal, and play nothing; otherwise -1. `seed` is that of random actions.
  virtual std::int64_t step(const std::int64_t* actions, Illegal illegal, std::uint64_t seed) = 0;
  // Start the games whose byte is not 0.
  virtual void reset(const std::uint8_t* mask) = 0;
  // Write a random legal action of each game; 0 for one that is over.
  virtual void sample(std::int64_t* actions, std::uint64_t seed) const = 0;
  // The board that the last move chose, -1 for none, and the boards that X and O have won.
  virtual std::array<int, 3> boards(std::int64_t game) const = 0;
  // Set up a position; return whether the text is one of these rules.
  virtual bool load(std::int64_t game, std::string_view text) = 0;
};

template <class Games>
class BatchOf : public Batch {
 public:
  using Position = typename Games::Position;

  template <class Rules>
  BatchOf(const Rules& rules, std::int64_t count, int threads)
      : games_(rules),
        positions_(count, games_.start()),
        threads_(threads),
        shape_(games_.shape()) {}

  BatchShape shape() const override { return shape_; }

  void begin(const BatchArrays& arrays) override {
    arrays_ = arrays;
    set(0, games_.start());
    start_legal_.assign(legal(0), legal(0) + shape_.actions);
    split([&](std::int64_t i) { start(i); });
  }

  std::int64_t step(const std::int64_t* actions, Illegal illegal, std::uint64_t seed) override {
    if (illegal == Illegal::refuse)
      for (std::int64_t i = 0; i < size(); ++i)
        if (!arrays_.terminated[i] && !is_legal(i, actions[i])) return i;
    const std::uint64_t base = mixed(seed);
    split([&](std::int64_t i) {
      float* const reward = arrays_.reward + 2 * i;
      reward[0] = reward[1] = 0;
      if (arrays_.terminated[i]) return;
      std::int64_t action = actions[i];
      if (!is_legal(i, action)) {
        if (illegal == Illegal::ignore) return;
        if (illegal == Illegal::lose) {
          end(i, positions_[i].turn() == 0 ? Outcome::o_wins : Outcome::x_wins);
          return;
        }
        action = random_action(i, base);
      }
      Position& position = positions_[i];
      games_.play(position, static_cast<int>(action), observation(i), legal(i));
      arrays_.turn[i] = position.turn();
      arrays_.ply[i] = position.ply;
      if (position.outcome != Outcome::going_on) reward_end(i, position.outcome);
    });
    return -1;
  }

  void reset(const std::uint8_t* mask) override {
    split([&](std::int64_t i) {
      if (mask[i]) start(i);
    });
  }

  void sample(std::int64_t* actions, std::uint64_t seed) const override {
    const std::uint64_t base = mixed(seed);
    split([&](std::int64_t i) { actions[i] = arrays_.terminated[i] ? 0 : random_action(i, base); });
  }

  std::array<int, 3> boards(std::int64_t game) const override {
    return games_.boards(positions_[game]);
  }

  bool load(std::int64_t game, std::string_view text) override {
    const auto position = games_.parse(text);
    if (position) set(game, *position);
    return position.has_value();
  }

 private:
  std::int64_t size() const { return static_cast<std::int64_t>(positions_.size()); }
  std::uint8_t* observation(std::int64_t i) const {
    return arrays_.observation + i * shape_.rows * shape_.columns * shape_.planes;
  }
  std::uint8_t* legal(std::int64_t i) const { return arrays_.legal + i * shape_.actions; }
  bool is_legal(std::int64_t i, std::int64_t action) const {
    return action >= 0 && action < shape_.actions && legal(i)[action];
  }

  // The same for any number of threads. It is 0 in a game without moves: a caller who writes to
  // the arrays can make such a game continue.
  int random_action(std::int64_t i, std::uint64_t base) const {
    const auto bits = static_cast<std::uint32_t>(mixed(base + 0x9e3779b97f4a7c15u * (i + 1)) >> 32);
    const auto moves = static_cast<std::uint64_t>(positions_[i].count_moves());
    if (moves == 0) return 0;
    return games_.action(positions_[i], static_cast<int>(bits * moves >> 32));
  }

  void set(std::int64_t i, const Position& position) {
    positions_[i] = position;
    games_.write(position, observation(i), legal(i));
    arrays_.turn[i] = position.turn();
    arrays_.ply[i] = position.ply;
    arrays_.terminated[i] = position.outcome != Outcome::going_on;
    arrays_.reward[2 * i] = arrays_.reward[2 * i + 1] = 0;
  }

  void start(std::int64_t i) {
    positions_[i] = games_.start();
    const std::size_t bytes = shape_.rows * shape_.columns * shape_.planes;
    if (shape_.planes == 2) std::memset(observation(i), 0, bytes);
    else games_.write(positions_[i], observation(i), legal(i));
    std::memcpy(legal(i), start_legal_.data(), start_legal_.size());
    arrays_.turn[i] = 0;
    arrays_.ply[i] = 0;
    arrays_.terminated[i] = 0;
    arrays_.reward[2 * i] = arrays_.reward[2 * i + 1] = 0;
  }

  void end(std::int64_t i, Outcome outcome) {
    positions_[i].outcome = outcome;
    std::memset(legal(i), 0, shape_.actions);
    reward_end(i, outcome);
  }

  void reward_end(std::int64_t i, Outcome outcome) {
    const float of_x = outcome == Outcome::draw ? 0 : outcome == Outcome::x_wins ? 1 : -1;
    arrays_.reward[2 * i] = of_x;
    arrays_.reward[2 * i + 1] = -of_x;
    arrays_.terminated[i] = 1;
  }

  // Call `work` for each game, in several threads if there are many games.
  template <class Work>
  void split(const Work& work) const {
    constexpr std::int64_t least = 1024;  // games that are worth a thread
    const std::int64_t parts = std::clamp<std::int64_t>(size() / least, 1, threads_);
    const auto run = [&](std::int64_t part) {
      const std::int64_t end = size() * (part + 1) / parts;
      for (std::int64_t i = size() * part / parts; i < end; ++i) work(i);
    };
    Threads threads;
    for (std::int64_t part = 1; part < parts; ++part)
      if (!threads.start([&run, part] { run(part); })) run(part);
    run(0);
  }

  Games games_;
  std::vector<Position> positions_;
  int threads_;
  BatchShape shape_;
  BatchArrays arrays_{};
  std::vector<std::uint8_t> start_legal_;
};

// A batch of games; null if there are no such rules.
inline std::unique_ptr<Batch> make_batch(std::string_view rules_id, std::int64_t count,
                                         int threads) {
  if (const auto rules = parse_nested_id(rules_id))
    return std::make_unique<BatchOf<NestedGames>>(*rules, count, threads);
  const auto id = parse_row_id(rules_id);
  if (!id) return nullptr;
  if (!id->gravity && id->columns * id->rows <= SmallGames::most_cells)
    return std::make_unique<BatchOf<SmallGames>>(*id, count, threads);
  if (id->bits() <= 64) return std::make_unique<BatchOf<RowGames<Bits64>>>(*id, count, threads);
  if (id->bits() <= 128) return std::make_unique<BatchOf<RowGames<Bits128>>>(*id, count, threads);
  return std::make_unique<BatchOf<RowGames<Wide>>>(*id, count, threads);
}

}  // namespace noughts
