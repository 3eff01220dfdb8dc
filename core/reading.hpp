// Strict readers of rules ids and position strings, which refuse in words.
//
//     start    ──read_rules()─────► GameId, or a reason
//     position ──check_position()─► nothing, or a reason that no game leads to it
//
// The twin of Python's noughts.games, with the same reasons; it knows no titles of games. The
// parsers of notation.hpp then read the accepted text.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "notation.hpp"

namespace noughts {

// A part of a sentence: a text, a character or a number. A text must outlive it.
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

// A reason, in words that can follow a colon, becomes a sentence.
inline std::string sentence(std::string reason) {
  const auto is_letter = [](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; };
  const auto first = reason.substr(0, reason.find(' '));
  if (!first.empty() && std::all_of(first.begin(), first.end(), is_letter))
    reason[0] = static_cast<char>(reason[0] & ~32);
  const char last = reason.empty() ? ' ' : reason.back();
  if (last != '.' && last != '?' && last != '!') reason += '.';
  return reason;
}

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
      {"mnk", "MNK", {{"misere", "", "misere"}}},
      {"connect4", "WHK", {}},
      {"advanced", "", {{"full", "full=free", "full=draw"}}},
      {"ultimate", "", {{"tie", "tie=draw", "tie=boards"}, {"won", "won=closed", "won=open"}}},
  }};
  return games;
}

// Return why a position string has too many or too few fields, empty if it has not.
inline std::string check_fields(std::string_view text, bool nested) {
  const int size = static_cast<int>(split(text, '~').size());
  if (nested ? size == 4 || size == 5 : size == 3) return "";
  return joined({"the position has ", size, " fields separated by ~, not ",
                 nested ? "RULES~CELLS~SIDE~TARGET[~OWNERS]" : "RULES~CELLS~SIDE"});
}

// Read the rules id of a start or a position string; return the reason of a refusal, empty if there
// is none.
inline std::string read_rules(std::string_view start, GameId& game) {
  const auto text = start.substr(0, start.find('~'));
  const auto colon = text.find(':');
  const std::string name(text.substr(0, colon));
  const auto found = std::find_if(game_texts().begin(), game_texts().end(),
                                  [&](const GameTexts& each) { return each.name == name; });
  if (found == game_texts().end()) return joined({"no game called \"", name, "\""});
  if (colon != text.npos && colon + 1 == text.size())
    return "the options are missing after the colon";
  game.nested = name == "advanced" || name == "ultimate";
  if (text.size() < start.size())
    if (std::string reason = check_fields(start, game.nested); !reason.empty()) return reason;
  std::vector<int> sizes;
  std::vector<std::string_view> keys, chosen;
  const std::string_view rest = colon == text.npos ? "" : text.substr(colon + 1);
  for (const auto word : rest.empty() ? std::vector<std::string_view>{} : split(rest, ',')) {
    const auto key = word.substr(0, word.find('='));
    const auto option = std::find_if(found->options.begin(), found->options.end(),
                                     [&](const OptionTexts& each) { return each.key == key; });
    if (is_digits(word)) {
      if (!keys.empty()) return joined({"the size ", word, " must come before the options"});
      if (sizes.size() == found->symbols.size())
        return joined({word, " is one number too many for ", name});
      if (word[0] == '0' || word.size() > 2)
        return joined({found->symbols[sizes.size()], " must be a number from 1 to 19, not ", word});
      sizes.push_back(*number(word));
    } else if (option == found->options.end()) {
      std::string known;
      for (const char symbol : found->symbols) known += joined({symbol, ' '});
      for (const auto& each : found->options) known += joined({each.key, ' '});
      known = known.empty() ? "none" : known.substr(0, known.size() - 1);
      return joined({"no option \"", word, "\" in ", name, ". Options: ", known});
    } else if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
      return joined({"the option ", key, " appears twice"});
    } else if (word != option->normal && word != option->other) {
      const std::string both = joined({option->normal, " or ", option->other});
      return joined({"the option is ", option->normal.empty() ? Part(option->other) : Part(both),
                     ", not \"", word, "\""});
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
    return "";
  }
  game.id = name;
  const bool rack = name == "connect4";
  if (name == "mnk" && sizes.size() != 3) return "the sizes are missing, as in mnk:5,5,4";
  if (rack && sizes.size() == 1) return "the height is missing, as in connect4:8,7";
  const int defaults[] = {rack ? 7 : 3, rack ? 6 : 3, rack ? 4 : 3};
  while (sizes.size() < 3) sizes.push_back(defaults[sizes.size()]);
  const int columns = sizes[0], rows = sizes[1], k = sizes[2], widest = rack ? 9 : 19;
  if (columns > widest || rows > 19)
    return joined(
        {"a ", columns, "×", rows, " board is too large: the limit is ", widest, "×", 19});
  if (k > std::max(columns, rows))
    return joined({k, " in a row does not fit on a ", columns, "×", rows, " board"});
  if (name == "mnk")
    game.id = joined({"mnk:", columns, ',', rows, ',', k, words.empty() ? "" : ",", words});
  if (rack && (columns != 7 || rows != 6 || k != 4))
    game.id = joined({"connect4:", columns, ',', rows});
  if (rack && k != 4) game.id += joined({',', k});
  game.row = *parse_row_id(game.id);
  return "";
}

// A line of a row game: k cells from the first, each `step` after the one before.
struct Line {
  int first, step;
};

// All lines of a row game: in a row, in a column, diagonals; by their first cells.
inline std::vector<Line> lines_of(const RowId& row) {
  std::vector<Line> lines;
  const int reach = row.k - 1;
  for (int y = 0; y < row.rows; ++y)
    for (int x = 0; x < row.columns; ++x) {
      const int cell = y * row.columns + x;
      const bool right = x + reach < row.columns, down = y + reach < row.rows, left = x >= reach;
      if (right) lines.push_back({cell, 1});
      if (reach == 0) continue;  // one cell is one line
      if (down) lines.push_back({cell, row.columns});
      if (down && right) lines.push_back({cell, row.columns + 1});
      if (down && left) lines.push_back({cell, row.columns - 1});
    }
  return lines;
}

inline bool is_full_of(const std::string& cells, const Line& line, int k, char mark) {
  for (int i = 0; i < k; ++i)
    if (cells[line.first + i * line.step] != mark) return false;
  return true;
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
      if (left < 0 || seen.size() > most_boards) return true;
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
  static constexpr std::size_t most_boards = 2'000;

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

  // Return the reason of a refusal, empty if there is none.
  std::string operator()() {
    for (const auto step : {&PositionCheck::cells, &PositionCheck::side,
                            game_.nested ? &PositionCheck::nested : &PositionCheck::row})
      if (std::string reason = (this->*step)(); !reason.empty()) return reason;
    return "";
  }

 private:
  std::string cells() {
    const int columns = game_.columns(), rows = game_.rows();
    const char* word = game_.nested ? "board" : "row";
    const auto parts = split(fields_[1], '.');
    if (static_cast<int>(parts.size()) != rows)
      return joined(
          {"the position has ", static_cast<int>(parts.size()), ' ', word, "s, not ", rows});
    cells_.assign(columns * rows, '.');
    for (int row = 0; row < rows; ++row) {
      int column = 0;
      for (std::string_view part = parts[row]; !part.empty();) {
        std::size_t size = 1;
        if (is_digits(part.substr(0, 1)))
          while (is_digits(part.substr(size, 1))) ++size;
        else
          while (size < part.size() && (part[size] & 0xc0) == 0x80) ++size;  // of one character
        const auto token = part.substr(0, size);
        part.remove_prefix(size);
        const std::string place = joined({word, ' ', row + 1, ", column ", column + 1, ": "});
        if (token == "X" || token == "O") {
          if (column < columns) cells_[row * columns + column] = token[0];
          ++column;
        } else if (!is_digits(token)) {
          return joined({place, '"', token, "\" is not X, O or a number of empty cells"});
        } else if (token[0] == '0' || token.size() > 2) {
          return joined({place, token, " is not a number from 1 to ", columns});
        } else {
          column += *number(token);
        }
      }
      if (column != columns)
        return joined({word, ' ', row + 1, " has ", column, " cells, not ", columns});
    }
    return "";
  }

  std::string side() {
    const auto side = fields_[2];
    if (side != "X" && side != "O")
      return joined({"the side to move is X or O, not \"", side, '"'});
    const int x = static_cast<int>(std::count(cells_.begin(), cells_.end(), 'X'));
    const int o = static_cast<int>(std::count(cells_.begin(), cells_.end(), 'O'));
    const std::string numbers = joined({x, " X and ", o, " O"});
    if (x - o != 0 && x - o != 1)
      return joined(
          {"the board has ", numbers, "; X moves first, so it must have as many as O or one more"});
    ply_ = x + o;
    turn_ = x == o ? 'X' : 'O';
    mover_ = x == o ? 'O' : 'X';
    if (side[0] != turn_) return joined({"with ", numbers, ", ", turn_, " is to move, not ", side});
    return "";
  }

  std::string row() {
    const int columns = game_.row.columns, size = game_.cells();
    const auto taken = [&](int cell) { return cell < size && cells_[cell] != '.'; };
    if (game_.row.gravity)
      for (int cell = 0; cell + columns < size; ++cell)
        if (taken(cell) && !taken(cell + columns))
          return joined({"row ", cell / columns + 1, ", column ", cell % columns + 1,
                         ": the cell below this mark is empty"});
    const int k = game_.row.k;
    bool has_line[2]{};
    std::vector<int> of_all(size);  // by cell, the lines of the last mover
    int made = 0;
    for (const Line& line : lines_of(game_.row)) {
      for (const char mark : {mover_, turn_})
        has_line[mark == turn_] |= is_full_of(cells_, line, k, mark);
      if (!is_full_of(cells_, line, k, mover_)) continue;
      ++made;
      for (int i = 0; i < k; ++i) ++of_all[line.first + i * line.step];
    }
    if (has_line[0] && has_line[1]) return "both X and O have a line";
    if (has_line[1]) return joined({turn_, " has a line, but ", mover_, " moved after it"});
    std::vector<std::string> before;
    for (int cell = 0; made && cell < size; ++cell) {
      const bool on_top = !game_.row.gravity || cell < columns || !taken(cell - columns);
      if (!taken(cell) || of_all[cell] != made || !on_top) continue;
      before.push_back(cells_);
      before.back()[cell] = '.';
    }
    if (made && before.empty())
      return joined({"no single last move completes the lines of ", mover_});
    if (!game_.row.gravity) return "";
    if (!made) before = {cells_};
    std::vector<Stacking::Columns> boards;
    for (const auto& board : before) {
      auto& stacks = boards.emplace_back(columns);
      for (int cell = 0; cell < size; ++cell)
        if (board[cell] != '.') stacks[cell % columns] += board[cell];
    }
    if (!Stacking::is_possible(boards)) return "alternating turns cannot stack the marks like this";
    return "";
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

  std::string nested() {
    const auto named = fields_[3];
    if (named.size() != 1 || (named[0] != '-' && (named[0] < '1' || named[0] > '9')))
      return joined({"the target is a board from 1 to 9 or -, not \"", named, '"'});
    if (named != "-" && ply_ == 0) return "the target before the first move is -";
    if (named == "-" && ply_ != 0) return "the target after a move is a board from 1 to 9";
    const bool closes = game_.rules.won_closed;
    if (closes && fields_.size() == 5)
      return joined({game_.id, " has no owners field: the marks show the owners"});
    if (!closes && fields_.size() == 4)
      return joined({"the owners field is missing: ", game_.id, " needs the winner of each board"});
    unsigned won[2]{};  // by X and by O
    if (std::string reason = owners(won); !reason.empty()) return reason;
    return named == "-" ? "" : target(named[0] - '1', won);
  }

  std::string owners(unsigned (&won)[2]) const {
    const bool closes = game_.rules.won_closed;
    const std::string_view field = closes ? "" : fields_[4];
    if (!closes && (field.size() != 9 || field.find_first_not_of("XOD-") != field.npos))
      return joined({"the owners are nine of X, O, D and -, not \"", field, '"'});
    for (int board = 0; board < 9; ++board) {
      const unsigned marks_of[] = {marks(board, 'X'), marks(board, 'O')};
      std::string have;
      for (int player : {0, 1})
        if (has_line_3x3[marks_of[player]]) have += "XO"[player];
      if (!closes) {
        const char said = field[board];
        const bool full = (marks_of[0] | marks_of[1]) == board_mask;
        const bool right = have.empty() ? said == (full ? 'D' : '-') : have.find(said) != have.npos;
        const char* wanted = have.size() == 2 ? "X or O"
                             : !have.empty()  ? have.c_str()
                             : full           ? "D (full without a line)"
                                              : "- (not full, without a line)";
        if (!right)
          return joined({"the owner of board ", board + 1, " is ", wanted, ", not ", said});
        if (!have.empty()) have = said;
      } else if (have.size() == 2) {
        return joined({"board ", board + 1, ": both X and O have a line"});
      }
      if (have.empty()) continue;
      const int owner = have == "O";
      // A won board is closed, so its last mark completed all its lines.
      if (closes && !final_cells(marks_of[owner]))
        return joined({"board ", board + 1, ": ", have, " moved again after winning it"});
      won[owner] |= 1u << board;
    }
    if (game_.rules.one_line)
      for (int player : {0, 1})
        if (const int number = std::popcount(won[player]); number > 1)
          return joined({"XO"[player], " has lines on ", number,
                         " boards, but the first line ends the game"});
    if (wins(won[0]) && wins(won[1])) return "both X and O have won";
    if (wins(won[turn_ == 'O']))
      return joined({turn_, " has won, but ", mover_, " moved after it"});
    return "";
  }

  // Check that the last move can have named this target.
  std::string target(int target, const unsigned (&won)[2]) const {
    const unsigned own = won[mover_ == 'O'], closed = won[0] | won[1];
    const auto is_final = [&](int board) {
      return final_cells(marks(board, mover_)) >> target & 1;
    };
    const std::string start = joined({"the target is ", target + 1, ", but "});
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
    if (!marked)
      return joined({start, mover_, ", who moved last, has no mark on a cell ", target + 1});
    if (!open)
      return joined(
          {start, "every cell ", target + 1, " of ", mover_, " is on a board closed before"});
    if (wins(own) && !decides)
      return joined({start, mover_, " did not win with a mark on a cell ", target + 1});
    return "";
  }

  const GameId& game_;
  std::vector<std::string_view> fields_;
  std::string cells_;  // X, O or a dot for each cell, row by row
  int ply_ = 0;
  char turn_ = 'X', mover_ = 'O';
};

inline std::string check_position(const GameId& game, std::string_view text) {
  return PositionCheck(game, text)();
}

}  // namespace noughts
