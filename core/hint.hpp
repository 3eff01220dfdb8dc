// Hints: a threat of the opponent, the move to play and its reasons, as codes with arguments.
//
//     position, values of the moves ──hint()──► sentences: the threat, the move with its reasons,
//                                               and its value if no reason tells it
//
// The codes are those of noughts/games/phrases.py. Every reason is a fact: it follows from the
// rules, which are asked for the moves that win, from counts of lines and marks, or from the
// values.
//
// S is the player to move, T the opponent. A line is open for a player if it has no mark of the
// other.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "facts.hpp"
#include "tactics.hpp"

namespace noughts {

using Numbers = std::vector<int>;

inline bool contains(const Numbers& numbers, int number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

// A position without its type: its picture, and questions to its rules.
class Place {
 public:
  explicit Place(Picture each) : picture(std::move(each)) {}
  virtual ~Place() = default;

  virtual std::unique_ptr<Place> after(int move) const = 0;
  // The moves that win at once.
  virtual Numbers wins() const = 0;
  // In row games: the same marks, with the other player to move.
  virtual std::unique_ptr<Place> passed() const = 0;
  // In row games: whether marks on these cells alone make a line.
  virtual bool is_line(const Numbers& cells) const = 0;

  char turn() const { return picture.turn; }
  char other() const { return picture.turn == 'X' ? 'O' : 'X'; }
  bool is_over() const { return picture.outcome != Outcome::going_on; }
  bool is_won_by(char player) const {
    return picture.outcome == (player == 'X' ? Outcome::x_wins : Outcome::o_wins);
  }

  const Picture picture;
};

template <class Position>
class PlaceOf final : public Place {
 public:
  explicit PlaceOf(const Position& position)
      : Place(whole_picture_of(position)), position_(position) {}

  std::unique_ptr<Place> after(int move) const override {
    Position next = position_;
    next.play(move);
    return std::make_unique<PlaceOf>(next);
  }

  Numbers wins() const override {
    Numbers found;
    for (const int move : picture.moves) {
      Position next = position_;
      next.play(move);
      if (next.outcome == won_by_turn(position_)) found.push_back(move);
    }
    return found;
  }

  std::unique_ptr<Place> passed() const override {
    Position next = position_;
    ++next.ply;
    return std::make_unique<PlaceOf>(next);
  }

  bool is_line(const Numbers& cells) const override {
    if constexpr (std::is_same_v<Position, NestedPosition>) {
      return false;
    } else {
      std::remove_const_t<std::remove_reference_t<decltype(position_.marks[0])>> marks{};
      for (const int cell : cells) marks |= bit<decltype(marks)>(position_.rules->bit_of(cell));
      return position_.rules->has_line(marks);
    }
  }

 private:
  Position position_;
};

// The value of a move for S.
struct Worth {
  int move;
  char kind;        // w, d or l if it is proven, else u
  int number = -1;  // plies of a win or a loss if known; the expected score in per cent

  bool is_proven() const { return kind != 'u'; }
  int rank() const { return kind == 'w' ? 1 : kind == 'l' ? -1 : 0; }
  // The moves of S, or of T before S has lost, until the end.
  int moves() const { return (number + 1) / 2; }
};

class Hint {
 public:
  // `worths` has all legal moves, the one to play first.
  Hint(const GameId& game, const Place& here, const std::vector<Worth>& worths)
      : game_(game),
        here_(here),
        worths_(worths),
        best_(worths[0]),
        move_(best_.move),
        after_(here.after(move_)) {}

  // The sentences, each {"phrase", "sketch"}, with the fields of a `SketchView` or null.
  Json json() {
    std::vector<Json> said;
    if (!after_->is_won_by(here_.turn()))
      if (const auto found = threat())
        said.push_back(sentence(found->phrase, sketch_of(*found, nullptr)));
    const Reasons found = reasons();
    const Json cell = cell_of(here_, move_);
    said.push_back(sentence(advice(found[0].phrase), sketch_of(found[0], cell)));
    if (found.size() > 1)
      said.push_back(
          sentence(phrase("also", Argument{"reason", found[1].phrase}), sketch_of(found[1], cell)));
    if (!tells_value_) said.push_back(sentence(value(), nullptr));
    return said;
  }

 private:
  // A phrase, and the cells and the board that a sketch shows for it.
  struct Reason {
    Json phrase;
    Numbers rings{};
    char player = 'X';  // of the rings
    int sends = -1;
  };
  using Reasons = std::vector<Reason>;

  // A line through a cell.
  struct Made {
    Json phrase;
    int direction;
    Numbers cells;
  };

  // Sentences ---------------------------------------------------------------------------------

  static Json sentence(const Json& phrase, const Json& sketch) {
    return Json::object({{"phrase", phrase}, {"sketch", sketch}});
  }
  // The fields of a `SketchView`; `cell` is that of the move, or null.
  static Json sketch_of(const Reason& said, const Json& cell) {
    return Json::object({{"move", cell},
                         {"player", said.player},
                         {"rings", said.rings},
                         {"sends", Json::or_null(said.sends)}});
  }

  Json advice(const Json& reason) const {
    const Argument why{"reason", reason}, text{"text", game_.move_text(move_)};
    const Argument cell{"cell", move_ % 9 + 1};
    if (game_.nested)
      return phrase("play-on-board", cell, Argument{"board", move_ / 9 + 1}, text, why);
    if (game_.is_rack()) return phrase("play-column", Argument{"column", move_ + 1}, why);
    return is_small() ? phrase("play-place", cell, text, why) : phrase("play-cell", text, why);
  }

  Json value() const {
    const Argument player{"player", here_.turn()}, moves{"moves", best_.moves()};
    if (best_.kind == 'd') return phrase("worth-draw");
    if (best_.kind == 'u') return phrase("worth-chance", player, Argument{"chance", best_.number});
    const bool wins = best_.kind == 'w';
    if (best_.number < 0) return phrase(wins ? "worth-sure" : "worth-lost", player);
    return phrase(wins ? "worth-win" : "worth-loss", player, moves);
  }

  // Threats -----------------------------------------------------------------------------------

  std::optional<Reason> threat() const {
    if (const Numbers found = threats(here_); !found.empty())
      return Reason{phrase("threat", Argument{"player", here_.other()},
                           Argument{"what", threatened(here_, found)}),
                    cells_of(here_, found), here_.other()};
    if (game_.nested) return danger();
    if (game_.row.misere) return avoided();
    if (game_.is_rack()) return above();
    const Numbers cells = open_row_cells(here_, here_.other(), -1);
    if (cells.empty()) return {};
    return Reason{phrase("open-row", Argument{"player", here_.other()},
                         Argument{"count", game_.row.k - 1}, Argument{"cells", texts(cells)}),
                  cells, here_.other()};
  }

  // The boards that T takes at once if the next move names them; none if this move lets T take one.
  std::optional<Reason> danger() const {
    if (lets_take()) return {};
    for (const bool wins : {true, false}) {
      Numbers boards, cells;
      for (int board = 0; board < 9; ++board) {
        Numbers found;
        bool all = true;
        for (const int move : here_.picture.moves) {
          if (move % 9 != board) continue;
          const auto place = here_.after(move);
          const Numbers good = place->picture.forced != board ? Numbers{}
                               : wins                         ? place->wins()
                                                              : gains(*place);
          all &= !good.empty();
          for (const int each : good)
            if (!contains(found, each)) found.push_back(each);
        }
        if (found.empty() || !all) continue;
        boards.push_back(board + 1);
        cells.insert(cells.end(), found.begin(), found.end());
      }
      if (boards.empty()) continue;
      return Reason{phrase(wins ? "danger" : "danger-take", Argument{"player", here_.other()},
                           Argument{"boards", boards}),
                    cells, here_.other()};
    }
    return {};
  }

  // Where a line would be that loses.
  std::optional<Reason> avoided() const {
    const Numbers cells = losses();
    const std::size_t all = here_.picture.moves.size();
    if (cells.empty() || cells.size() == all) return {};
    const Argument turn{"turn", here_.turn()};
    if (cells.size() > max_listed)
      return Reason{
          phrase("avoid-many", turn, Argument{"count", cells.size()}, Argument{"of", all}), cells,
          here_.turn()};
    std::vector<Json> spots;
    for (const int cell : cells)
      spots.push_back(is_small() ? phrase("spot", Argument{"cell", cell + 1})
                                 : phrase("cell", Argument{"text", game_.move_text(cell)}));
    return Reason{phrase("avoid", turn, Argument{"cells", spots}), cells, here_.turn()};
  }

  // The columns where a disc of S gives T the cell above it, which wins.
  std::optional<Reason> above() const {
    Numbers columns, cells;
    for (const int move : here_.picture.moves) {
      const auto place = here_.after(move);
      if (place->is_over() || place->wins() != Numbers{move}) continue;
      columns.push_back(move + 1);
      cells.push_back(cell_of(*place, move));
    }
    const Argument player{"player", here_.other()};
    if (!columns.empty() && columns.size() == here_.picture.moves.size())
      return Reason{phrase("above-all", player), cells, here_.other()};
    if (columns.empty() || contains(columns, move_ + 1)) return {};
    return Reason{phrase("above", player, Argument{"columns", columns}), cells, here_.other()};
  }

  // Reasons -----------------------------------------------------------------------------------

  // One reason or two.
  Reasons reasons() {
    if (after_->is_won_by(here_.turn())) {
      tells_value_ = true;
      return {{how_it_wins()}};
    }
    if (here_.picture.moves.size() == 1) return {{phrase("only-legal")}};
    if (const auto lost = lost_at_once()) {
      tells_value_ = true;
      return {{*lost}};
    }
    Reasons found;
    if (after_->is_over()) found.push_back({phrase("ends-drawn")});
    else found = by_rules();
    const bool lets = found.empty() && lets_take();
    if (lets) found.push_back(taken());
    if (found.empty()) found = quiet();
    if (after_->is_over()) tells_value_ = true;
    auto closing = best_.kind == 'l' ? lost_later() : by_values();
    if (lets && !closing) closing = last_resort();
    while (found.size() > (closing ? 1 : 2)) found.pop_back();
    if (closing) found.push_back({*closing});
    if (found.empty()) found.push_back({last_resort()});
    return found;
  }

  Json how_it_wins() const {
    if (game_.nested && !game_.rules.one_line) {
      const unsigned won[] = {after_->picture.won[0], after_->picture.won[1]};
      const int mine = here_.turn() == 'O';
      if (has_line_3x3[won[mine]]) return phrase("wins-board", Argument{"board", move_ / 9 + 1});
      return phrase("wins-count", Argument{"more", std::popcount(won[mine])},
                    Argument{"less", std::popcount(won[1 - mine])});
    }
    return phrase("wins-line", Argument{"line", lines_made(here_, move_)[0].phrase});
  }

  // If every move ends the game or lets T win at once.
  std::optional<Json> lost_at_once() const {
    bool by_itself = true;
    for (const int move : here_.picture.moves) {
      const auto place = here_.after(move);
      const bool is_lost = place->is_won_by(here_.other());
      by_itself &= is_lost;
      if (!is_lost && place->wins().empty()) return {};
    }
    if (by_itself) return phrase("loses-now");
    const Numbers found = threats(here_);
    if (found.size() == 2 && contains(found, move_)) return phrase("stops-one");
    return phrase("hopeless", Argument{"other", here_.other()});
  }

  std::optional<Json> lost_later() {
    tells_value_ = true;
    const bool timed = std::all_of(worths_.begin(), worths_.end(), [](const Worth& each) {
      return each.kind == 'l' && each.number >= 0;
    });
    if (!timed) return phrase("loses-anyway");
    return phrase("holds-out", Argument{"moves", best_.moves()});
  }

  // The reasons by the rules, for a move that does not end the game; the weightiest first.
  Reasons by_rules() {
    Reasons found;
    const Numbers due = threats(here_);
    const bool is_safe = after_->wins().empty();
    if (!due.empty() && is_safe) {
      const bool one = due.size() == 1 && lines_threatened(here_, due).size() == 1;
      found.push_back({phrase(one ? "blocks-line" : "blocks")});
    }
    if (is_safe) forcing(found);
    if (game_.nested) {
      on_board(found);
      if (is_safe) on_target(found);
    } else if (game_.row.misere) {
      if (!losses().empty()) found.push_back({phrase("keeps-off")});
    } else if (is_safe) {
      on_row(found);
    }
    return found;
  }

  void forcing(Reasons& found) {
    const Argument other{"other", here_.other()};
    bool all_lost = true, sure = true;
    for (const int answer : after_->picture.moves) {
      const auto place = after_->after(answer);
      const bool won = place->is_won_by(here_.turn());
      all_lost &= won;
      sure = won || !place->wins().empty();
      if (!sure) break;
    }
    if (sure && !best_.is_proven()) tells_value_ = true;
    if (sure && all_lost) {
      found.push_back({phrase("no-answer", other)});
      return;
    }
    const Numbers threatened_ = threats(*after_);
    if (!threatened_.empty() && (sure || threatened_.size() == 1)) {
      const Argument what{"what", threatened(*after_, threatened_)};
      const Numbers cells = cells_of(*after_, threatened_);
      if (threatened_.size() == 1)
        found.push_back({phrase("threatens", what), cells, here_.turn()});
      else found.push_back({phrase("two-threats", what, other), cells, here_.turn()});
    }
    if (sure && threatened_.size() < 2) found.push_back({phrase("every-answer", other)});
  }

  void on_board(Reasons& found) const {
    const int board = move_ / 9, mine = here_.turn() == 'O';
    const auto& won = here_.picture.won;
    if (is_owned(here_, board)) return;
    const Argument where{"board", board + 1}, other{"other", here_.other()};
    const bool wanted = !game_.rules.one_line && has_line_3x3[won[1 - mine] | 1u << board];
    const bool takes = after_->picture.won[mine] >> board & 1;
    if (takes) {
      const Numbers boards = news(here_, *after_, here_.turn());
      if (!boards.empty())
        found.push_back({phrase("takes-towards", where, Argument{"boards", boards})});
      else if (wanted) found.push_back({phrase("takes-needed", where, other)});
      else found.push_back({phrase("takes-board", where)});
    }
    if (!takes && completing_3x3[marks(here_, board, here_.other())] >> move_ % 9 & 1)
      found.push_back({phrase(wanted                 ? "denies-game"
                              : game_.rules.one_line ? "denies-line"
                                                     : "denies-board",
                              where, other)});
    const unsigned fresh = ways(*after_, board, here_.turn()) & ~ways(here_, board, here_.turn());
    if (takes || !fresh) return;
    Numbers cells;
    for (int cell = 0; cell < 9; ++cell)
      if (fresh >> cell & 1) cells.push_back(9 * board + cell);
    const char* code = game_.rules.one_line ? "threatens-line" : "threatens-board";
    found.push_back({phrase(code, where), cells, here_.turn()});
  }

  // After a move that sends T to one board, where T can make no line at once.
  void on_target(Reasons& found) const {
    const int target = after_->picture.forced;
    if (target < 0 || !gains(*after_).empty()) return;
    const Argument where{"board", target + 1}, other{"other", here_.other()};
    if (is_owned(*after_, target))
      found.push_back({phrase("sends-won", where, other), {}, 'X', target});
    else if (!can_line(*after_, target, here_.other()))
      found.push_back({phrase("sends-dead", where, other), {}, 'X', target});
    if (game_.rules.one_line) return;
    const auto& answers = after_->picture.moves;
    if (std::all_of(answers.begin(), answers.end(),
                    [&](int answer) { return !gains(*after_->after(answer)).empty(); }))
      found.push_back({phrase("gains-board", other)});
    std::size_t giving = 0;
    for (const int move : here_.picture.moves) {
      const auto place = here_.after(move);
      giving += !place->is_over() && (place->picture.forced < 0 || !gains(*place).empty());
    }
    const std::size_t others = here_.picture.moves.size() - 1;
    if (giving == others && giving) found.push_back({phrase("spares-alone", other)});
    else if (giving && 2 * giving >= others)
      found.push_back({phrase("spares", other, Argument{"count", giving})});
  }

  void on_row(Reasons& found) const {
    if (game_.is_rack()) {
      Numbers columns, cells = awaited(*after_);
      const Numbers before = awaited(here_);
      std::erase_if(cells, [&](int cell) { return contains(before, cell); });
      for (const int cell : cells) columns.push_back(cell % game_.columns() + 1);
      std::sort(columns.begin(), columns.end());
      columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
      if (!cells.empty())
        found.push_back({phrase("awaits", Argument{"columns", columns}), cells, here_.turn()});
      return;
    }
    if (const Numbers cells = open_row_cells(*after_, here_.turn(), move_); !cells.empty())
      found.push_back(
          {phrase("opens-row", Argument{"count", game_.row.k - 2}), cells, here_.turn()});
    const Numbers theirs = open_row_cells(here_, here_.other(), -1);
    const bool stopped = std::none_of(theirs.begin(), theirs.end(), [&](int cell) {
      return cell != move_ && forks(*after_, here_.other(), cell);
    });
    if (!theirs.empty() && stopped) found.push_back({phrase("stops-row")});
  }

  // Reasons by values -------------------------------------------------------------------------

  // Whether the value of every other move is worse, as win, draw or loss; or if no win is sooner.
  std::optional<Json> by_values() {
    const auto is_worse = [&](const Worth& each) {
      return best_.is_proven() ? each.is_proven() && each.rank() < best_.rank() : each.kind == 'l';
    };
    if (std::all_of(worths_.begin() + 1, worths_.end(), is_worse)) {
      if (best_.kind == 'd' || (best_.kind == 'w' && best_.number < 0)) tells_value_ = true;
      return phrase(best_.kind == 'w'   ? "only-win"
                    : best_.kind == 'd' ? "only-draw"
                                        : "only-chance");
    }
    const auto is_later = [&](const Worth& each) {
      if (each.kind != 'w') return each.is_proven();
      return each.number >= 0 && each.moves() >= best_.moves();
    };
    if (best_.kind != 'w' || best_.number < 0) return {};
    if (!std::all_of(worths_.begin() + 1, worths_.end(), is_later)) return {};
    tells_value_ = true;
    return phrase("no-sooner", Argument{"moves", best_.moves()});
  }

  Json last_resort() {
    tells_value_ = true;
    if (best_.kind == 'w') return phrase("sure-win");
    if (best_.kind == 'd') return phrase("keeps-draw");
    return phrase("best-chance", Argument{"count", worths_.size()},
                  Argument{"chance", best_.number});
  }

  // Reasons by counting, for quiet moves ------------------------------------------------------

  Reasons quiet() const {
    Reasons found;
    if (game_.nested) {
      if (const auto sent = sends_behind()) found.push_back(*sent);
      else if (const auto avoided = sends_elsewhere()) found.push_back(*avoided);
      if (const auto open = board_lines()) found.push_back({*open});
    } else if (const auto counted = game_.row.misere ? few_lines() : row_lines()) {
      found.push_back({*counted});
    }
    return found;
  }

  // Whether T can win a board at once, and not the game.
  bool lets_take() const {
    return game_.nested && !game_.rules.one_line && !after_->is_over() && !gains(*after_).empty();
  }

  Reason taken() const {
    const int target = after_->picture.forced;
    const Argument other{"other", here_.other()};
    if (target < 0) return {phrase("lets-take-any", other)};
    return {phrase("lets-take", other, Argument{"board", target + 1}), {}, 'X', target};
  }

  // The target board of T, if T has fewer marks there than on another that S could name.
  std::optional<Reason> sends_behind() const {
    const int target = after_->picture.forced;
    if (target < 0) return {};
    const auto marked = [&](const Place& place) {
      return std::popcount(marks(place, place.picture.forced, here_.other()));
    };
    const int least = marked(*after_);
    int most = least;
    for (const int move : here_.picture.moves) {
      const auto place = here_.after(move);
      if (place->is_over() || place->picture.forced < 0) continue;
      if (marked(*place) < least) return {};
      most = std::max(most, marked(*place));
    }
    if (most == least) return {};
    const Argument where{"board", target + 1}, other{"other", here_.other()};
    return Reason{least ? phrase("sends-fewest", where, other, Argument{"count", least})
                        : phrase("sends-unmarked", where, other),
                  {},
                  'X',
                  target};
  }

  // A board of T that is none of those in `danger`.
  std::optional<Reason> sends_elsewhere() const {
    const int target = after_->picture.forced;
    if (target < 0 || !danger() || !after_->wins().empty() || !gains(*after_).empty()) return {};
    return Reason{
        phrase("sends-elsewhere", Argument{"board", target + 1}, Argument{"other", here_.other()}),
        {},
        'X',
        target};
  }

  std::optional<Json> board_lines() const {
    const int board = move_ / 9;
    if (is_owned(here_, board)) return {};
    int count = 0;
    for (const unsigned line : lines_3x3)
      count += (line >> move_ % 9 & 1) && !(line & marks(here_, board, here_.other()));
    if (!count) return {};
    return phrase("lines-on", Argument{"player", here_.turn()}, Argument{"count", count},
                  Argument{"board", board + 1});
  }

  // The open lines through the cell of a move, and the most marks on one.
  struct Lines {
    int count = 0, most = 0;
  };
  Lines open_lines(int move, char player) const {
    const int cell = cell_of(here_, move);
    const std::string& cells = here_.picture.cells;
    Lines found;
    for (const Line& line : lines_of(game_.row)) {
      bool through = false, open = true;
      int own = 0;
      for (int i = 0; i < game_.row.k && open; ++i) {
        const int each = line.first + i * line.step;
        through |= each == cell;
        open = cells[each] == '.' || cells[each] == player;
        own += cells[each] == player;
      }
      if (!through || !open || !here_.is_line(filled(line, player))) continue;
      ++found.count;
      found.most = std::max(found.most, own);
    }
    return found;
  }

  // The cells of a line, and the marks of a player that would extend it.
  Numbers filled(const Line& line, char player) const {
    const int columns = game_.columns(), reach = game_.row.k - 1;
    int first = line.first, last = line.first + reach * line.step;
    const int across = reach ? (last % columns - first % columns) / reach : 0;
    const auto is_next = [&](int from, int way) {
      const int to = from + way * line.step;
      return to >= 0 && to < game_.cells() && to % columns - from % columns == way * across &&
             here_.picture.cells[to] == player;
    };
    while (is_next(first, -1)) first -= line.step;
    while (is_next(last, 1)) last += line.step;
    Numbers cells;
    for (int cell = first; cell <= last; cell += line.step) cells.push_back(cell);
    return cells;
  }

  std::optional<Json> row_lines() const {
    const Lines own = open_lines(move_, here_.turn()), theirs = open_lines(move_, here_.other());
    int most = 0;  // lines through another cell
    for (const int move : here_.picture.moves)
      if (move != move_) most = std::max(most, open_lines(move, here_.turn()).count);
    const Argument player{"player", here_.turn()}, lines{"count", own.count};
    const auto hinders = [&] {
      return phrase("hinders", Argument{"other", here_.other()}, Argument{"count", theirs.most});
    };
    if (own.count > most && here_.picture.moves.size() > 1) return phrase("most-lines", lines);
    if (theirs.most > std::max(own.most, 1)) return hinders();
    if (own.most)
      return phrase("builds", Argument{"count", own.most + 1}, Argument{"k", game_.row.k});
    if (own.count) return phrase("open-lines", player, lines);
    if (theirs.most) return hinders();
    return {};
  }

  // For the rules where a line loses.
  std::optional<Json> few_lines() const {
    const int own = open_lines(move_, here_.turn()).count;
    int least = own, most = own;
    for (const int move : here_.picture.moves) {
      const int count = open_lines(move, here_.turn()).count;
      least = std::min(least, count);
      most = std::max(most, count);
    }
    const Argument player{"player", here_.turn()};
    if (!own) return phrase("no-lines", player);
    if (own > least || own == most) return {};
    return phrase("few-lines", player, Argument{"count", own});
  }

  // Lines and marks ---------------------------------------------------------------------------

  static constexpr std::size_t max_listed = 3;

  bool is_small() const { return game_.columns() == 3 && game_.rows() == 3; }

  int cell_of(const Place& place, int move) const {
    return Facts(game_, place.picture, 0, -1).cell_of(move);
  }
  Numbers cells_of(const Place& place, const Numbers& moves) const {
    Numbers cells;
    for (const int move : moves) cells.push_back(cell_of(place, move));
    return cells;
  }
  std::vector<std::string> texts(const Numbers& moves) const {
    std::vector<std::string> found;
    for (const int move : moves) found.push_back(game_.move_text(move));
    return found;
  }

  // The moves that lose at once by themselves.
  Numbers losses() const {
    Numbers found;
    for (const int move : here_.picture.moves)
      if (here_.after(move)->is_won_by(here_.other())) found.push_back(move);
    return found;
  }

  static Numbers quiet_moves(const Place& place) {
    Numbers found;
    for (const int move : place.picture.moves)
      if (!place.after(move)->is_over()) found.push_back(move);
    return found;
  }

  // The winning moves that the opponent of the player to move threatens. Each wins at once after
  // every other move that does not end the game, and there is one.
  Numbers threats(const Place& place) const {
    Numbers found;
    if (!game_.nested) {
      if (game_.row.misere) return {};
      found = place.passed()->wins();
      if (found.empty()) return {};
    }
    const Numbers quiet = quiet_moves(place);
    if (game_.nested) {
      std::vector<Numbers> wins;
      for (const int move : quiet) {
        wins.push_back(place.after(move)->wins());
        if (wins.back().empty() && wins.size() > 1 && wins[wins.size() - 2].empty()) return {};
      }
      for (std::size_t i = 0; i < std::min<std::size_t>(wins.size(), 2); ++i)
        for (const int each : wins[i])
          if (!contains(found, each)) found.push_back(each);
      std::sort(found.begin(), found.end());
      std::erase_if(found, [&](int threat) {
        for (std::size_t i = 0; i < quiet.size(); ++i)
          if (quiet[i] != threat && !contains(wins[i], threat)) return true;
        return false;
      });
    }
    std::erase_if(found, [&](int threat) {
      return std::none_of(quiet.begin(), quiet.end(), [&](int move) { return move != threat; });
    });
    return found;
  }

  // A position with the same threats, and their player to move.
  std::unique_ptr<Place> turned(const Place& place, int threat) const {
    if (!game_.nested) return place.passed();
    for (const int move : quiet_moves(place))
      if (move != threat) return place.after(move);
    return nullptr;
  }

  std::vector<Made> lines_threatened(const Place& place, const Numbers& threats) const {
    std::vector<Made> lines;
    for (const int threat : threats)
      for (Made& each : lines_made(*turned(place, threat), threat)) lines.push_back(each);
    return lines;
  }

  // What the winning moves of `threats` are: a line, two lines, or wins.
  Json threatened(const Place& place, const Numbers& threats) const {
    const std::vector<Made> lines = lines_threatened(place, threats);
    if (lines.size() == 1 && threats.size() == 1) return lines[0].phrase;
    if (lines.size() == 2) {
      const Made &one = lines[0], &two = lines[1];
      const bool meet = !game_.is_rack() && one.direction == two.direction &&
                        std::any_of(one.cells.begin(), one.cells.end(),
                                    [&](int cell) { return contains(two.cells, cell); });
      if (meet) return phrase("both-ends", Argument{"line", one.phrase});
      return phrase("both-lines", Argument{"lines", std::vector{one.phrase, two.phrase}});
    }
    if (game_.nested && lines.empty() && threats.size() == 1)
      return phrase("game-on", Argument{"board", threats[0] / 9 + 1});
    return phrase("ways", Argument{"count", std::max(lines.size(), threats.size())});
  }

  // The winning lines that a move makes: in ultimate, none.
  std::vector<Made> lines_made(const Place& place, int move) const {
    const int cell = cell_of(place, move);
    std::vector<Made> found;
    if (game_.nested) {
      const unsigned own = marks(place, move / 9, place.turn()) | 1u << move % 9;
      for (int i = 0; i < 8 && game_.rules.one_line; ++i)
        if ((own & lines_3x3[i]) == lines_3x3[i] && lines_3x3[i] >> move % 9 & 1)
          found.push_back(
              {phrase("small-line-on", Argument{"line", i + 1}, Argument{"board", move / 9 + 1}),
               i,
               {cell}});
      return found;
    }
    constexpr std::array<std::array<int, 2>, 4> directions = {{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}};
    for (int i = 0; i < 4; ++i) {
      Numbers run = {cell};
      for (const int way : {-1, 1}) {
        int x = cell % game_.columns(), y = cell / game_.columns();
        for (;;) {
          x += way * directions[i][0];
          y += way * directions[i][1];
          if (x < 0 || y < 0 || x >= game_.columns() || y >= game_.rows()) break;
          const int each = y * game_.columns() + x;
          if (place.picture.cells[each] != place.turn()) break;
          run.push_back(each);
        }
      }
      std::sort(run.begin(), run.end());
      if (here_.is_line(run)) found.push_back({line_phrase(i, run, cell), i, run});
    }
    return found;
  }

  Json line_phrase(int direction, const Numbers& run, int cell) const {
    if (game_.is_rack()) return rack_line_phrase(game_, run);
    const int x = cell % game_.columns(), y = cell / game_.columns();
    if (is_small() && game_.row.k == 3) {
      const int line[] = {y, 3 + x, 6, 7};
      return phrase("small-line", Argument{"line", line[direction] + 1});
    }
    const Argument count{"count", run.size()};
    if (direction == 0) return phrase("row-at", count, Argument{"row", y + 1});
    if (direction == 1)
      return phrase("column-at", count, Argument{"column", static_cast<char>('a' + x)});
    return phrase("diagonal-at", count, Argument{"cell", game_.move_text(cell)});
  }

  // Row games.

  // Whether a player threatens two wins at once with a mark on a cell.
  static bool forks(const Place& place, char player, int cell) {
    const auto to_move = place.turn() == player ? place.after(cell) : place.passed()->after(cell);
    return to_move->passed()->wins().size() > 1;
  }

  // The cells with which a player, who does not threaten to win, has k - 1 marks in a row and
  // threatens both its ends; of rows through `cell` only, unless that is -1. The rows are k + 1
  // cells with both ends empty and one mark missing between them.
  Numbers open_row_cells(const Place& place, char player, int cell) const {
    const int k = game_.row.k;
    Numbers found;
    if (k < shortest_open) return found;
    if (!(place.turn() == player ? place.wins() : place.passed()->wins()).empty()) return found;
    RowId longer = game_.row;
    longer.k = k + 1;
    const std::string& cells = place.picture.cells;
    for (const Line& line : lines_of(longer)) {
      int own = 0, missing = -1;
      bool fits = cells[line.first] == '.' && cells[line.first + k * line.step] == '.';
      bool through = cell < 0 || cell == line.first || cell == line.first + k * line.step;
      for (int i = 1; i < k && fits; ++i) {
        const int at = line.first + i * line.step;
        through |= at == cell;
        if (cells[at] == player) ++own;
        else if (cells[at] == '.' && missing < 0) missing = at;
        else fits = false;
      }
      if (!fits || !through || own != k - 2 || contains(found, missing)) continue;
      if (forks(place, player, missing)) found.push_back(missing);
    }
    std::sort(found.begin(), found.end());
    return found;
  }
  static constexpr int shortest_open = 4;  // the shortest winning line with open rows

  // The empty cells above the lowest of their columns with which S would have a line.
  Numbers awaited(const Place& place) const {
    Numbers found;
    const std::string& cells = place.picture.cells;
    for (int cell = 0; cell + game_.columns() < game_.cells(); ++cell) {
      if (cells[cell] != '.' || cells[cell + game_.columns()] != '.') continue;
      if (is_line_with(place, cell, here_.turn())) found.push_back(cell);
    }
    return found;
  }

  bool is_line_with(const Place& place, int cell, char player) const {
    Numbers own = {cell};
    for (int each = 0; each < game_.cells(); ++each)
      if (place.picture.cells[each] == player) own.push_back(each);
    return place.is_line(own);
  }

  // Nine boards.

  static unsigned marks(const Place& place, int board, char player) {
    unsigned found = 0;
    for (int cell = 0; cell < 9; ++cell)
      if (place.picture.cells[9 * board + cell] == player) found |= 1u << cell;
    return found;
  }
  static bool is_owned(const Place& place, int board) {
    return (place.picture.won[0] | place.picture.won[1]) >> board & 1;
  }
  // The empty cells of a board that complete a line for a player.
  static unsigned ways(const Place& place, int board, char player) {
    const unsigned empty = marks(place, board, '.');
    return completing_3x3[marks(place, board, player)] & empty;
  }
  static bool can_line(const Place& place, int board, char player) {
    const unsigned theirs = marks(place, board, player == 'X' ? 'O' : 'X');
    return std::any_of(lines_3x3.begin(), lines_3x3.end(),
                       [&](unsigned line) { return !(line & theirs); });
  }
  // The moves that make a line on a board that nobody has won.
  static Numbers gains(const Place& place) {
    Numbers found;
    for (const int move : place.picture.moves)
      if (!is_owned(place, move / 9) && ways(place, move / 9, place.turn()) >> move % 9 & 1)
        found.push_back(move);
    return found;
  }
  // The boards, from 1, that a player can still win and that would make three in line.
  static Numbers wanted(const Place& place, char player) {
    const unsigned own = place.picture.won[player == 'O'];
    Numbers found;
    for (int board = 0; board < 9; ++board)
      if (completing_3x3[own] >> board & 1 && !is_owned(place, board) &&
          !(place.picture.closed >> board & 1) && can_line(place, board, player))
        found.push_back(board + 1);
    return found;
  }
  // Those after a move, if one is new.
  static Numbers news(const Place& place, const Place& after, char player) {
    const Numbers before = wanted(place, player), now = wanted(after, player);
    const bool is_new =
        std::any_of(now.begin(), now.end(), [&](int board) { return !contains(before, board); });
    return is_new ? now : Numbers{};
  }

  const GameId& game_;
  const Place& here_;
  const std::vector<Worth>& worths_;
  const Worth& best_;
  int move_;
  std::unique_ptr<Place> after_;
  bool tells_value_ = false;
};

// Read the values of moves: `5:w3 1:d 2:l 9:u55`, a kind and a number for each text of a move.
inline std::optional<std::vector<Worth>> parse_worths(const Facts& facts, std::string_view text) {
  std::vector<Worth> worths;
  for (const auto word : split(text, ' ')) {
    const auto colon = word.find(':');
    if (colon == word.npos || colon + 1 == word.size()) return {};
    const int move = facts.find(word.substr(0, colon));
    const char kind = word[colon + 1];
    if (move < 0 || std::string_view("wdlu").find(kind) == std::string_view::npos) return {};
    const auto digits = word.substr(colon + 2);
    int number = -1;
    if (!digits.empty()) {
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), number);
      if (error != std::errc{} || end != digits.data() + digits.size()) return {};
    }
    worths.push_back({move, kind, number});
  }
  return worths;
}

// The sentences of a hint, from the values of all legal moves, the move to play first; none if a
// text is malformed or the game is over.
inline std::optional<Json> hint(std::string_view text, std::string_view values) {
  GameId game;
  if (read_rules(text, game)) return {};
  std::optional<Json> found;
  visit_position(text, [&](const auto& position) {
    const PlaceOf here(position);
    if (here.is_over()) return;
    const auto worths = parse_worths(Facts(game, here.picture, 0, -1), values);
    if (!worths || worths->size() != here.picture.moves.size()) return;
    found = Hint(game, here, *worths).json();
  });
  return found;
}

}  // namespace noughts
