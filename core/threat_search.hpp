// Wins of five in a row by threats alone: by fours, and by fours and open threes with all defences.
//
//     attacker   a four, which forces one reply, or a move after which it would win by fours
//     defender   every move that touches the win by fours threatened, and every four of its own
//
// Wins by fours are searched depth-first (Allis, van den Herik and Huntjens 1996: threat-space
// search), wins by open threes by depth-first proof-number search (Nagai 2002). Both prove: a move
// of the defender is left out only if the threatened win works after it, as shown at
// `WinByFours::zone`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "line_patterns.hpp"
#include "memory.hpp"

namespace noughts {

// Asked at each node whether a search may go on.
using GoesOn = std::function<bool()>;

// A set of places of a `PatternBoard`.
struct Places {
  std::array<std::uint32_t, PatternBoard::cells / 32> row{};

  void add(int place) { row[place / 32] |= 1u << place % 32; }
  bool has(int place) const { return row[place / 32] >> place % 32 & 1; }
  Places& operator&=(const Places& other) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] &= other.row[i];
    return *this;
  }
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::size_t i = 0; i < row.size(); ++i)
      for (std::uint32_t left = row[i]; left; left &= left - 1)
        visit(static_cast<int>(32 * i) + std::countr_zero(left));
  }
};

// Sort places by falling worth, then by their numbers. A few moves: insertion is fast enough, and
// small.
template <class Worth>
void sort_places(std::int16_t* places, int size, Worth&& worth_of) {
  std::array<int, max_moves> worth;
  for (int i = 0; i < size; ++i) {
    const std::int16_t place = places[i];
    const int of_place = worth_of(place);
    int at = i;
    for (; at > 0 &&
           (worth[at - 1] < of_place || (worth[at - 1] == of_place && places[at - 1] > place));
         --at)
      places[at] = places[at - 1], worth[at] = worth[at - 1];
    places[at] = place, worth[at] = of_place;
  }
}

// Searches for a win by fours.
class WinByFours {
 public:
  // Search for a win of `side`, as if it were to move, in at most `nodes` nodes. `goes_on` is
  // called at each; the search ends once it returns false. Returns its plies, or 0 if none is
  // found.
  int find(PatternBoard& board, int side, int nodes, const GoesOn& goes_on) {
    line_.clear();
    left_ = nodes;
    if (const auto& fives = board.cells_of(side, Threat::five); fives.size) {
      line_.push_back(fives.cell[0]);
      return 1;
    }
    const auto& danger = board.cells_of(side ^ 1, Threat::five);
    if (danger.size > 1) return 0;
    fours_.size = 0;
    for (Threat each : {Threat::sure_four, Threat::four_three, Threat::four})
      for (const std::int16_t place : board.cells_of(side, each))
        fours_.cell[fours_.size++] = place;
    const int plies = search(board, side, danger.size ? danger.cell[0] : -1, goes_on);
    std::reverse(line_.begin(), line_.end());
    return plies;
  }
  // The win found last: fours and replies in turn, and at the end the move that makes two fours or
  // a line.
  const std::vector<std::int16_t>& line() const { return line_; }
  void clear() { failed_.fill(0); }

  // Add the last move of a win and, if it threatens to complete a line in two ways, both.
  static void add_end(Places& zone, const PatternBoard& board, int side, int move) {
    zone.add(move);
    const auto fives = board.fives_after(side, move);
    if (fives.size == 2) zone.add(fives.cell[0]), zone.add(fives.cell[1]);
  }

  // The empty cells that the win depends on: after a move of the other side anywhere else that
  // makes no four, the same win works. These are
  //   - the moves of both sides, and where the last one threatens to complete a line in two ways,
  //   both;
  //   - cells that together with a reply would give the other side a four, and so a tempo.
  // A move elsewhere leaves each four a four, and each reply the only one.
  Places zone(PatternBoard& board, int side) const {
    Places zone;
    const std::size_t before = line_.size() - 1;
    for (std::size_t i = 0; i < before; ++i) {
      zone.add(line_[i]);
      board.play(line_[i], i % 2 ? side ^ 1 : side);
    }
    add_end(zone, board, side, line_[before]);
    for (std::size_t i = 1; i < before; i += 2) add_fours(zone, board, side, line_[i]);
    for (std::size_t i = before; i-- > 0;) board.take_back(line_[i]);
    return zone;
  }

 private:
  // Add the cells that make a four of the defender with a reply, as if the attacker's moves of the
  // win were not on the board: some come later.
  void add_fours(Places& zone, const PatternBoard& board, int side, int reply) const {
    for (int step : PatternBoard::directions)
      for (int first = reply - 4 * step; first <= reply; first += step) {
        int own = 0;
        bool open = true;
        for (int i = 0; i < 5 && open; ++i) {
          const int place = first + i * step;
          own += board.mark(place) == (side ^ 1);
          open = board.mark(place) != PatternBoard::outside &&
                 (board.mark(place) != side || is_of_win(place));
        }
        if (!open || own < 3) continue;
        for (int i = 0; i < 5; ++i)
          if (board.is_empty(first + i * step)) zone.add(first + i * step);
      }
  }
  bool is_of_win(int place) const {
    return std::find(line_.begin(), line_.end(), place) != line_.end();
  }

  // Search a position with marks set, not played. `danger` is the cell where the other side
  // completes a line, or -1.
  int search(PatternBoard& board, int side, int danger, const GoesOn& goes_on) {
    if (left_ <= 0 || !goes_on()) {
      left_ = 0;
      return 0;
    }
    --left_;
    std::array<std::int16_t, max_fours> moves;
    int size = 0;
    if (danger >= 0) {
      const int fours = board.fours_now(side, danger);
      if (fours > 1) return end_with(danger);
      if (fours) moves[size++] = static_cast<std::int16_t>(danger);
    } else {
      int sure = PatternBoard::cells;
      for (std::int16_t place : fours_) {
        if (!board.is_empty(place)) continue;
        const int fours = board.fours_now(side, place);
        if (fours > 1) sure = std::min<int>(sure, place);
        if (fours && size < max_fours) moves[size++] = place;
      }
      if (sure < PatternBoard::cells) return end_with(sure);
    }
    if (size == 0) return 0;
    if (has_failed(board.key(), side)) return 0;
    sort_places(moves.data(), size, [&](int place) { return board.order(side, place); });
    const int known = fours_.size;
    for (int i = 0; i < size; ++i) {
      const int move = moves[i], reply = board.fives_after(side, move).cell[0];
      if (has_failed(board.key() ^ board.key_of(side, move) ^ board.key_of(side ^ 1, reply), side))
        continue;
      int plies = 0;
      board.set(move, side);
      const auto fives = board.fives_after(side ^ 1, reply);
      if (fives.size < 2) {
        board.set(reply, side ^ 1);
        board.each_four_now(side, move, [&](int place) {
          if (std::find(fours_.begin(), fours_.end(), place) == fours_.end())
            fours_.cell[fours_.size++] = static_cast<std::int16_t>(place);
        });
        plies = search(board, side, fives.cell[0], goes_on);
        fours_.size = known;
        board.unset(reply);
      }
      board.unset(move);
      if (plies) {
        line_.push_back(static_cast<std::int16_t>(reply));
        line_.push_back(static_cast<std::int16_t>(move));
        return plies + 2;
      }
      if (left_ <= 0) return 0;
    }
    slot_of(board.key(), side) = board.key() + side;
    return 0;
  }
  std::uint64_t& slot_of(std::uint64_t key, int side) {
    return failed_[mixed(key ^ side) % failed_.size()];
  }
  bool has_failed(std::uint64_t key, int side) { return slot_of(key, side) == key + side; }
  int end_with(int move) {
    line_.push_back(static_cast<std::int16_t>(move));
    return 3;
  }

  static constexpr int max_fours = 48;

  std::vector<std::int16_t> line_;  // during a search the last move first
  PatternBoard::Cells fours_;       // where the attacker has or had a four
  int left_ = 0;
  std::array<std::uint64_t, 1 << 13> failed_{};  // keys of positions without a win
};

// The moves of the defender against a threat to win by fours, all that need a search.
struct Defences {
  int plies = 0;  // of the threatened win; 0 if there is none
  std::vector<std::int16_t> moves;
  std::vector<std::int16_t> win;  // the threatened win, as in `WinByFours::line`
};

// Find what `side` threatens if the other side, which is to move, passes; the other side has no
// move that completes a line, and no sure four. All moves that are not among the defences lose in
// one ply more than the threatened win.
inline void find_defences(PatternBoard& board, int side, WinByFours& fours, int nodes,
                          Defences& found, const GoesOn& goes_on) {
  found.moves.clear();
  found.plies = fours.find(board, side, nodes, goes_on);
  if (!found.plies) return;
  found.win = fours.line();
  Places zone = fours.zone(board, side);
  if (found.plies == 3) {
    // Against several sure fours a move must stop each.
    const auto& sure = board.cells_of(side, Threat::sure_four);
    for (int i = 0; i < std::min(sure.size, 4); ++i) {
      Places other;
      WinByFours::add_end(other, board, side, sure.cell[i]);
      zone &= other;
    }
  }
  for (Threat each : {Threat::four, Threat::four_three})
    for (int place : board.cells_of(side ^ 1, each)) zone.add(place);
  zone.each([&](int place) {
    if (board.is_empty(place)) found.moves.push_back(static_cast<std::int16_t>(place));
  });
}

// What a search for a win by threats knows of a position.
struct Known {
  std::uint32_t proof = 1, disproof = 1;
  std::int16_t plies = 0;  // of a proven win, against every defence
  std::int16_t move = -1;  // of the attacker that wins
  bool is_won() const { return proof == 0; }
  bool is_over() const { return proof == 0 || disproof == 0; }
};

// Searches for a win by fours and open threes.
class WinByThreats {
 public:
  explicit WinByThreats(std::size_t bytes)
      : slots_(std::max<std::size_t>(1, bytes / sizeof(Bucket))) {}
  void clear() {
    slots_.clear();
    fours_.clear();
  }

  // Search for a win of the side to move in at most `nodes` nodes. Returns its plies, an upper
  // bound against every defence, or 0 if none is found.
  int find(PatternBoard& board, int side, int nodes, const GoesOn& goes_on) {
    side_ = side;
    left_ = nodes;
    move_ = -1;
    Known root = look(board, true);
    if (!root.is_over()) root = attack(board, infinite_number, infinite_number, 0, goes_on);
    move_ = root.move;
    return root.is_won() ? root.plies : 0;
  }
  // The first move of the win found last.
  int move() const { return move_; }

  // Return the attacker's move and the plies of a win that is in the table, from a position with
  // the attacker to move; `proof` is 0 if it is there.
  Known known(PatternBoard& board, int side) {
    side_ = side;
    return look(board, true);
  }
  // The same for a position with the defender to move.
  Known known_after(PatternBoard& board, int side) {
    side_ = side;
    return look(board, false);
  }

 private:
  static constexpr std::uint32_t infinite_number = 1u << 30;
  static constexpr int max_attacks = 40;
  static constexpr int first_fours = 100, threat_fours = 60;  // nodes of wins by fours
  static constexpr int max_depth = 60;

  struct Slot {
    std::uint64_t key;
    std::uint32_t proof, disproof;
    std::int16_t plies, move;
    std::uint32_t work;
  };
  struct Bucket {
    Slot slot[4];
  };

  // A part of the key: the attacker, and whether it is to move.
  std::uint64_t salt(bool attacks) const { return mixed(0x5eedu + 2 * side_ + attacks); }
  bool find_slot(std::uint64_t key, Known& known) const {
    for (const Slot& slot : slots_[upper_product(key, slots_.size())].slot)
      if (slot.key == key && slot.work) {
        known = {slot.proof, slot.disproof, slot.plies, slot.move};
        return true;
      }
    return false;
  }
  void store(std::uint64_t key, const Known& known, std::uint32_t work) {
    Bucket& bucket = slots_[upper_product(key, slots_.size())];
    Slot* victim = &bucket.slot[0];
    for (Slot& slot : bucket.slot) {
      if (slot.key == key) {
        victim = &slot;
        break;
      }
      if (slot.work < victim->work) victim = &slot;
    }
    // A proven win is needed to show it.
    if (known.is_won()) work = std::max(work, 1u << 20);
    *victim = {key, known.proof, known.disproof, known.plies, known.move, std::max(work, 1u)};
  }

  // What the patterns after a move tell: a win is one in three plies.
  enum class Verdict : std::uint8_t { unknown, open, won, lost };
  struct Move {
    std::int16_t place = -1;
    Verdict verdict = Verdict::unknown;
  };

  // What the patterns and the table tell after a move in a position in which they leave open who
  // wins; `attacks` is whether the attacker makes it.
  Known look_after(PatternBoard& board, Move& move, bool attacks) const {
    if (move.verdict < Verdict::won) {
      const int side = attacks ? side_ : side_ ^ 1;
      Known known;
      if (find_slot(board.key() ^ board.key_of(side, move.place) ^ salt(!attacks), known))
        return known;
      if (move.verdict == Verdict::unknown)
        move.verdict = verdict_after(board, move.place, side, attacks);
    }
    return move.verdict == Verdict::won    ? won(3, -1)
           : move.verdict == Verdict::lost ? lost
                                           : Known{};
  }
  // A mark never adds to the patterns of the other side.
  static Verdict verdict_after(PatternBoard& board, int place, int side, bool attacks) {
    const Threat threat = board.threat(side, place);
    if (threat == Threat::sure_four && !attacks) return Verdict::lost;
    const auto& sure = board.cells_of(side ^ 1, Threat::sure_four);
    Verdict verdict = Verdict::open;
    if (threat < Threat::four && sure.size) {
      board.set(place, side);
      for (const int other : sure)
        if (board.is_empty(other) && board.fours_now(side ^ 1, other) > 1)
          verdict = attacks ? Verdict::lost : Verdict::won;
      board.unset(place);
    } else if (threat >= Threat::four && !attacks) {
      const int danger = board.fives_after(side, place).cell[0];
      board.set(place, side);
      if (board.fours_now(side ^ 1, danger) > 1) verdict = Verdict::won;
      board.unset(place);
    }
    return verdict;
  }

  // What the patterns and the table tell; `attacks` is whether the attacker is to move.
  Known look(const PatternBoard& board, bool attacks) const {
    const int mine = side_, theirs = side_ ^ 1;
    const auto& fives = board.cells_of(mine, Threat::five);
    const auto& danger = board.cells_of(theirs, Threat::five);
    if (attacks) {
      if (fives.size) return won(1, fives.cell[0]);
      if (danger.size > 1) return lost;
      if (danger.size == 0) {
        if (const auto& sure = board.cells_of(mine, Threat::sure_four); sure.size)
          return won(3, *std::min_element(sure.begin(), sure.end()));
      } else if (board.threat(mine, danger.cell[0]) == Threat::sure_four) {
        return won(3, danger.cell[0]);
      }
    } else {
      if (danger.size) return lost;
      if (fives.size > 1) return won(2, -1);
      if (!fives.size && board.has(theirs, Threat::sure_four)) return lost;
    }
    Known known;
    find_slot(board.key() ^ salt(attacks), known);
    return known;
  }
  static Known won(int plies, int move) {
    return {0, infinite_number, static_cast<std::int16_t>(plies), static_cast<std::int16_t>(move)};
  }
  static constexpr Known lost{infinite_number, 0, 0, -1};

  bool spend(const GoesOn& goes_on) {
    if (left_ <= 0 || !goes_on()) {
      left_ = 0;
      return false;
    }
    --left_;
    return true;
  }

  // Search a position with the attacker to move, to these proof numbers.
  Known attack(PatternBoard& board, std::uint32_t proof, std::uint32_t disproof, int depth,
               const GoesOn& goes_on) {
    if (!spend(goes_on)) return {};
    const int start = left_, mine = side_, theirs = side_ ^ 1;
    const std::uint64_t key = board.key() ^ salt(true);
    Known known;
    const bool seen = find_slot(key, known);
    const auto& danger = board.cells_of(theirs, Threat::five);
    std::array<std::int16_t, max_attacks> places;
    int size = 0;
    if (depth > max_depth) {
      store(key, lost, 1);
      return lost;
    }
    if (!seen) {
      int used = 0;
      const int plies = fours_.find(board, mine, first_fours, [&] {
        ++used;
        return true;
      });
      left_ -= used / 8;
      if (plies) {
        known = won(plies, fours_.line().front());
        store(key, known, 1);
        return known;
      }
    }
    if (danger.size == 1) {
      places[size++] = danger.cell[0];
    } else {
      const bool must_force = board.has(theirs, Threat::sure_four);
      for (Threat each :
           {Threat::four_three, Threat::four, Threat::open_threes, Threat::open_three})
        for (int place : board.cells_of(mine, each)) {
          // A three gains nothing against a sure four, unless it stops it.
          if (must_force && each < Threat::four && board.threat(theirs, place) < Threat::three)
            continue;
          if (size < max_attacks) places[size++] = static_cast<std::int16_t>(place);
        }
    }
    sort_places(places.data(), size, [&](int place) { return board.order(mine, place); });
    std::array<Move, max_attacks> moves;
    for (int i = 0; i < size; ++i) moves[i].place = places[i];
    for (;;) {
      known = lost;
      known.disproof = 0;
      int best = -1;
      std::uint32_t second = infinite_number, of_best = 0;
      for (int i = 0; i < size; ++i) {
        const Known child = look_after(board, moves[i], true);
        if (child.is_won()) {
          known = won(child.plies + 1, moves[i].place);
          break;
        }
        if (child.proof < known.proof) {
          second = known.proof;
          known.proof = child.proof;
          of_best = child.disproof;
          best = i;
        } else {
          second = std::min(second, child.proof);
        }
        known.disproof = std::min(infinite_number, known.disproof + child.disproof);
      }
      if (!known.is_won() && known.proof == infinite_number) known = lost;
      if (known.is_over() || known.proof >= proof || known.disproof >= disproof || left_ <= 0)
        break;
      board.play(moves[best].place, mine);
      defend(board, std::min(proof, second + 1 + second / 4), disproof - known.disproof + of_best,
             depth + 1, goes_on);
      board.take_back(moves[best].place);
      if (left_ <= 0) break;
    }
    store(key, known, static_cast<std::uint32_t>(start - left_ + 1));
    return known;
  }

  // Search a position with the defender to move.
  void defend(PatternBoard& board, std::uint32_t proof, std::uint32_t disproof, int depth,
              const GoesOn& goes_on) {
    if (!spend(goes_on)) return;
    const int start = left_, mine = side_, theirs = side_ ^ 1;
    const std::uint64_t key = board.key() ^ salt(false);
    std::vector<Move> moves;
    int least = 0;  // plies of the win after any other move
    if (const auto& fives = board.cells_of(mine, Threat::five); fives.size == 1) {
      moves.push_back({fives.cell[0]});
      least = 2;
    } else {
      int used = 0;
      Defences defences;
      find_defences(board, mine, fours_, threat_fours, defences, [&] {
        ++used;
        return true;
      });
      left_ -= used / 8;
      if (!defences.plies) {
        store(key, lost, 1);
        return;
      }
      least = defences.plies + 1;
      moves.reserve(defences.moves.size());
      for (std::int16_t place : defences.moves) moves.push_back({place});
    }
    Known known;
    for (;;) {
      known = won(least, -1);
      known.disproof = infinite_number;
      int best = -1;
      std::uint32_t second = infinite_number, of_best = 0;
      bool holds = false;
      for (std::size_t i = 0; i < moves.size(); ++i) {
        const Known child = look_after(board, moves[i], false);
        if (child.disproof == 0) {
          holds = true;
          std::swap(moves[0], moves[i]);
          break;
        }
        if (child.is_won()) {
          known.plies = std::max<std::int16_t>(known.plies, child.plies + 1);
          continue;
        }
        if (child.disproof < known.disproof) {
          second = known.disproof;
          known.disproof = child.disproof;
          of_best = child.proof;
          best = static_cast<int>(i);
        } else {
          second = std::min(second, child.disproof);
        }
        known.proof = std::min(infinite_number, known.proof + child.proof);
      }
      if (holds) known = lost;
      if (known.is_over() || known.proof >= proof || known.disproof >= disproof || left_ <= 0)
        break;
      board.play(moves[best].place, theirs);
      attack(board, proof - known.proof + of_best, std::min(disproof, second + 1 + second / 4),
             depth + 1, goes_on);
      board.take_back(moves[best].place);
      if (left_ <= 0) break;
    }
    store(key, known, static_cast<std::uint32_t>(start - left_ + 1));
  }

  ZeroedArray<Bucket> slots_;
  WinByFours fours_;
  int side_ = 0, left_ = 0, move_ = -1;
};

}  // namespace noughts
