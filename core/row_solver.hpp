// Exact values of m,n,k-games without gravity, normal and misere, from any position.
//
// Two boolean questions decide a value, one for each side: "can the attacker force a win within a
// given number of plies?". In the normal game only the open lines matter:
//
//     X . . O        k = 3, X attacks. A line is open for X if no O is in it; it is known by its
//     . X . .        missing cells, {b1 c1} in the top row. A cell on no open line of either side
//     . . O .        is dead, and a mark on no open line of its owner is only an obstacle: the key
//                    ignores both, so that many positions share one entry of the table.
//
// If only the attacker has open lines (the Maker-Breaker game), an answer has a zone: the cells
// that the winner's strategy needs. A move of the loser outside it changes nothing and is skipped.
// A defender who draws that game draws the true game too, so it is searched first. In it
//   - a line that contains all missing cells of another one counts no more;
//   - nor does a line with a cell whose twin is on the same lines: the defender answers one of the
//     two with the other;
//   - the defender draws if the weight of the lines is too small (Erdos and Selfridge), or if cells
//     can be paired so that each line contains a pair (pairing.hpp). Replies that leave the fewest
//     lines without a pair are tried first.
// Lines that need more than the remaining plies do not count.
//
// With `exact` a line is open to a player only if no own mark is at an end of it: more marks can do
// harm. The proofs of draws still hold, since they keep the attacker from any full line. But marks
// outside the open lines matter, so that the key has all marks; no cell is better than another in
// every way; a draw has no zone, since without the skipped mark another line may be open; and a
// side may have to give up a line for want of other moves, so that in the true game all cells are
// tried.
//
// Misere: whoever completes a line loses, so that the last missing cell of a line is taboo for its
// side. A line with a taboo cell is never completed, and counts no more. A cell that is taboo for
// one side alone, and on no line of the other, is a spare move of the other; a cell on no line at
// all is idle. The key has the lines that count, and the numbers of spare and idle cells. A
// defender whose spare cells answer all moves that the attacker still has does not lose. As soon as
// a cell is taboo for both, the board is never full, and whoever runs out of moves loses, as in
// normal play: there one spare cell of each side cancel, and so do two idle ones (Conway, On
// Numbers and Games, 1976).
//
// The table keeps 55 bits of a 64-bit hash and selects the bucket by all 64: in a search of 10^9
// positions the probability of any wrong entry is about 10^-10. No keys are exact.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "hash_table.hpp"
#include "pairing.hpp"
#include "row.hpp"
#include "search.hpp"

namespace noughts {

template <class Bits>
class RowSolver {
 public:
  // Wins are proven without their distance where that would cost much more.
  static constexpr bool finds_distances = false;
  static constexpr int share = 1;

  RowSolver(const RowRules<Bits>& rules, std::size_t table_mib) : rules_(rules) {
    make_lines();
    make_codes();
    arena_.resize((rules.size() + 3) * 2 * lines_.size());
    const std::size_t asked = table_mib << 20;
    const std::size_t other = arena_.size() * sizeof(Line) + sizeof(pairing_);
    table_ = HashTable<9>(asked - std::min(asked, other));
  }

  void clear() { table_.clear(); }

  // The value for the side to move. `exact` means that win, draw or loss is proven; the distance is
  // proven too if lower == upper, else a win scores `sure` and a loss -`sure`. Only with `distance`
  // the solver looks for it, within a multiple of the cost of the value. If stopped, the bounds
  // still hold.
  Finding solve(const RowPosition<Bits>& position, Control& control, bool distance = true);

  // The Maker-Breaker game: whether an attacker completes a line within `plies` against a defender
  // who only blocks. `zone` becomes the cells that the winner needs (of a draw, unless `exact`).
  bool makes_line(const Bits& attacker, const Bits& defender, bool attacking, int plies,
                  Control& control, Bits& zone) {
    control_ = &control;
    nodes_ = 0;
    zone = Bits{};
    return ask(attacker, defender, attacking, true, plies, zone);
  }

 private:
  using Line = std::uint16_t;  // index in lines_
  static constexpr int max_cells = 8 * sizeof(Bits);
  static constexpr std::uint64_t whole = std::uint64_t(1) << 32;  // the potential of a full line
  // Nodes spent on short wins before the Maker-Breaker game, and again before the full question.
  static constexpr std::uint64_t glance = 300;

  static constexpr int max_trials = 60;    // in a search for a pairing
  static constexpr int first_paired = 10;  // replies after which a pairing is sought

  struct Lines {  // a slice of the arena
    Line* first;
    int size;
    Line* end() const { return first + size; }
  };
  // For each live cell: the weight of the lines through it, and their common cells.
  struct Cells {
    Bits live{};
    std::array<std::uint64_t, max_cells> weight;
    std::array<Bits, max_cells> common;

    void add(const Bits& missing, std::uint64_t share) {
      for (Bits rest = missing & ~live; rest; rest &= rest - 1) {
        weight[lowest(rest)] = 0;
        common[lowest(rest)] = missing;
      }
      live |= missing;
      for (Bits rest = missing; rest; rest &= rest - 1) {
        weight[lowest(rest)] += share;
        common[lowest(rest)] &= missing;
      }
    }
    // The cells that have a twin, a cell on the same lines.
    Bits twins() const {
      Bits result{};
      for (Bits rest = live; rest; rest &= rest - 1) {
        const int cell = lowest(rest);
        for (Bits others = common[cell] & ~bit<Bits>(cell); others; others &= others - 1)
          if (has(common[lowest(others)], cell)) result |= bit<Bits>(cell);
      }
      return result;
    }
    // For each dominated cell of `cells` one that dominates it, of `near` if there is one.
    Bits dominators(const Bits& cells, const Bits& near) const {
      Bits result{};
      for (Bits rest = cells & live; rest; rest &= rest - 1) {
        const int cell = lowest(rest);
        if (!dominated(cell)) continue;
        Bits best{};
        for (Bits others = common[cell] & ~bit<Bits>(cell); others; others &= others - 1) {
          const int other = lowest(others);
          if (dominated(other)) continue;
          best = bit<Bits>(other);
          if (has(near | result, other)) break;
        }
        result |= best;
      }
      return result;
    }
    // Whether another cell is on all lines of this one: that cell is never worse.
    bool dominated(int cell) const {
      for (Bits rest = common[cell] & ~bit<Bits>(cell); rest; rest &= rest - 1) {
        const int other = lowest(rest);
        if (!(common[other] & bit<Bits>(cell)) || other < cell) return true;
      }
      return false;
    }
  };
  struct Move {
    std::uint64_t weight;
    int cell;
    int unpaired = 0;  // runs of lines without a pair, as far as known
  };
  struct Answer {
    bool known = false, wins = false;
    int plies = 0;   // of the win; 0 if unknown
    int beyond = 0;  // the smallest possible number of plies of a win
    int move = -1;   // a bit
  };
  enum class Known { nothing, win, none };

  bool attack_wins(const Bits& attacker, const Bits& defender, Lines open, Lines counter,
                   bool attacking, int plies, Bits& zone);
  void weigh(Lines lines, const Bits& attacker, Cells& cells) const;
  void drop_harmless(Lines& lines, const Bits& attacker, Cells& cells, Bits& zone) const;
  int unpaired(Lines lines, const Bits& attacker, const Bits& reply, const Bits& spared,
               bool counts, Bits& zone);
  bool misere_wins(const Bits& attacker, const Bits& defender, bool attacking, int plies);
  bool ask(const RowPosition<Bits>& position, int attacker, bool weak, int plies);
  bool ask(const Bits& attacker, const Bits& defender, bool attacking, bool weak, int plies,
           Bits& zone);
  Answer question(const RowPosition<Bits>& position, int attacker, bool distance);

  // Whether a side with the marks `mine` can complete a line, or has completed it.
  bool is_open(Line line, const Bits& mine, const Bits& theirs) const {
    return !(lines_[line] & theirs) && !(rules_.exact && ends_[line] & mine);
  }

  void make_lines();  // straight by straight: by rows, columns and diagonals
  void make_codes();
  std::uint64_t key(const Bits& empty, const Bits& attacker, const Bits& defender) const;
  Known probe(std::uint64_t key, int plies);
  void store(std::uint64_t key, bool won, int plies);

  RowRules<Bits> rules_;
  std::vector<Bits> lines_;
  std::vector<Bits> ends_;  // the cells just beyond each line
  std::vector<Line> arena_;
  Pairing<Bits> pairing_;
  HashTable<9> table_;  // won 1 bit | plies 8: the attacker wins, or does not, within `plies`
  std::array<std::array<std::array<std::uint64_t, symmetries>, max_cells>, 3> codes_{};
  Control* control_ = nullptr;
  std::uint64_t nodes_ = 0;
  int level_ = 0;  // plies below the root of the question
  int best_ = -1;  // bit of the move that decided the last completed node
};

template <class Bits>
void RowSolver<Bits>::make_lines() {
  constexpr int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
  const int k = rules_.k;
  for (int direction = 0; direction < (k == 1 ? 1 : 4); ++direction) {
    const int right = steps[direction][0], down = steps[direction][1];
    const auto is_on = [&](int x, int y) {
      return x >= 0 && x < rules_.columns && y >= 0 && y < rules_.rows;
    };
    for (int cell = 0; cell < rules_.size(); ++cell) {
      int x = cell % rules_.columns, y = cell / rules_.columns;
      if (is_on(x - right, y - down)) continue;  // not the first cell of a straight
      for (; is_on(x + (k - 1) * right, y + (k - 1) * down); x += right, y += down) {
        Bits line{}, ends{};
        for (int i = -1; i <= k; ++i)
          if (const int at_x = x + i * right, at_y = y + i * down; is_on(at_x, at_y))
            (i >= 0 && i < k ? line : ends) |=
                bit<Bits>(rules_.bit_of(at_y * rules_.columns + at_x));
        lines_.push_back(line);
        ends_.push_back(ends);
      }
    }
  }
}

template <class Bits>
void RowSolver<Bits>::make_codes() {
  const int columns = rules_.columns, rows = rules_.rows;
  for (int symmetry = 0; symmetry < symmetries; ++symmetry)
    for (int cell = 0; cell < rules_.size(); ++cell) {
      const int image = image_of(cell, columns == rows ? symmetry : symmetry & 3, columns, rows);
      for (int kind = 0; kind < 3; ++kind)
        codes_[kind][rules_.bit_of(cell)][symmetry] = mixed(3 * image + kind);
    }
}

// The same key for all reflections and rotations of a position.
template <class Bits>
std::uint64_t RowSolver<Bits>::key(const Bits& empty, const Bits& attacker,
                                   const Bits& defender) const {
  std::array<std::uint64_t, symmetries> code{};
  const Bits* kinds[] = {&empty, &attacker, &defender};
  for (int kind = 0; kind < 3; ++kind)
    for (Bits rest = *kinds[kind]; rest; rest &= rest - 1) {
      const auto& addend = codes_[kind][lowest(rest)];
      for (int symmetry = 0; symmetry < symmetries; ++symmetry) code[symmetry] ^= addend[symmetry];
    }
  return *std::min_element(code.begin(), code.end());
}

template <class Bits>
auto RowSolver<Bits>::probe(std::uint64_t key, int plies) -> Known {
  Known known = Known::nothing;
  table_.find(key, [&](std::uint64_t result) {
    const bool won = result >> 8;
    const int proven = result & 255;
    if (won ? proven <= plies : proven >= plies) known = won ? Known::win : Known::none;
    return known != Known::nothing;
  });
  return known;
}

// Replace the entry of the same question, else the entry with the fewest plies.
template <class Bits>
void RowSolver<Bits>::store(std::uint64_t key, bool won, int plies) {
  const std::uint64_t result = std::uint64_t(won) << 8 | static_cast<std::uint64_t>(plies);
  table_.store(
      key, [&](std::uint64_t old) { return (old >> 8 & 1) == won; },
      [](std::uint64_t old) { return old & 255; }, [&](std::uint64_t) { return result; });
}

// Whether the attacker can complete a line within `plies`, and before the defender does. `open` and
// `counter` are the lines that the attacker and the defender could still complete before the last
// move (no counter lines: the defender only blocks). Without counter lines `zone` becomes the cells
// that the winner needs: marks elsewhere change nothing, and do not delay a win. On entry `zone`
// has the cells that the zone of a draw had better not contain.
template <class Bits>
bool RowSolver<Bits>::attack_wins(const Bits& attacker, const Bits& defender, Lines open,
                                  Lines counter, bool attacking, int plies, Bits& zone) {
  if (control_->must_stop(++nodes_)) return false;
  const Bits spared = std::exchange(zone, Bits{});
  Lines mine{counter.end(), 0};
  Bits wins{}, blocks{};  // the cells that complete a line at once, of attacker and defender
  for (const Line* line = open.first; line != open.end(); ++line) {
    if (!is_open(*line, attacker, defender)) continue;
    const Bits missing = lines_[*line] & ~attacker;
    const int size = count(missing);
    if (2 * size - attacking > plies) {
      zone |= missing;
      continue;
    }
    if (size == 1) wins |= missing;
    mine.first[mine.size++] = *line;
  }
  if (mine.size == 0) return false;
  if (attacking && wins) {
    zone = wins & (~wins + 1);
    best_ = lowest(wins);
    return true;
  }
  Lines theirs{mine.end(), 0};
  for (const Line* line = counter.first; line != counter.end(); ++line) {
    if (!is_open(*line, defender, attacker)) continue;
    const Bits missing = lines_[*line] & ~defender;
    const int size = count(missing);
    if (2 * size > plies) continue;
    if (size == 1) blocks |= missing;
    theirs.first[theirs.size++] = *line;
  }
  if (blocks && (!attacking || has_two(blocks))) {
    best_ = lowest(blocks);
    return false;
  }
  if (!attacking && has_two(wins)) {
    zone = wins;
    best_ = lowest(wins);
    return true;
  }
  const bool weak = theirs.size == 0;
  if (weak && wins) {  // one reply, and no other line matters before it
    Bits part{};
    ++level_;
    const bool won = attack_wins(attacker, defender | wins, mine, theirs, true, plies - 1, part);
    --level_;
    zone = part | wins | (won ? Bits{} : zone);
    best_ = lowest(wins);
    return won;
  }
  Cells cells;
  if (weak) {
    drop_harmless(mine, attacker, cells, zone);
    if (mine.size == 0) return false;
  } else {
    weigh(mine, attacker, cells);
  }
  if (level_) {
    // Erdos and Selfridge 1973: the defender draws by playing the cell of the largest weight.
    std::uint64_t potential = 0;
    for (const Line* line = mine.first; line != mine.end(); ++line)
      potential += whole >> count(lines_[*line] & ~attacker);
    if (potential < (attacking ? whole / 2 : whole)) {
      zone |= cells.live;
      return false;
    }
  }
  for (const Line* line = theirs.first; line != theirs.end(); ++line) {
    const Bits missing = lines_[*line] & ~defender;
    cells.add(missing, whole / 2 >> count(missing));
  }
  const Bits& live = cells.live;
  const Bits empty = rules_.cells & ~(attacker | defender);
  const Bits& tried = rules_.exact && !weak ? empty : live;
  plies = std::min(plies, count(tried));

  Bits my_marks{}, their_marks{};
  for (const Line* line = mine.first; line != mine.end(); ++line) my_marks |= lines_[*line];
  for (const Line* line = theirs.first; line != theirs.end(); ++line) their_marks |= lines_[*line];
  const std::uint64_t position = rules_.exact
                                     ? key(empty, attacker, defender)
                                     : key(live, my_marks & attacker, their_marks & defender);
  const std::uint64_t here = mixed(position + attacking + 2 * weak);
  if (level_) {
    const Known known = probe(here, plies);
    if (known != Known::nothing) {
      zone = known == Known::win ? live : zone | live;
      return known == Known::win;
    }
  }

  if (level_ && attacking && !unpaired(mine, attacker, Bits{}, Bits{}, false, zone)) return false;

  const Bits forced = attacking ? blocks : wins;
  std::array<Move, max_cells> moves{};
  int size = 0;
  for (Bits rest = forced ? forced : tried; rest; rest &= rest - 1) {
    const int cell = lowest(rest);
    if (!forced && !rules_.exact && cells.dominated(cell)) continue;
    const bool is_weighed = !forced && (!rules_.exact || has(live, cell));
    const std::uint64_t weight = is_weighed ? cells.weight[cell] : 0;
    int at = size++;
    for (; at > 0 && moves[at - 1].weight < weight; --at) moves[at] = moves[at - 1];
    moves[at] = {weight, cell};
  }

  // After a defence that leaves a pairing of all lines, no search is needed.
  if (level_ && !attacking && !forced) {
    for (int i = 0; i < std::min(size, first_paired); ++i) {
      Move move = moves[i];
      const Bits cell = bit<Bits>(move.cell);
      move.unpaired = unpaired(mine, attacker, cell, spared, weak, zone);
      if (!move.unpaired) {
        zone |= cell;
        best_ = move.cell;
        store(here, false, plies);
        return false;
      }
      int at = i;
      for (; weak && at > 0 && moves[at - 1].unpaired > move.unpaired; --at)
        moves[at] = moves[at - 1];
      moves[at] = move;
    }
  }

  bool won = !attacking;
  int best = moves[0].cell;
  Bits needed = attacking ? zone : forced, useful = ~Bits(0);
  ++level_;
  for (int i = 0; i < size && won != attacking; ++i) {
    const Bits cell = bit<Bits>(moves[i].cell);
    if (!(useful & cell)) continue;
    Bits part = attacking && weak ? useful : Bits{};
    won =
        attack_wins(attacking ? attacker | cell : attacker, attacking ? defender : defender | cell,
                    mine, theirs, !attacking, plies - 1, part);
    if (control_->stopped()) break;
    if (won == attacking) {
      best = moves[i].cell;
      needed = part | cell | (attacking ? Bits{} : zone);
    } else {
      needed |= part;
      if (weak && (won || !rules_.exact)) useful &= part;
    }
  }
  --level_;
  if (control_->stopped()) return false;
  best_ = best;
  if (!won && attacking) needed |= cells.dominators(needed & useful, needed);
  zone = weak ? needed : ~Bits(0);
  store(here, won, plies);
  return won;
}

template <class Bits>
void RowSolver<Bits>::weigh(Lines lines, const Bits& attacker, Cells& cells) const {
  cells.live = Bits{};
  for (const Line* line = lines.first; line != lines.end(); ++line) {
    const Bits missing = lines_[*line] & ~attacker;
    cells.add(missing, whole >> count(missing));
  }
}

// Drop the lines that the defender, who has none, need not mind, and weigh the cells of the others.
// Adds to `zone` the cells with which the defender blocks the dropped ones.
template <class Bits>
void RowSolver<Bits>::drop_harmless(Lines& lines, const Bits& attacker, Cells& cells,
                                    Bits& zone) const {
  const auto missing = [&](int i) { return Bits(lines_[lines.first[i]] & ~attacker); };
  const auto overlap = [&](int i, int j) {
    return has_two(Bits(lines_[lines.first[i]] & lines_[lines.first[j]]));
  };
  for (int before = -1; before != lines.size;) {
    // Lines that contain another one: they share two cells, and so are near it on one straight.
    int kept = 0;
    for (int i = 0; i < lines.size; ++i) {
      bool counts = true;
      for (int j = kept - 1; counts && j >= 0 && overlap(i, j); --j)
        counts = bool(missing(j) & ~missing(i));
      for (int j = i + 1; counts && j < lines.size && overlap(i, j); ++j)
        counts = bool(missing(j) & ~missing(i)) || missing(j) == missing(i);
      if (counts) lines.first[kept++] = lines.first[i];
    }
    before = lines.size = kept;
    weigh(lines, attacker, cells);
    const Bits twins = cells.twins();
    Line* end = std::remove_if(lines.first, lines.end(), [&](Line line) {
      const Bits pairs = lines_[line] & ~attacker & twins;
      zone |= pairs;
      return bool(pairs);
    });
    lines.size = static_cast<int>(end - lines.first);
  }
}

// The number of runs of the attacker's lines without a pair after a reply of the defender, or 1 for
// any number unless it `counts`. If 0, adds the pairs to `zone`, cells of `spared` last.
template <class Bits>
int RowSolver<Bits>::unpaired(Lines lines, const Bits& attacker, const Bits& reply,
                              const Bits& spared, bool counts, Bits& zone) {
  pairing_.clear();
  for (const Line* line = lines.first; line != lines.end(); ++line)
    if (!(lines_[*line] & reply)) pairing_.add(lines_[*line] & ~attacker);
  return pairing_.find(spared, counts, max_trials, zone);
}

// Whether the attacker can make the defender complete a line within `plies` plies.
template <class Bits>
bool RowSolver<Bits>::misere_wins(const Bits& attacker, const Bits& defender, bool attacking,
                                  int plies) {
  if (control_->must_stop(++nodes_)) return false;
  const Bits empty = rules_.cells & ~(attacker | defender);
  if (!empty || plies < 1 + attacking) return false;
  const int mover = !attacking;
  const Bits* marks[] = {&attacker, &defender};
  Bits taboo[2]{}, risky[2]{};  // of attacker and defender
  bool open = false;            // the defender can still complete a line
  const auto each_open = [&](int side, auto&& visit) {
    for (std::size_t line = 0; line < lines_.size(); ++line)
      if (is_open(static_cast<Line>(line), *marks[side], *marks[1 - side]))
        visit(Bits(lines_[line] & empty));
  };
  for (const int side : {0, 1})
    each_open(side, [&](const Bits& missing) {
      open |= side == 1;
      if (!has_two(missing)) taboo[side] |= missing;
    });
  const Bits safe = empty & ~taboo[mover];
  if (!safe) {
    best_ = lowest(empty);
    return !attacking;
  }
  if (level_ && !open) return false;

  std::array<std::uint64_t, symmetries> code{};
  const auto add = [&](int side, const Bits& missing) {
    std::array<std::uint64_t, symmetries> sum{};
    for (Bits rest = missing; rest; rest &= rest - 1)
      for (int i = 0; i < symmetries; ++i) sum[i] += codes_[side][lowest(rest)][i];
    for (int i = 0; i < symmetries; ++i) code[i] += mixed(sum[i]);
  };
  std::array<int, max_cells> risk{};  // of the mover, for the order of moves
  for (const int side : {0, 1})
    each_open(side, [&](const Bits& missing) {
      if (missing & taboo[side]) return;
      risky[side] |= missing;
      if (!rules_.exact) add(side, missing);
      if (side == mover)
        for (Bits rest = missing; rest; rest &= rest - 1)
          risk[lowest(rest)] += 1 + 2 * (rules_.k - count(missing));
    });

  const int left = count(empty);
  const bool full = plies >= left;
  plies = std::min(plies, left);
  Bits spare[2]{}, idle{};
  std::uint64_t here;
  int proven = plies;
  if (rules_.exact) {
    here = mixed(key(empty, attacker, defender) + attacking);
  } else {
    int spares[2], most[2];
    for (const int side : {0, 1}) {
      spare[side] = empty & taboo[1 - side] & ~(taboo[side] | risky[side]);
      spares[side] = count(spare[side]);
      most[side] = count(empty & ~taboo[side]);
      for (Bits rest = taboo[side] & risky[1 - side]; rest; rest &= rest - 1)
        add(side, rest & (~rest + 1));
    }
    // A spare cell answers each move that the other side still has.
    const int first = most[1] + attacking;
    if (level_ && spares[1] >= most[0] + !attacking) return false;
    if (level_ && spares[0] >= first && count(taboo[1]) > first && most[1] + first < plies)
      return true;
    idle = empty & ~(taboo[0] | taboo[1] | risky[0] | risky[1]);
    int idles = count(idle);
    const int poisoned = count(taboo[0] & taboo[1]);
    if (full && poisoned) {
      const int pairs = std::min(spares[0], spares[1]);
      proven -= poisoned - 1 + 2 * pairs + (idles & ~1);
      spares[0] -= pairs;
      spares[1] -= pairs;
      idles &= 1;
    }
    here = *std::min_element(code.begin(), code.end());
    for (const int part :
         {int{attacking}, int{full}, int{poisoned > 0}, spares[0], spares[1], idles})
      here = mixed(here + static_cast<std::uint64_t>(part));
  }
  if (level_) {
    const Known known = probe(here, proven);
    if (known != Known::nothing) return known == Known::win;
  }

  // Of spare cells one is tried, and of idle ones: they are alike.
  const auto but_one = [](const Bits& cells) { return cells & (cells - 1); };
  std::array<Move, max_cells> moves;
  int size = 0;
  for (Bits rest = safe & ~but_one(spare[mover]) & ~but_one(idle); rest; rest &= rest - 1) {
    const int cell = lowest(rest);
    const auto weight = static_cast<std::uint64_t>(risk[cell]);
    int at = size++;
    for (; at > 0 && moves[at - 1].weight > weight; --at) moves[at] = moves[at - 1];
    moves[at] = {weight, cell};
  }
  bool won = !attacking;
  int best = moves[0].cell;
  ++level_;
  for (int i = 0; i < size && won != attacking; ++i) {
    const Bits cell = bit<Bits>(moves[i].cell);
    won = misere_wins(attacking ? attacker | cell : attacker,
                      attacking ? defender : defender | cell, !attacking, plies - 1);
    if (control_->stopped()) break;
    if (won == attacking) best = moves[i].cell;
  }
  --level_;
  if (control_->stopped()) return false;
  best_ = best;
  store(here, won, proven);
  return won;
}

template <class Bits>
bool RowSolver<Bits>::ask(const Bits& attacker, const Bits& defender, bool attacking, bool weak,
                          int plies, Bits& zone) {
  level_ = 0;
  best_ = -1;
  if (rules_.misere) return misere_wins(attacker, defender, attacking, plies);
  const int size = static_cast<int>(lines_.size());
  for (int i = 0; i < 2 * size; ++i) arena_[i] = static_cast<Line>(i % size);
  return attack_wins(attacker, defender, {arena_.data(), size},
                     {arena_.data() + size, weak ? 0 : size}, attacking, plies, zone);
}

template <class Bits>
bool RowSolver<Bits>::ask(const RowPosition<Bits>& position, int attacker, bool weak, int plies) {
  Bits zone{};
  return ask(position.marks[attacker], position.marks[1 - attacker], position.turn() == attacker,
             weak, plies, zone);
}

// Short wins first, then the full question against a defender who only blocks, short wins again,
// the full question, and the distance of a win.
template <class Bits>
auto RowSolver<Bits>::question(const RowPosition<Bits>& position, int attacker, bool distance)
    -> Answer {
  const bool attacking = position.turn() == attacker;
  const int left = rules_.size() - position.ply;
  const std::uint64_t started = nodes_;
  Answer answer;
  answer.beyond = attacking != rules_.misere ? 1 : 2;
  if (rules_.misere) answer.beyond = attacking ? 2 : 1;
  const auto settle = [&](bool wins) {
    answer.known = !control_->stopped();
    answer.wins = answer.known && wins;
    // The full question does not compare lost moves; the deepening does.
    if (answer.known && best_ >= 0 && (!wins || attacking || answer.move < 0)) answer.move = best_;
    return answer.wins;
  };
  // Deepen until the question is decided (true) or `budget` nodes are spent (false).
  const auto deepen = [&](std::uint64_t budget) {
    for (; nodes_ - started < budget && answer.beyond <= left; answer.beyond += 2) {
      const bool wins = ask(position, attacker, false, answer.beyond);
      if (control_->stopped()) return true;
      if (wins && (attacking || answer.move < 0)) answer.move = best_;
      if (!wins && best_ >= 0 && !attacking) answer.move = best_;
      if (wins) {
        answer.known = answer.wins = true;
        answer.plies = answer.beyond;
        return true;
      }
    }
    if (answer.beyond <= left) return false;
    answer.known = true;
    return true;
  };
  if (deepen(glance)) return answer;
  if (!rules_.misere) {
    if (!settle(ask(position, attacker, true, left))) return answer;
    answer.known = answer.wins = false;
    if (deepen(nodes_ - started + glance)) return answer;
  }
  if (!settle(ask(position, attacker, false, left))) return answer;
  if (distance) deepen(4 * (nodes_ - started) + (1 << 20));
  return answer;
}

template <class Bits>
Finding RowSolver<Bits>::solve(const RowPosition<Bits>& position, Control& control, bool distance) {
  Finding finding;
  control_ = &control;
  nodes_ = 0;
  const int ply = position.ply, turn = position.turn();
  if (position.outcome != Outcome::going_on) {
    if (position.outcome != Outcome::draw)
      finding.score = (position.outcome == Outcome::x_wins) == (turn == 0) ? win - ply : ply - win;
    finding.lower = finding.upper = finding.score;
    finding.exact = true;
    return finding;
  }
  const Answer attack = question(position, turn, distance);
  Answer defence;
  finding.lower = -(win - ply - 1);
  if (attack.wins) {
    finding.upper = win - ply - attack.beyond;
    finding.lower = attack.plies ? finding.upper : sure;
    finding.score = finding.lower;
  } else {
    finding.upper = attack.known ? 0 : win - ply - attack.beyond;
    if (attack.known) defence = question(position, 1 - turn, distance);
    // Strategy stealing: the second player has no win, which then need not be proven. It needs
    // games in which more marks do no harm.
    if ((defence.known && !defence.wins) ||
        (attack.known && ply == 0 && !rules_.misere && !rules_.exact))
      finding.lower = 0;
    if (!finding.lower && !finding.upper) finding.score = 0;
    if (defence.wins || !defence.known) {
      if (finding.lower) finding.lower = -(win - ply - std::max(1, defence.beyond));
    }
    if (defence.wins) {
      finding.upper = defence.plies ? finding.lower : -sure;
      finding.score = finding.upper;
    }
  }
  finding.exact = attack.wins || defence.wins || (!finding.lower && !finding.upper);
  int move = attack.wins ? attack.move : defence.move >= 0 ? defence.move : attack.move;
  if (move < 0) move = lowest(position.landings());
  finding.move = rules_.cell_of(move);
  finding.pv = {finding.move};
  finding.depth = attack.plies + defence.plies;
  finding.nodes = nodes_;
  finding.seconds = control.seconds();
  finding.table_use = table_.use();
  return finding;
}

}  // namespace noughts
