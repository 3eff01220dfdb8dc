// Exact solver of Connect Four: the value and its distance.
//
// The search uses the scores of the literature, in stones: s > 0 is a win with s own stones left,
// the winning one included; 0 is a draw; -s is a loss. A node, seen by the side to move (`mine`):
//
//     mine, mask    its stones, all stones; key = mine + mask, which is unique
//     replies       the moves that do not lose immediately; never empty
//
// The side to move has no immediate win: its opponent's replies exclude that. The replies are
// computed with the threats of the move before, so that fours are detected once per move.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "bits.hpp"
#include "book.hpp"
#include "memory.hpp"
#include "row.hpp"
#include "search.hpp"

namespace noughts {

// Bounds of scores by key, in cache lines of eight entries.
//
//     63      tag, generation      14 13  work  12 11 -upper  6 5   lower  0
//
// A key is scrambled one to one; its leading part, as a fraction, selects the line and the tag
// holds the rest, so keys are exact with any number of lines. Entries of an older generation are
// empty. A key of 64 bits has a tag of 50 bits in 1 MiB. An entry of 0 is empty and has no bounds,
// so a tag of 0 may match it.
//
// A search starts with 1 MiB of the table, which stays in the processor's cache, and grows fourfold
// whenever half of that is full: the first access to a page costs as much as ten nodes.
class BoundTable {
 public:
  BoundTable(int key_bits, int mib)
      : key_bits_(key_bits),
        lines_(static_cast<std::size_t>(mib) << 14,
               mib >= long_search_mib ? Pages::large : Pages::small),
        in_use_(first_lines),
        tag_bits_(std::max(key_bits + 1 - static_cast<int>(std::bit_width(first_lines)), 1)) {
    assert(mib >= 1 && key_bits <= 64);
  }

  void clear() {
    used_ = 0;
    in_use_ = first_lines;
    if (++generation_ >> (64 - generation_at - tag_bits_) == 0) return;
    lines_.clear();
    generation_ = 0;
  }
  void prefetch(Bits64 key) const { noughts::prefetch(&lines_[place(key).line]); }

  // Narrow the bounds by the entry of the key.
  void find(Bits64 key, Bounds& bounds) const {
    const Place at = place(key);
    for (const std::uint64_t entry : lines_[at.line].entry)
      if (entry >> generation_at == at.tag) {
        bounds.lower = std::max(bounds.lower, static_cast<int>(entry & 63) - bias);
        bounds.upper = std::min(bounds.upper, bias - static_cast<int>(entry >> 6 & 63));
        return;
      }
  }

  // Replace the entry of the same key, else the entry that took the least work.
  void store(Bits64 key, Bounds bounds, std::uint64_t nodes) {
    const Place at = place(key);
    const std::uint64_t work = std::min<std::uint64_t>(std::bit_width(nodes) / 4, 3);
    std::uint64_t* victim = nullptr;
    std::uint64_t least = 5;
    for (std::uint64_t& entry : lines_[at.line].entry) {
      if (entry >> generation_at == at.tag) {
        victim = &entry;
        break;
      }
      const std::uint64_t worth = is_old(entry) ? 0 : 1 + (entry >> 12 & 3);
      if (worth < least) least = worth, victim = &entry;
    }
    const bool is_new = is_old(*victim);
    *victim = at.tag << generation_at | work << 12 |
              static_cast<std::uint64_t>(bias - bounds.upper) << 6 |
              static_cast<std::uint64_t>(bounds.lower + bias);
    used_ += is_new;
    if (used_ > 4 * in_use_ && in_use_ < lines_.size()) grow();
  }

  // The share of entries in use.
  double use() const { return static_cast<double>(used_) / static_cast<double>(8 * lines_.size()); }

 private:
  static constexpr int bias = 31, generation_at = 14;
  static constexpr std::size_t first_lines = 1 << 14;
  // Below this size searches may be short, and zeroing large pages would exceed time limits.
  static constexpr int long_search_mib = 512;
  struct alignas(64) Line {
    std::uint64_t entry[8];
  };
  struct Place {
    std::uint64_t line, tag;
  };

  std::uint64_t generation_mask() const {
    return (std::uint64_t{1} << (64 - generation_at - tag_bits_)) - 1;
  }
  bool is_old(std::uint64_t entry) const {
    return !entry || (entry >> generation_at & generation_mask()) != generation_;
  }
  std::uint64_t line_of(std::uint64_t spread) const { return upper_product(spread, in_use_); }
  Place place(Bits64 key) const {
    const std::uint64_t spread = key * 0x9e3779b97f4a7c15u << (64 - key_bits_);
    const std::uint64_t rest = spread << (key_bits_ - tag_bits_) >> (64 - tag_bits_);
    return {line_of(spread), rest << (64 - generation_at - tag_bits_) | generation_};
  }

  // Bring more lines into use and move every entry to its new line. The old number of lines is a
  // power of two, so line and tag together hold all bits of a key. No entry moves to an earlier
  // line, so the last line is moved first.
  void grow() {
    const std::size_t before = in_use_;
    const int line_bits = std::countr_zero(before);
    in_use_ = std::min(4 * before, lines_.size());
    used_ = 0;
    for (std::size_t from = before; from-- > 0;) {
      const Line line = std::exchange(lines_[from], Line{});
      for (const std::uint64_t entry : line.entry) {
        if (is_old(entry)) continue;
        const std::uint64_t tag = entry >> (64 - tag_bits_) << (64 - tag_bits_);
        const std::uint64_t high = std::uint64_t{from} << (64 - line_bits);
        const std::uint64_t spread = high | tag >> (key_bits_ - tag_bits_);
        for (std::uint64_t& free : lines_[line_of(spread)].entry)
          if (!free || is_old(free)) {
            free = entry;
            ++used_;
            break;
          }
      }
    }
  }

  int key_bits_;
  ZeroedArray<Line> lines_;
  std::size_t in_use_;  // lines
  int tag_bits_;
  std::uint64_t generation_ = 0;
  std::uint64_t used_ = 0;
};

// Constants of a board.
struct Connect4Board {
  static constexpr int max_columns = 32;
  static constexpr int mirrored_up_to = 16;  // stones; with more, mirror images rarely occur

  RowRules<Bits64> rules;
  Bits64 order[max_columns];  // the columns from the middle outwards
  Bits64 claim = 0;           // the cells that the follow-up strategy takes in an empty column
  int fours[64]{};            // number of fours through a cell

  explicit Connect4Board(const RowRules<Bits64>& of) : rules(of) {
    assert(rules.columns <= max_columns);
    for (int i = 0; i < rules.columns; ++i) {
      const int column = (rules.columns - 1) / 2 + (i % 2 ? (i + 1) / 2 : -i / 2);
      order[i] = rules.column(column) & rules.cells;
    }
    for (int height = rules.rows & 1; height < rules.rows; height += 2)
      claim |= rules.bottom << height;
    for (const int direction : rules.directions) {
      Bits64 four = rules.cells;
      for (int i = 1; i < 4; ++i) four &= rules.cells >> (i * direction);
      for (int i = 0; i < 4; ++i)
        for (Bits64 left = four << (i * direction); left; left &= left - 1)
          ++fours[std::countr_zero(left)];
    }
  }

  // One key for a position and its mirror image.
  Bits64 canonical(Bits64 key, int stones) const {
    if (stones > mirrored_up_to) return key;
    Bits64 mirror = 0;
    const Bits64 column = (Bits64(1) << rules.stride) - 1;
    Bits64 rest = key;
    for (int i = 0; i < rules.columns; ++i) {
      mirror = mirror << rules.stride | (rest & column);
      rest >>= rules.stride;
    }
    return std::min(key, mirror);
  }
};

// Goal of a search:
//     score       the score; it tests first for a sudden end, which makes the whole search cheaper
//     value       win, draw or loss only
//     win_first   the value, then the score; it tests first whether the side to move wins
//     loss_first  the same; it tests first whether the side to move loses
enum class Aim { score, value, win_first, loss_first };

// The search for boards with `fixed_rows` rows; 0 means any number.
template <int fixed_rows>
class Connect4Search {
 public:
  // The book may be null.
  Connect4Search(const Connect4Board& board, BoundTable& table, const Book* book, Control& control)
      : board_(board),
        rules_(board.rules),
        table_(table),
        book_(book),
        in_book_(book ? book->stones() : -1),
        control_(control) {}

  struct Node {
    Bits64 mine, mask, replies;
    Bits64 threats;  // the empty cells that complete a four of the opponent
    int stones;
    Bits64 key;  // the same for a position and its mirror image
  };

  // Fail-soft: the result r is a proven bound of the score,
  //     r <= alpha: score <= r
  //     r >  alpha: score >= r
  // and means nothing once `control` has stopped the search.
  int search(const Node& node, int alpha) {
    ++nodes;
    if (control_.must_stop(nodes)) return 0;
    const int left = rules_.size() - node.stones;
    if (left <= 2) return 0;
    Bounds bounds{-(left - 2) / 2, (left - 1) / 2};
    if (bounds.lower > alpha) return bounds.lower;
    if (bounds.upper <= alpha) return bounds.upper;
    if (node.stones == in_book_) {
      book_->find(node.key, bounds);
      if (bounds.lower > alpha) return bounds.lower;
      if (bounds.upper <= alpha) return bounds.upper;
    }
    if (const int most = max_reachable(node, alpha); most <= alpha) return most;

    table_.find(node.key, bounds);
    if (bounds.lower > alpha) return bounds.lower;
    if (bounds.upper <= alpha) return bounds.upper;

    const std::uint64_t nodes_before = nodes;
    Children children;
    if (expand(node, alpha, children)) return (left - 1) / 2;
    bounds.upper = std::min(bounds.upper, (left - 3) / 2);
    if (bounds.upper <= alpha) return bounds.upper;

    int best = -infinite;
    if (left >= looked_up_from) {
      for (int i = 0; i < children.size; ++i) {
        const int least = -max_reachable(children[i], -alpha - 1);
        if (least > alpha) return least;
      }
      int unknown = 0;
      for (int i = 0; i < children.size; ++i) {
        Bounds known;
        table_.find(children[i].key, known);
        if (-known.upper > alpha) return -known.upper;
        if (-known.lower <= alpha) best = std::max(best, -known.lower);
        else children.order[unknown++] = children.order[i];
      }
      children.size = unknown;
    }
    for (int i = 0; i < children.size && best <= alpha; ++i) {
      best = std::max(best, -search(children[i], -alpha - 1));
      if (control_.stopped()) return 0;
    }
    (best > alpha ? bounds.lower : bounds.upper) = best;
    table_.store(node.key, bounds, nodes - nodes_before);
    return best;
  }

  // Narrow the bounds of the score until they answer `aim` or `control` stops the search. `move`
  // becomes the best known move, 0 for none.
  void solve(const Node& root, Aim aim, int& lower, int& upper, Bits64& move) {
    Children children;
    if (const Bits64 wins = expand(root, 0, children)) {
      lower = upper;
      move = wins;
      return;
    }
    while (lower < upper && !(aim == Aim::value && (lower > 0 || upper < 0))) {
      // First extreme bounds, where sudden wins are quickly found or excluded; then the value; then
      // the distance.
      int alpha = lower + (upper - lower) / 2;
      if (lower < 0 && upper > 0) alpha = (-lower > upper ? lower : upper) * 2 / 3;
      if (lower <= 0 && upper > 0 && (aim != Aim::score || std::abs(alpha) < sudden)) alpha = 0;
      if (lower < 0 && upper >= 0 && (aim == Aim::loss_first || (upper == 0 && aim != Aim::score)))
        alpha = -1;
      int best = -infinite;
      for (int i = 0; i < children.size && best <= alpha; ++i) {
        best = std::max(best, -search(children[i], -alpha - 1));
        if (control_.stopped()) return;
        if (best > alpha) {
          move = children[i].mask ^ root.mask;
          std::rotate(children.order, children.order + i, children.order + i + 1);
        }
      }
      (best > alpha ? lower : upper) = best;
    }
    if (!move) move = children[0].mask ^ root.mask;
  }

  // Prove without the book that a move scores at least `least`, near the last positions of the
  // book: the table then holds the positions beyond the book.
  void prove(const Node& root, Bits64 move, int least) {
    Children children;
    if (root.stones + 2 < in_book_ || expand(root, 0, children)) return;
    const int in_book = std::exchange(in_book_, -1);
    for (int i = 0; i < children.size; ++i) {
      if (children[i].mask != (root.mask | move)) continue;
      Children replies;
      if (root.stones + 1 >= in_book) search(children[i], -least);
      else if (!expand(children[i], -least, replies))
        for (int j = 0; j < replies.size && !control_.stopped(); ++j) search(replies[j], least - 1);
    }
    in_book_ = in_book;
  }

  std::uint64_t nodes = 0;

  // The cells, occupied or not, that complete a four of `stones`.
  Bits64 completing(Bits64 stones) const {
    Bits64 result = up(stones, 1) & up(stones, 2) & up(stones, 3);
    for (int direction = rows(); direction <= rows() + 2; ++direction) {
      const Bits64 below = up(stones, direction), above = down(stones, direction);
      const Bits64 two_below = below & up(stones, 2 * direction);
      const Bits64 two_above = above & down(stones, 2 * direction);
      result |= two_below & (above | up(stones, 3 * direction));
      result |= two_above & (below | down(stones, 3 * direction));
    }
    return result & rules_.cells;
  }

 private:
  int rows() const { return fixed_rows ? fixed_rows : rules_.rows; }
  static Bits64 up(Bits64 bits, int shift) { return shift < 64 ? bits << shift : 0; }
  static Bits64 down(Bits64 bits, int shift) { return shift < 64 ? bits >> shift : 0; }

  bool has_four(Bits64 stones) const {
    for (int direction : {1, rows(), rows() + 1, rows() + 2}) {
      const Bits64 pairs = stones & down(stones, direction);
      if (pairs & down(pairs, 2 * direction)) return true;
    }
    return false;
  }

  // An upper bound of the score that a strategy of the opponent proves, if it can be `alpha` or
  // less; else `infinite`.
  //
  // "Follow-up" (Allis 1988, claimeven): always play directly above the other's move. This wins the
  // cells of one parity in each column, and with them every threat on such a cell. In a column with
  // an odd number of empty cells, the lowest cell (its foot) is played first and is answered by the
  // foot of another such column.
  int max_reachable(const Node& node, int alpha) const {
    const Bits64 empty = rules_.cells & ~node.mask, feet = node.mask + rules_.bottom;
    if ((rules_.size() - node.stones) & 1) return max_in_zugzwang(node, alpha, empty, feet);
    const Bits64 threats = node.threats & ~feet & ~board_.claim;
    int most = 0;
    Bits64 closed = 0;
    for (Bits64 left = threats; left; left &= left - 1) {
      const Bits64 threat = left & -left;
      most = std::min(most, loss_at_last(threat));
      closed |= column_of(threat) & -(threat << 1);
    }
    if (alpha < std::min(most, -1)) return infinite;
    if (has_four(node.mine | (empty & ~closed & (board_.claim | feet)))) return infinite;
    if (alpha == -1 && most == 0) {
      const Bits64 theirs = node.mask ^ node.mine;
      return has_four(theirs | (empty & ~board_.claim & ~feet)) ? -1 : infinite;
    }
    return most;
  }

  // The same with an odd number of empty cells. Here the opponent can follow up only with a threat
  // on a cell of the other parity: neither side wants the cell below it, and when all others are
  // full the side to move must play there.
  int max_in_zugzwang(const Node& node, int alpha, Bits64 empty, Bits64 feet) const {
    for (Bits64 left = node.threats & ~feet & board_.claim; left; left &= left - 1) {
      const Bits64 threat = left & -left, column = column_of(threat);
      const int most = loss_at_last(threat);
      if (alpha < most) continue;
      const Bits64 reachable =
          (board_.claim & ~column) | (column & ~board_.claim & (threat - 1)) | feet;
      if (!has_four(node.mine | (empty & reachable))) return most;
    }
    return alpha >= 0 && !has_four(node.mine | empty) ? 0 : infinite;
  }

  Bits64 column_of(Bits64 cell) const {
    return rules_.column(std::countr_zero(cell) / rules_.stride);
  }
  // The score of the side to move if the opponent wins on a cell last, with only the cells above it
  // empty.
  int loss_at_last(Bits64 cell) const {
    return -1 - (rows() - 1 - std::countr_zero(cell) % rules_.stride) / 2;
  }

  struct Children {
    Node node[Connect4Board::max_columns];
    int worth[Connect4Board::max_columns];
    std::uint8_t order[Connect4Board::max_columns];  // indices of the remaining nodes, best first
    int size = 0;

    const Node& operator[](int i) const { return node[order[i]]; }
  };

  // Count the horizontal and diagonal lines with two or three stones of one side and else empty.
  int pairs(Bits64 stones, Bits64 empty) const {
    int result = 0;
    for (int direction = rows(); direction <= rows() + 2; ++direction) {
      const Bits64 one = stones, two = down(stones, direction);
      const Bits64 three = down(stones, 2 * direction), four = down(stones, 3 * direction);
      const Bits64 own = stones | empty;
      const Bits64 open = own & down(own, direction);
      result += std::popcount(open & down(open, 2 * direction) &
                              ((one & two) | (three & four) | ((one | two) & (three | four))));
    }
    return result;
  }

  // List the children, the most promising first: by threats, then by open lines. If a move wins at
  // the next but one, return it instead. A threat that forces a reply is good in the search for a
  // sudden end, and wasted in a long game.
  Bits64 expand(const Node& node, int alpha, Children& children) const {
    const int urgency = std::abs(alpha) >= sudden ? 64 : -16;
    const Bits64 possible = (node.mask + rules_.bottom) & rules_.cells;
    const Bits64 theirs = node.mask ^ node.mine;
    for (int i = 0; i < rules_.columns; ++i) {
      const Bits64 move = node.replies & board_.order[i];
      if (!move) continue;
      const Bits64 mask = node.mask | move;
      const Bits64 made = completing(node.mine | move) & ~mask;
      const Bits64 next = (possible ^ move) | (move << 1 & rules_.cells);
      const Bits64 forced = next & made;
      const Bits64 replies = (forced ? forced : next) & ~(made >> 1);
      if ((forced & (forced - 1)) || !replies) return move;
      const Bits64 key = board_.canonical(theirs + mask, node.stones + 1);
      table_.prefetch(key);
      const int place = children.size++;
      children.node[place] = {theirs, mask, replies, made, node.stones + 1, key};
      children.worth[place] = 48 * std::popcount(made) + (forced ? urgency : 0) +
                              2 * pairs(node.mine | move, rules_.cells & ~mask) +
                              board_.fours[std::countr_zero(move)];
      int at = place;
      for (; at > 0 && children.worth[children.order[at - 1]] < children.worth[place]; --at)
        children.order[at] = children.order[at - 1];
      children.order[at] = static_cast<std::uint8_t>(place);
    }
    return 0;
  }

  static constexpr int sudden = 5;           // stones left over
  static constexpr int looked_up_from = 12;  // empty cells; with fewer, a search costs as little

  const Connect4Board& board_;
  const RowRules<Bits64>& rules_;
  BoundTable& table_;
  const Book* book_;
  int in_book_;  // stones in its positions
  Control& control_;
};

class Connect4Solver {
 public:
  using Book = noughts::Book;
  static constexpr bool finds_distances = true;
  static constexpr int share = 24;

  // The book may be null; it is used for `win_first` and `loss_first`.
  Connect4Solver(const RowRules<Bits64>& rules, int table_mib, const Book* book)
      : board_(rules), table_(rules.columns * rules.stride, table_mib), book_(book) {
    assert(rules.gravity && !rules.misere && rules.k == 4 && rules.stride < 64);
  }

  void clear() { table_.clear(); }

  Finding solve(const RowPosition<Bits64>& position, Control& control, Aim aim = Aim::score) {
    switch (board_.rules.rows) {
      case 4:
        return solve<4>(position, control, aim);
      case 5:
        return solve<5>(position, control, aim);
      case 6:
        return solve<6>(position, control, aim);
      case 7:
        return solve<7>(position, control, aim);
      case 8:
        return solve<8>(position, control, aim);
      default:
        return solve<0>(position, control, aim);
    }
  }

  // The proven bounds of a move that does not end the game, from the table and the book.
  Bounds bounds_of(const RowPosition<Bits64>& position, int move) const {
    RowPosition<Bits64> after = position;
    after.play(move);
    const Bits64 key = after.marks[after.turn()] + after.occupied();
    const int left = board_.rules.size() - after.ply;
    Bounds bounds{-left / 2, (left + 1) / 2};
    const Bits64 canonical = board_.canonical(key, after.ply);
    table_.find(canonical, bounds);
    if (book_ && after.ply == book_->stones()) book_->find(canonical, bounds);
    return {-in_plies(bounds.upper, after.ply), -in_plies(bounds.lower, after.ply)};
  }

 private:
  int in_plies(int stones, int ply) const {
    if (stones == 0) return 0;
    const int turn = stones > 0 ? ply : ply + 1;
    int end = board_.rules.size() + 1 - 2 * std::abs(stones);
    if ((end ^ turn) & 1) --end;
    return stones > 0 ? win - end - 1 : end + 1 - win;
  }

  template <int rows>
  Finding solve(const RowPosition<Bits64>& position, Control& control, Aim aim) {
    Finding finding;
    const auto& rules = board_.rules;
    const bool plays = aim == Aim::win_first || aim == Aim::loss_first;
    const Book* const book = plays ? book_ : nullptr;
    Connect4Search<rows> search(board_, table_, book, control);
    const Bits64 mine = position.marks[position.turn()], mask = position.occupied();
    const int left = rules.size() - position.ply;
    const Bits64 possible = position.landings();
    int lower = -left / 2, upper = (left + 1) / 2;
    const Bits64 wins = search.completing(mine) & ~mask;
    const Bits64 threats = search.completing(mine ^ mask) & ~mask;
    if (position.outcome != Outcome::going_on) {
      lower = upper = position.outcome == Outcome::draw ? 0 : -(left + 2) / 2;
    } else if (const Bits64 now = wins & possible) {
      lower = upper;
      finding.move = lowest(now) / rules.stride;
    } else {
      const Bits64 forced = possible & threats;
      const Bits64 replies = (forced ? forced : possible) & ~(threats >> 1);
      if (!replies || (forced & (forced - 1))) {
        upper = lower;
        finding.move = lowest(forced ? forced : possible) / rules.stride;
      } else {
        upper = (left - 1) / 2, lower = -(left - 2) / 2;
        const Bits64 key = board_.canonical(mine + mask, position.ply);
        if (book && position.ply == book->stones()) {
          Bounds known{lower, upper};
          book->find(key, known);
          upper = known.upper;  // a known win is useless without its move
        }
        const typename Connect4Search<rows>::Node root{mine,    mask,         replies,
                                                       threats, position.ply, key};
        Bits64 move = 0;
        if (book && position.ply < book->stones()) {
          search.solve(root, Aim::value, lower, upper, move);
          if (lower >= 0 && !control.stopped()) search.prove(root, move, lower > 0 ? 1 : 0);
        }
        if (!control.stopped()) search.solve(root, aim, lower, upper, move);
        if (move) finding.move = lowest(move) / rules.stride;
      }
    }
    finding.nodes = std::max<std::uint64_t>(search.nodes, 1);  // the root at least
    finding.lower = in_plies(lower, position.ply);
    finding.upper = in_plies(upper, position.ply);
    finding.score = std::clamp(0, finding.lower, finding.upper);
    finding.exact = lower == upper || lower > 0 || upper < 0;
    finding.seconds = control.seconds();
    finding.table_use = table_.use();
    return finding;
  }

  Connect4Board board_;
  BoundTable table_;
  const Book* book_;
};

// The index of a position in a book, and the length of that book; none if no book can hold it.
template <class Position>
std::optional<std::pair<std::uint64_t, std::uint64_t>> place_in_book(const Position& position) {
  if constexpr (std::is_same_v<Position, RowPosition<Bits64>>)
    if (position.rules->gravity && position.ply <= Connect4Board::mirrored_up_to &&
        !(position.occupied() & (position.occupied() + position.rules->bottom))) {
      const Connect4Board board(*position.rules);
      const Bits64 key = position.marks[position.turn()] + position.occupied();
      const BookIndex index(*position.rules, position.ply);
      return {{index[board.canonical(key, position.ply)], index.size()}};
    }
  return std::nullopt;
}

}  // namespace noughts
