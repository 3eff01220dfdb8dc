// Strict readers of rules ids and position strings, which tell the fault.
//
//     start    ──read_rules()─────► GameId, or a reason
//     position ──check_position()─► nothing, or a reason that no game leads to it
//
// The twin of Python's noughts.games, with the same reasons, as codes of noughts/games/phrases.py;
// it knows no titles of games. The parsers of notation.hpp then read the accepted text.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "json.hpp"
#include "notation.hpp"

namespace noughts {

// A part of a text: a text, a character or a number. A text must outlive it.
class Part {
 public:
  Part(std::string_view text) : text_(text) {}               // NOLINT: implicit, for lists of parts
  Part(const char* text) : text_(text) {}                    // NOLINT
  Part(const std::string& text) : text_(text) {}             // NOLINT
  Part(char character) : own_{character}, text_(own_, 1) {}  // NOLINT
  Part(int number)
      : text_(own_, std::to_chars(own_, own_ + sizeof own_, number).ptr - own_) {}  // NOLINT
  Part(const Part&) = delete;  // the text may be its own

  std::string_view text() const { return text_; }

 private:
  char own_[12];
  std::string_view text_;
};

inline std::string joined(std::initializer_list<Part> parts) {
  std::string whole;
  for (const Part& part : parts) whole += part.text();
  return whole;
}

// A phrase of noughts/games/phrases.py: its code and its arguments; none if there is nothing to
// say.
using Phrase = std::optional<Json>;

template <class... Fields>
Json phrase(std::string_view code, const Fields&... arguments) {
  return Json::object({{"code", code}, arguments...});
}
using Argument = Json::Field;

// A game of a rules id.
struct GameId {
  std::string id;  // as it is printed
  bool nested = false;
  RowId row{};
  NestedRules rules{};

  bool is_rack() const { return !nested && row.gravity; }
  int columns() const { return nested ? 9 : row.columns; }
  int rows() const { return nested ? 9 : row.rows; }
  int cells() const { return columns() * rows(); }
  int moves() const { return is_rack() ? columns() : cells(); }
  std::string move_text(int move) const {
    if (nested) return joined({move / 9 + 1, move % 9 + 1});
    if (is_rack() || id == "basic") return std::to_string(move + 1);
    return joined({static_cast<char>('a' + move % row.columns), move / row.columns + 1});
  }
};

inline bool is_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The options of a rules id by their keys, the default first.
struct OptionTexts {
  std::string_view key, normal, other;
};

struct GameTexts {
  std::string_view name, symbols;  // a letter for each size
  std::vector<OptionTexts> options;
};

inline const std::array<GameTexts, 5>& game_texts() {
  static const std::array<GameTexts, 5> games = {{
      {"basic", "", {}},
      {"mnk", "MNK", {{"exact", "", "exact"}, {"misere", "", "misere"}}},
      {"connect4", "WHK", {}},
      {"advanced", "", {{"full", "full=free", "full=draw"}}},
      {"ultimate", "", {{"tie", "tie=draw", "tie=boards"}, {"won", "won=closed", "won=open"}}},
  }};
  return games;
}

// Return why a position string has too many or too few fields.
inline Phrase check_fields(std::string_view text, bool nested) {
  const auto size = split(text, '~').size();
  if (nested ? size == 4 || size == 5 : size == 3) return {};
  const char* form = nested ? "RULES~CELLS~SIDE~TARGET[~OWNERS]" : "RULES~CELLS~SIDE";
  return phrase("fields", Argument{"form", form});
}

// Read the rules id of a start or a position string; return the reason of a refusal.
inline Phrase read_rules(std::string_view start, GameId& game) {
  const auto text = start.substr(0, start.find('~'));
  const auto colon = text.find(':');
  const std::string name(text.substr(0, colon));
  const auto found = std::find_if(game_texts().begin(), game_texts().end(),
                                  [&](const GameTexts& each) { return each.name == name; });
  if (found == game_texts().end()) return phrase("no-game", Argument{"name", name});
  if (colon != text.npos && colon + 1 == text.size()) return phrase("no-options");
  game.nested = name == "advanced" || name == "ultimate";
  if (text.size() < start.size())
    if (const Phrase reason = check_fields(start, game.nested)) return reason;
  std::vector<int> sizes;
  std::vector<std::string_view> keys, chosen;
  const std::string_view rest = colon == text.npos ? "" : text.substr(colon + 1);
  for (const auto word : rest.empty() ? std::vector<std::string_view>{} : split(rest, ',')) {
    const auto key = word.substr(0, word.find('='));
    const auto option = std::find_if(found->options.begin(), found->options.end(),
                                     [&](const OptionTexts& each) { return each.key == key; });
    if (is_digits(word)) {
      if (!keys.empty()) return phrase("late-size", Argument{"word", word});
      if (sizes.size() == found->symbols.size())
        return phrase("extra-size", Argument{"word", word}, Argument{"name", name});
      if (word[0] == '0' || word.size() > 2)
        return phrase("bad-size", Argument{"symbol", found->symbols[sizes.size()]},
                      Argument{"word", word});
      sizes.push_back(*number(word));
    } else if (option == found->options.end()) {
      std::vector<std::string> known;
      for (const char symbol : found->symbols) known.emplace_back(1, symbol);
      for (const auto& each : found->options) known.emplace_back(each.key);
      if (known.empty()) known.push_back("none");
      return phrase("no-option", Argument{"word", word}, Argument{"name", name},
                    Argument{"known", known});
    } else if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
      return phrase("same-option", Argument{"key", key});
    } else if (word != option->normal && word != option->other) {
      std::vector forms{option->normal, option->other};
      if (option->normal.empty()) forms.erase(forms.begin());
      return phrase("bad-option", Argument{"forms", forms}, Argument{"word", word});
    } else {
      keys.push_back(key);
      if (word == option->other) chosen.push_back(word);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  std::string words;
  for (const auto word : chosen) words += joined({words.empty() ? "" : ",", word});
  if (game.nested) {
    game.id = joined({name, words.empty() ? "" : ":", words});
    game.rules = *parse_nested_id(game.id);
    return {};
  }
  game.id = name;
  const bool rack = name == "connect4";
  if (name == "mnk" && sizes.size() != 3) return phrase("no-sizes");
  if (rack && sizes.size() == 1) return phrase("no-height");
  const int defaults[] = {rack ? 7 : 3, rack ? 6 : 3, rack ? 4 : 3};
  while (sizes.size() < 3) sizes.push_back(defaults[sizes.size()]);
  const int columns = sizes[0], rows = sizes[1], k = sizes[2], widest = rack ? 9 : max_side;
  const Argument size[] = {{"columns", columns}, {"rows", rows}};
  if (columns > widest || rows > max_side)
    return phrase("large-board", size[0], size[1], Argument{"widest", widest},
                  Argument{"highest", max_side});
  if (k > std::max(columns, rows)) return phrase("long-line", Argument{"k", k}, size[0], size[1]);
  if (name == "mnk")
    game.id = joined({"mnk:", columns, ',', rows, ',', k, words.empty() ? "" : ",", words});
  if (rack && (columns != 7 || rows != 6 || k != 4))
    game.id = joined({"connect4:", columns, ',', rows});
  if (rack && k != 4) game.id += joined({',', k});
  game.row = *parse_row_id(game.id);
  return {};
}

// A line of a row game: k cells from the first, each `step` after the one before.
struct Line {
  int first, step;
  // With `exact`, the cells just beyond both ends; -1 if there is none.
  int before = -1, after = -1;
};

// All lines of a row game: in a row, in a column, diagonals; by their first cells.
inline std::vector<Line> lines_of(const RowId& row) {
  std::vector<Line> lines;
  const int reach = row.k - 1;
  for (int y = 0; y < row.rows; ++y)
    for (int x = 0; x < row.columns; ++x) {
      const int cell = y * row.columns + x;
      const bool right = x + reach < row.columns, down = y + reach < row.rows, left = x >= reach;
      const auto add = [&](int across, int downwards) {
        const auto beyond = [&](int steps) {
          const int column = x + steps * across, height = y + steps * downwards;
          const bool is_cell = column >= 0 && column < row.columns && height >= 0 &&
                               height < row.rows && row.exact && reach > 0;
          return is_cell ? height * row.columns + column : -1;
        };
        lines.push_back({cell, downwards * row.columns + across, beyond(-1), beyond(row.k)});
      };
      if (right) add(1, 0);
      if (reach == 0) continue;  // one cell is one line
      if (down) add(0, 1);
      if (down && right) add(1, 1);
      if (down && left) add(-1, 1);
    }
  return lines;
}

// Whether all cells of a line have a mark.
inline bool is_full_of(const std::string& cells, const Line& line, int k, char mark) {
  for (int i = 0; i < k; ++i)
    if (cells[line.first + i * line.step] != mark) return false;
  return true;
}
// Whether the marks complete the line: a mark at an end would make it too long.
inline bool is_completed(const std::string& cells, const Line& line, int k, char mark) {
  for (const int end : {line.before, line.after})
    if (end >= 0 && cells[end] == mark) return false;
  return is_full_of(cells, line, k, mark);
}

// Whether alternating turns, X first, can stack the marks of a Connect Four board.
//
// A column is its marks from the top. The search takes marks off the columns; where it gives up,
// the answer is yes. As Python's noughts.games.stacking, which has the sources.
class Stacking {
 public:
  using Columns = std::vector<std::string>;

  static bool is_possible(std::vector<Columns> waiting) {
    for (Columns& board : waiting) tidy(board);
    std::erase_if(waiting, [](const Columns& board) { return !keeps_balance(board); });
    std::set<Columns> seen(waiting.begin(), waiting.end());
    while (!waiting.empty()) {
      const Columns board = waiting.back();
      waiting.pop_back();
      const int left = marks(board) - 1;
      if (left < 0 || seen.size() > max_boards) return true;
      const char mover = left % 2 == 0 ? 'X' : 'O', following = left % 2 == 0 ? 'O' : 'X';
      // The last one is taken first: the column that needs the most turns.
      Columns tops;
      for (const auto& column : board)
        if (column[0] == mover && std::find(tops.begin(), tops.end(), column) == tops.end())
          tops.push_back(column);
      std::stable_sort(tops.begin(), tops.end(),
                       [](const auto& a, const auto& b) { return turns(a) < turns(b); });
      for (const auto& column : tops) {
        Columns after = board;
        std::find(after.begin(), after.end(), column)->erase(0, 1);
        tidy(after);
        const bool has_time = std::all_of(after.begin(), after.end(), [&](const auto& each) {
          return turns(each) + (each[0] != following) <= left;
        });
        if (has_time && seen.insert(after).second) waiting.push_back(after);
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t max_boards = 2'000;

  static void tidy(Columns& board) {
    std::erase_if(board, [](const auto& column) { return column.empty(); });
    std::sort(board.begin(), board.end());
  }
  static int marks(const Columns& board) {
    int total = 0;
    for (const auto& column : board) total += static_cast<int>(column.size());
    return total;
  }
  // The fewest turns that take a column: two equal marks need a turn in between.
  static int turns(const std::string& column) {
    int total = static_cast<int>(column.size());
    for (std::size_t i = 1; i < column.size(); ++i) total += column[i] == column[i - 1];
    return total;
  }
  // Whether orders exist that keep the balance, X's marks less O's, to each bound alone.
  static bool keeps_balance(const Columns& board) {
    const int odd = marks(board) % 2;
    Columns backwards = board;
    for (auto& column : backwards) std::reverse(column.begin(), column.end());
    return sinks(board, 'O', odd, 1) && sinks(board, 'X', -odd, 0) && sinks(backwards, 'X', 0, 1) &&
           sinks(backwards, 'O', 0, 0);
  }
  // Whether all columns can reach their lowest balance, none above `most` in between.
  static bool sinks(const Columns& columns, char rising, int balance, int most) {
    std::vector<std::vector<int>> climbs;  // of each column, the next one last
    for (const auto& column : columns) {
      int height = 0, low = 0, peak = 0;
      auto& rises = climbs.emplace_back();
      for (const char mark : column) {
        height += mark == rising ? 1 : -1;
        peak = std::max(peak, height);
        if (height < low) {
          rises.insert(rises.begin(), peak - low);
          low = peak = height;
        }
      }
    }
    for (bool can_sink = true; can_sink;) {
      can_sink = false;
      for (auto& rises : climbs)
        for (; !rises.empty() && balance + rises.back() <= most; --balance, can_sink = true)
          rises.pop_back();
    }
    return std::all_of(climbs.begin(), climbs.end(),
                       [](const auto& rises) { return rises.empty(); });
  }
};

// Checks one position string.
class PositionCheck {
 public:
  PositionCheck(const GameId& game, std::string_view text)
      : game_(game), fields_(split(text, '~')) {}

  // Return the reason of a refusal.
  Phrase operator()() {
    for (const auto step : {&PositionCheck::cells, &PositionCheck::side,
                            game_.nested ? &PositionCheck::nested : &PositionCheck::row})
      if (const Phrase reason = (this->*step)()) return reason;
    return {};
  }

 private:
  Phrase cells() {
    const int columns = game_.columns(), rows = game_.rows();
    const std::string word = game_.nested ? "board" : "row";
    const auto parts = split(fields_[1], '.');
    const Argument wanted{"wanted", columns};
    if (static_cast<int>(parts.size()) != rows)
      return phrase(word + 's', Argument{"found", parts.size()}, Argument{"wanted", rows});
    cells_.assign(columns * rows, '.');
    for (int row = 0; row < rows; ++row) {
      const Argument where{"row", row + 1};
      int column = 0;
      for (std::string_view part = parts[row]; !part.empty();) {
        std::size_t size = 1;
        if (is_digits(part.substr(0, 1)))
          while (is_digits(part.substr(size, 1))) ++size;
        else
          while (size < part.size() && (part[size] & 0xc0) == 0x80) ++size;  // of one character
        const auto token = part.substr(0, size);
        const Argument at{"column", column + 1};
        part.remove_prefix(size);
        if (token == "X" || token == "O") {
          if (column < columns) cells_[row * columns + column] = token[0];
          ++column;
        } else if (!is_digits(token)) {
          return phrase(word + "-mark", where, at, Argument{"mark", token});
        } else if (token[0] == '0' || token.size() > 2) {
          return phrase(word + "-number", where, at, Argument{"number", token}, wanted);
        } else {
          column += *number(token);
        }
      }
      if (column != columns) return phrase(word, where, Argument{"found", column}, wanted);
    }
    return {};
  }

  Phrase side() {
    const Argument side{"side", fields_[2]};
    if (fields_[2] != "X" && fields_[2] != "O") return phrase("side", side);
    const auto x = std::count(cells_.begin(), cells_.end(), 'X');
    const auto o = std::count(cells_.begin(), cells_.end(), 'O');
    if (x != o && x != o + 1) return phrase("marks", Argument{"x", x}, Argument{"o", o});
    ply_ = static_cast<int>(x + o);
    turn_ = x == o ? 'X' : 'O';
    mover_ = x == o ? 'O' : 'X';
    if (fields_[2][0] == turn_) return {};
    return phrase("turn", Argument{"x", x}, Argument{"o", o}, Argument{"turn", turn_}, side);
  }

  Phrase row() {
    const int columns = game_.row.columns, size = game_.cells();
    const auto taken = [&](int cell) { return cell < size && cells_[cell] != '.'; };
    if (game_.row.gravity)
      for (int cell = 0; cell + columns < size; ++cell)
        if (taken(cell) && !taken(cell + columns))
          return phrase("hanging", Argument{"row", cell / columns + 1},
                        Argument{"column", cell % columns + 1});
    const int k = game_.row.k;
    bool has_line[2]{};
    std::vector<int> of_all(size);  // by cell, the lines of the last mover
    int made = 0;
    const std::vector<Line> lines = lines_of(game_.row);
    for (const Line& line : lines) {
      for (const char mark : {mover_, turn_})
        has_line[mark == turn_] |= is_completed(cells_, line, k, mark);
      if (!is_completed(cells_, line, k, mover_)) continue;
      ++made;
      for (int i = 0; i < k; ++i) ++of_all[line.first + i * line.step];
    }
    if (has_line[0] && has_line[1]) return phrase("two-lines");
    const Argument mover{"mover", mover_};
    if (has_line[1]) return phrase("late-line", Argument{"player", turn_}, mover);
    std::vector<std::string> before;
    for (int cell = 0; made && cell < size; ++cell) {
      const bool on_top = !game_.row.gravity || cell < columns || !taken(cell - columns);
      if (!taken(cell) || of_all[cell] != made || !on_top) continue;
      before.push_back(cells_);
      before.back()[cell] = '.';
      if (game_.row.exact && completes(lines, before.back(), mover_)) before.pop_back();
    }
    if (made && before.empty()) return phrase("last-move", mover);
    if (!made) before = {cells_};
    if (game_.row.exact)
      for (const char player : {mover_, turn_})
        if (!can_build(lines, player == mover_ ? before : std::vector{cells_}, player))
          return phrase("built", Argument{"player", player}, Argument{"k", k});
    if (!game_.row.gravity) return {};
    std::vector<Stacking::Columns> boards;
    for (const auto& board : before) {
      auto& stacks = boards.emplace_back(columns);
      for (int cell = 0; cell < size; ++cell)
        if (board[cell] != '.') stacks[cell % columns] += board[cell];
    }
    if (!Stacking::is_possible(boards)) return phrase("stack");
    return {};
  }

  bool completes(const std::vector<Line>& lines, const std::string& cells, char mark) const {
    return std::any_of(lines.begin(), lines.end(), [&](const Line& line) {
      return is_completed(cells, line, game_.row.k, mark);
    });
  }
  // Whether some order of a player's marks leads to one of the boards without a line of exactly k
  // on the way. As Python's noughts.games.row, which says why; where it gives up, the answer is
  // yes.
  bool can_build(const std::vector<Line>& lines, std::vector<std::string> waiting,
                 char mark) const {
    constexpr std::size_t max_built = 2'000;
    const int k = game_.row.k;
    std::set<std::string> seen(waiting.begin(), waiting.end());
    while (!waiting.empty()) {
      const std::string cells = waiting.back();
      waiting.pop_back();
      std::set<int> in_long;
      for (const Line& line : lines)
        for (int i = 0; i < k && is_full_of(cells, line, k, mark); ++i)
          in_long.insert(line.first + i * line.step);
      if (in_long.empty() || seen.size() > max_built) return true;
      for (const int cell : in_long) {
        std::string fewer = cells;
        fewer[cell] = '.';
        if (!completes(lines, fewer, mark) && seen.insert(fewer).second) waiting.push_back(fewer);
      }
    }
    return false;
  }

  unsigned marks(int board, char player) const {
    unsigned mask = 0;
    for (int cell = 0; cell < 9; ++cell) mask |= (cells_[9 * board + cell] == player) << cell;
    return mask;
  }
  // The marks of a 3x3 board that belong to all its lines.
  static unsigned final_cells(unsigned marks) {
    unsigned cells = 0;
    for (int cell = 0; cell < 9; ++cell)
      if (marks >> cell & 1 && !has_line_3x3[marks & ~(1u << cell)]) cells |= 1u << cell;
    return cells;
  }
  bool wins(unsigned boards) const {
    return game_.rules.one_line ? boards != 0 : has_line_3x3[boards];
  }

  Phrase nested() {
    const auto named = fields_[3];
    if (named.size() != 1 || (named[0] != '-' && (named[0] < '1' || named[0] > '9')))
      return phrase("target", Argument{"target", named});
    if (named != "-" && ply_ == 0) return phrase("early-target");
    if (named == "-" && ply_ != 0) return phrase("no-target");
    const bool has_owners = fields_.size() == 5;
    if (has_owners == game_.rules.won_closed)
      return phrase(has_owners ? "extra-owners" : "no-owners", Argument{"rules", game_.id});
    unsigned won[2]{};  // by X and by O
    if (const Phrase reason = owners(won)) return reason;
    return named == "-" ? Phrase{} : target(named[0] - '1', won);
  }

  Phrase owners(unsigned (&won)[2]) const {
    const bool closes = game_.rules.won_closed;
    const std::string_view field = closes ? "" : fields_[4];
    if (!closes && (field.size() != 9 || field.find_first_not_of("XOD-") != field.npos))
      return phrase("owners", Argument{"owners", field});
    for (int board = 0; board < 9; ++board) {
      const Argument where{"board", board + 1};
      const unsigned marks_of[] = {marks(board, 'X'), marks(board, 'O')};
      std::string have;
      for (int player : {0, 1})
        if (has_line_3x3[marks_of[player]]) have += "XO"[player];
      if (!closes) {
        const Argument said{"said", field[board]};
        const bool full = (marks_of[0] | marks_of[1]) == board_mask;
        if (have.empty() && field[board] != (full ? 'D' : '-'))
          return phrase(full ? "owner-full" : "owner-open", where, said);
        if (!have.empty() && have.find(field[board]) == have.npos)
          return phrase("owner", where, Argument{"owners", std::vector(have.begin(), have.end())},
                        said);
        if (!have.empty()) have = field[board];
      } else if (have.size() == 2) {
        return phrase("board-lines", where);
      }
      if (have.empty()) continue;
      const int owner = have == "O";
      // A won board is closed, so its last mark completed all its lines.
      if (closes && !final_cells(marks_of[owner]))
        return phrase("board-late", where, Argument{"player", have});
      won[owner] |= 1u << board;
    }
    if (game_.rules.one_line)
      for (int player : {0, 1})
        if (const int number = std::popcount(won[player]); number > 1)
          return phrase("many-lines", Argument{"player", "XO"[player]}, Argument{"count", number});
    if (wins(won[0]) && wins(won[1])) return phrase("two-wins");
    if (!wins(won[turn_ == 'O'])) return {};
    return phrase("late-win", Argument{"player", turn_}, Argument{"mover", mover_});
  }

  // Check that the last move can have named this target.
  Phrase target(int target, const unsigned (&won)[2]) const {
    const unsigned own = won[mover_ == 'O'], closed = won[0] | won[1];
    const auto is_final = [&](int board) {
      return final_cells(marks(board, mover_)) >> target & 1;
    };
    bool marked = false, open = false, decides = false;
    for (int board = 0; board < 9; ++board) {
      if (cells_[9 * board + target] != mover_) continue;
      marked = true;
      const bool owned = own >> board & 1;
      // The last mark on a won board is the one that won it.
      if (game_.rules.won_closed && closed >> board & 1 && !(owned && is_final(board))) continue;
      open = true;
      decides |= owned && is_final(board) && !wins(own & ~(1u << board));
    }
    if (marked && open && (decides || !wins(own))) return {};
    const char* code = !marked ? "unmarked-target" : !open ? "closed-target" : "idle-target";
    return phrase(code, Argument{"target", target + 1}, Argument{"mover", mover_});
  }

  const GameId& game_;
  std::vector<std::string_view> fields_;
  std::string cells_;  // X, O or a dot for each cell, row by row
  int ply_ = 0;
  char turn_ = 'X', mover_ = 'O';
};

inline Phrase check_position(const GameId& game, std::string_view text) {
  return PositionCheck(game, text)();
}

}  // namespace noughts
