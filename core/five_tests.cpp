// Tests of the search of five in a row, for the sanitizers: exit status 0 if all pass.
//
// Patterns are compared with the rules on random boards, and proven wins with a check that knows
// nothing but the rules: it tries every legal reply, and asks the search again after each.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "checking.hpp"
#include "five_search.hpp"
#include "row.hpp"
#include "threat_tree.hpp"
#include "threats.hpp"

using namespace noughts;

namespace {

using Bits = Wide;
constexpr int columns = 15, rows = 15, size = columns * rows;

// Numbers that look random.
struct Chance {
  std::uint64_t state;
  int below(int most) { return static_cast<int>((state = mixed(state)) % most); }
};

// Compare the patterns of all empty cells with the rules; returns the comparisons.
int compare(const PatternBoard& board, const RowPosition<Bits>& position) {
  const RowRules<Bits>& rules = *position.rules;
  const auto fresh = std::make_unique<PatternBoard>(columns, rows, board.exact());
  for (int cell = 0; cell < size; ++cell)
    if (const int place = board.place_of(cell); !board.is_empty(place))
      fresh->play(place, board.mark(place));
  int compared = 0;
  for (int side : {0, 1}) {
    CHECK(fresh->worth(side, true) == board.worth(side, true));
    CHECK(fresh->worth(side, false) == board.worth(side, false));
    const Bits taken = position.occupied();
    const Bits fives = rules.completing(position.marks[side]) & ~taken;
    const Bits fours = cells_of_fours(rules, position.marks[side], position.marks[side ^ 1]);
    for (int cell = 0; cell < size; ++cell) {
      const int place = board.place_of(cell), index = rules.bit_of(cell);
      if (!board.is_empty(place)) continue;
      ++compared;
      const Threat threat = board.threat(side, place);
      CHECK(fresh->threat(side, place) == threat);
      CHECK(fresh->order(side, place) == board.order(side, place));
      CHECK(has(fives, index) == (threat == Threat::five));
      if (fives) continue;
      bool makes_four = false;
      for (int direction = 0; direction < 4; ++direction)
        makes_four |= board.pattern(side, place, direction) >= Pattern::four;
      CHECK(makes_four == has(fours, index));
      const Bits with_mark = position.marks[side] | bit<Bits>(index);
      const int completing = count(rules.completing(with_mark) & ~(taken | bit<Bits>(index)));
      CHECK((completing > 0) == makes_four);
      CHECK((completing > 1) == (threat == Threat::sure_four));
    }
  }
  return compared;
}

// Set marks without counting patterns, compare the board with one that counts them, and take them
// away.
void test_marks_set(PatternBoard& board, Chance& chance) {
  const auto counted = std::make_unique<PatternBoard>(board);
  const std::uint64_t key = board.key();
  std::vector<int> places;
  for (int i = 0; i < 4; ++i) {
    const int place = board.place_of(chance.below(size)), side = chance.below(2);
    if (!board.is_empty(place) || board.threat(side, place) == Threat::five) continue;
    board.set(place, side);
    counted->play(place, side);
    places.push_back(place);
  }
  CHECK(board.key() == counted->key());
  for (int side : {0, 1}) {
    const bool has_five = counted->has(side, Threat::five);
    for (int cell = 0; cell < size; ++cell) {
      const int place = board.place_of(cell);
      CHECK(board.mark(place) == counted->mark(place));
      if (!board.is_empty(place)) continue;
      for (int direction = 0; direction < 4; ++direction)
        CHECK(board.pattern_now(side, place, direction) ==
              counted->pattern(side, place, direction));
      if (has_five) continue;
      const Threat threat = counted->threat(side, place);
      CHECK(board.fours_now(side, place) ==
            (threat >= Threat::four) + (threat > Threat::four_three));
      const auto fives = board.fives_after(side, place);
      counted->play(place, side);
      const auto& cells = counted->cells_of(side, Threat::five);
      CHECK(fives.size == cells.size);
      if (fives.size == 1) CHECK(fives.cell[0] == cells.cell[0]);
      // The cells that make a four only after this mark are on its lines.
      Places fours;
      counted->each_four_now(side, place, [&](int other) { fours.add(other); });
      for (Threat each : {Threat::four, Threat::four_three, Threat::sure_four})
        for (const int other : counted->cells_of(side, each))
          CHECK(board.fours_now(side, other) > 0 || fours.has(other));
      // It adds to no pattern of the other side.
      for (int other = 0; other < PatternBoard::cells; ++other)
        for (int direction = 0; direction < 4 && counted->is_empty(other); ++direction)
          CHECK(counted->pattern(side ^ 1, other, direction) <=
                board.pattern_now(side ^ 1, other, direction));
      counted->take_back(place);
    }
  }
  for (auto place = places.rbegin(); place != places.rend(); ++place) board.unset(*place);
  CHECK(board.key() == key);
}

void test_patterns(bool exact) {
  Chance chance{exact ? 1u : 2u};
  const RowRules<Bits> rules(RowId{columns, rows, 5, false, false, exact});
  int compared = 0;
  for (int game = 0; game < 4; ++game) {
    const auto board = std::make_unique<PatternBoard>(columns, rows, exact);
    RowPosition<Bits> position(rules);
    std::vector<int> moves;
    while (position.outcome == Outcome::going_on && position.ply < 120) {
      int cell = chance.below(size);
      for (int i = 0; i < 2'000; ++i, cell = chance.below(size)) {
        const int place = board->place_of(cell);
        if (board->is_empty(place) && (position.ply == 0 || board->is_near(place))) break;
      }
      if (!board->is_empty(board->place_of(cell))) break;
      board->play(board->place_of(cell));
      position.play(cell);
      moves.push_back(cell);
      // Take some back, and play them again.
      const std::size_t back = std::min<std::size_t>(moves.size(), chance.below(6));
      for (std::size_t i = 1; i <= back; ++i)
        board->take_back(board->place_of(moves[moves.size() - i]));
      for (std::size_t i = back; i > 0; --i) board->play(board->place_of(moves[moves.size() - i]));
      if (position.outcome == Outcome::going_on && chance.below(8) == 0)
        test_marks_set(*board, chance);
      if (position.outcome == Outcome::going_on && chance.below(3) == 0)
        compared += compare(*board, position);
    }
  }
  CHECK(compared > 10'000);
}

// A win as a person would check it.
class Checker {
 public:
  explicit Checker(FiveSearch& search) : search_(&search) {}
  long positions = 0;

  // Whether `side`, which is to move, wins against every legal reply, as the search says.
  bool wins(PatternBoard& board, const RowPosition<Bits>& position, int side) {
    ++positions;
    const RowRules<Bits>& rules = *position.rules;
    const Bits empty = rules.cells & ~position.occupied();
    if (rules.completing(position.marks[side]) & empty) return true;
    int move = search_->winning_move(board, side);
    if (move < 0) {
      // Not a win by threats alone: what a longer search proves.
      const std::atomic<bool> stop{false};
      Limit limit;
      limit.nodes = 60'000;
      Control control(limit, stop);
      const Finding found = search_->analyse(board, control, {});
      if (!found.exact || !is_win(found.score)) return false;
      move = board.place_of(found.move);
    }
    RowPosition<Bits> after = position;
    after.play(board.cell_of(move));
    board.play(move, side);
    bool all = !(rules.completing(after.marks[side ^ 1]) & rules.cells & ~after.occupied());
    const Bits threats = rules.completing(after.marks[side]) & rules.cells & ~after.occupied();
    // A reply that leaves a line to complete loses at once.
    Bits replies = threats ? count(threats) > 1 ? Bits{} : threats : after.landings();
    for (; all && replies; replies &= replies - 1) {
      const int cell = rules.cell_of(lowest(replies));
      RowPosition<Bits> next = after;
      next.play(cell);
      board.play(board.place_of(cell), side ^ 1);
      all = wins(board, next, side);
      board.take_back(board.place_of(cell));
    }
    board.take_back(move);
    return all;
  }

 private:
  FiveSearch* search_;
};

// Play games of the search against itself; check every win that it proves, if it is not too long.
void test_wins(bool exact) {
  constexpr int longest = 13;
  Chance chance{exact ? 3u : 4u};
  const RowRules<Bits> rules(RowId{columns, rows, 5, false, false, exact});
  const auto empty = std::make_unique<PatternBoard>(columns, rows, exact);
  FiveSearch player(*empty, 4, 0), other(*empty, 16, 0);
  Checker checker(other);
  int checked = 0;
  for (int game = 0; game < 24; ++game) {
    const auto board = std::make_unique<PatternBoard>(columns, rows, exact);
    RowPosition<Bits> position(rules);
    while (position.ply < 6) {
      const int cell = (4 + chance.below(7)) * columns + 4 + chance.below(7);
      if (!board->is_empty(board->place_of(cell))) continue;
      board->play(board->place_of(cell));
      position.play(cell);
    }
    while (position.outcome == Outcome::going_on && position.ply < 100) {
      const std::atomic<bool> stop{false};
      Limit limit;
      limit.nodes = 1'000;
      Control control(limit, stop);
      const Finding found = player.analyse(*board, control, {});
      if (found.exact) {
        const int plies = win - std::abs(found.score) - position.ply;
        if (is_win(found.score) && plies <= longest) {
          CHECK(checker.wins(*board, position, position.turn()));
          ++checked;
        }
        break;
      }
      board->play(board->place_of(found.move));
      position.play(found.move);
    }
  }
  CHECK(checked >= 3);
  CHECK(checker.positions > 1'000);
  std::printf("%d wins%s hold against every reply, in %ld positions\n", checked,
              exact ? " of exactly five" : "", checker.positions);
}

// Grow trees in games of random moves close together. Whether they prove, tests in Python check.
void test_trees(bool exact) {
  Chance chance{exact ? 5u : 6u};
  int grown = 0, cut = 0;
  for (int game = 0; game < 6; ++game) {
    const int side = 5 + chance.below(16);
    const auto board = std::make_unique<PatternBoard>(side, side, exact);
    const int wide = std::min(side, 8), first = chance.below(side - wide + 1);
    while (board->ply() < wide * wide / 2) {
      const int row = first + chance.below(wide), column = first + chance.below(wide);
      const int place = board->place_of(row * side + column);
      if (!board->is_empty(place)) continue;
      if (board->threat(board->turn(), place) == Threat::five) break;
      board->play(place);
      const auto tree = std::make_unique<ThreatTree>(*board, 1 << 16);
      const std::uint64_t key = board->key();
      int nodes = 0;
      const auto goes_on = [&] { return ++nodes < 300; };
      for (int attacker : {0, 1})
        for (int most : {8, 300}) {
          nodes = 0;
          const auto codes = tree->grow(attacker, -1, most, goes_on);
          CHECK(board->key() == key);
          if (codes.empty()) continue;
          CHECK(codes[0] >= -1 && codes[0] < board->size());
          CHECK((codes[0] < 0) == (attacker != board->turn()));
          ++grown;
          cut += codes[2];
        }
    }
  }
  CHECK(grown > 50);
  std::printf("%d trees%s, %d of them cut at the root\n", grown, exact ? " of exactly five" : "",
              cut);
}

}  // namespace

int main() {
  for (bool exact : {false, true}) {
    test_patterns(exact);
    test_wins(exact);
    test_trees(exact);
  }
  std::puts("all tests of five in a row passed");
}
