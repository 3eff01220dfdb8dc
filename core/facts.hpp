// Positions as JSON, for scripts that show them without knowing the rules.
//
//     start, moves ──position_facts()──► {"turn": "X", "board": {...}, "moves": {"51": 36}, ...}
//
// The fields are those of `PositionView` in noughts/web/models.py, with phrases in place of
// sentences.
#pragma once

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reading.hpp"

namespace noughts {

// A position without its type.
struct Picture {
  std::string cells;  // X, O or a dot for each cell, row by row
  std::vector<int> moves;
  Outcome outcome = Outcome::going_on;
  char turn = 'X';
  // Of nine-board games:
  unsigned won[2]{}, closed = 0;
  int target = -1, forced = -1;
};

template <class Bits>
Picture picture_of(const RowPosition<Bits>& position) {
  Picture picture;
  for (int cell = 0; cell < position.rules->size(); ++cell) {
    const int at = position.rules->bit_of(cell);
    picture.cells += has(position.marks[0], at) ? 'X' : has(position.marks[1], at) ? 'O' : '.';
  }
  return picture;
}

inline Picture picture_of(const NestedPosition& position) {
  Picture picture;
  for (int cell = 0; cell < 81; ++cell) {
    const auto is_marked = [&](int player) {
      return position.boards[player][cell / 9] >> cell % 9 & 1;
    };
    picture.cells += is_marked(0) ? 'X' : is_marked(1) ? 'O' : '.';
  }
  for (int player : {0, 1}) picture.won[player] = position.won[player];
  picture.closed = position.closed;
  if (position.target != NestedPosition::no_target) picture.target = position.target;
  if (position.is_forced() && position.outcome == Outcome::going_on)
    picture.forced = position.target;
  return picture;
}

template <class Position>
Picture whole_picture_of(const Position& position) {
  Picture picture = picture_of(position);
  MoveList list;
  position.moves(list);
  picture.moves.assign(list.begin(), list.end());
  picture.outcome = position.outcome;
  picture.turn = "XO"[position.turn()];
  return picture;
}

// A line of Connect Four by its columns, which have names on every board.
inline Json rack_line_phrase(const GameId& game, const std::vector<int>& cells) {
  int first = game.columns(), last = 0;
  for (const int cell : cells) {
    first = std::min(first, cell % game.columns() + 1);
    last = std::max(last, cell % game.columns() + 1);
  }
  const bool is_row = cells.front() / game.columns() == cells.back() / game.columns();
  return phrase(first == last ? "column-line"
                : is_row      ? "row-line"
                              : "diagonal-line",
                Argument{"count", cells.size()}, Argument{"first", first}, Argument{"last", last});
}

// Why a move is refused, and where a game stands.
class Facts {
 public:
  // `last` is the cell of the last move, -1 if there is none.
  Facts(const GameId& game, const Picture& picture, int ply, int last)
      : game_(game), picture_(picture), ply_(ply), last_(last) {}

  std::string position() const {
    std::string text = joined({game_.id, '~', cells_field(), '~', picture_.turn});
    if (!game_.nested) return text;
    text += joined({'~', picture_.target < 0 ? Part('-') : Part(picture_.target + 1)});
    if (!game_.rules.won_closed) text += joined({'~', owners()});
    return text;
  }

  Json json() const {
    std::vector<std::string> names;
    for (int move = 0; move < game_.moves(); ++move) names.push_back(game_.move_text(move));
    const Json board = Json::object({
        {"kind", game_.nested      ? "nested"
                 : game_.is_rack() ? "rack"
                                   : "grid"},
        {"text", ""},
        {"columns", game_.columns()},
        {"rows", game_.rows()},
        {"cells", picture_.cells},
        {"names", names},
        {"owners", game_.nested ? Json(owners()) : nullptr},
        {"plays_on", game_.nested && !game_.rules.won_closed},
        {"lines", ends_of(won_lines())},
        {"board_lines", ends_of(won_board_lines())},
    });
    std::string moves;
    for (const int move : picture_.moves)
      moves += joined({moves.empty() ? "\"" : ",\"", game_.move_text(move), "\":", cell_of(move)});
    return Json::object({
        {"turn", picture_.turn},
        {"board", board},
        {"open", game_.nested ? open_boards(0) : std::vector<int>{}},
        {"forced", Json::or_null(picture_.forced)},
        {"named", Json::or_null(picture_.target)},
        {"last", Json::or_null(last_)},
        {"position", position()},
        {"rules", game_.id},
        {"ply", ply_},
        {"moves", Json::written('{' + moves + '}')},
        {"outcome", outcome()},
        {"situation", is_over()      ? Json(nullptr)
                      : game_.nested ? nested_situation()
                                     : situation()},
    });
  }

  // The cell that a move takes.
  int cell_of(int move) const {
    if (!game_.is_rack()) return move;
    int cell = move;
    while (cell + game_.columns() < game_.cells() && picture_.cells[cell + game_.columns()] == '.')
      cell += game_.columns();
    return cell;
  }

  // The legal move with a text; -1 if there is none.
  int find(std::string_view text) const {
    for (const int move : picture_.moves)
      if (game_.move_text(move) == text) return move;
    return -1;
  }

  // Why no legal move has a text, which is not empty.
  Json refusal(std::string_view text) const {
    if (is_over()) return phrase("over");
    return game_.nested ? nested_refusal(text) : row_refusal(text);
  }

 private:
  static constexpr int max_listed = 12;

  bool is_over() const { return picture_.outcome != Outcome::going_on; }
  char other() const { return picture_.turn == 'X' ? 'O' : 'X'; }

  // The boards with legal moves, counted from a number.
  std::vector<int> open_boards(int first) const {
    std::vector<int> open;
    for (const int move : picture_.moves)
      if (const int board = move / 9 + first; open.empty() || open.back() != board)
        open.push_back(board);
    return open;
  }

  std::string owners() const {
    std::string text;
    for (int board = 0; board < 9; ++board)
      text += picture_.won[0] >> board & 1   ? 'X'
              : picture_.won[1] >> board & 1 ? 'O'
              : picture_.closed >> board & 1 ? 'D'
                                             : '-';
    return text;
  }

  std::string cells_field() const {
    std::string text;
    const int columns = game_.columns();
    int empty = 0;
    const auto flush = [&] {
      if (empty) text += std::to_string(empty);
      empty = 0;
    };
    for (int cell = 0; cell < game_.cells(); ++cell) {
      if (cell && cell % columns == 0) {
        flush();
        text += '.';
      }
      if (picture_.cells[cell] == '.') ++empty;
      else flush(), text += picture_.cells[cell];
    }
    flush();
    return text;
  }

  // Cells of a line in order; its ends are the first and the last.
  using Cells = std::vector<int>;

  static std::vector<Cells> full_lines(const std::string& cells, const RowId& row, int from) {
    std::vector<Cells> found;
    for (const Line& line : lines_of(row))
      if (const char mark = cells[line.first];
          (mark == 'X' || mark == 'O') && is_completed(cells, line, row.k, mark))
        for (int i = 0; i < row.k; ++i) {
          if (i == 0) found.emplace_back();
          found.back().push_back(from + line.first + i * line.step);
        }
    return found;
  }
  std::vector<Cells> won_lines() const {
    if (!game_.nested) return full_lines(picture_.cells, game_.row, 0);
    std::vector<Cells> found;
    for (int board = 0; game_.rules.one_line && board < 9; ++board)
      for (Cells& line : full_lines(picture_.cells.substr(9 * board, 9), {}, 9 * board))
        found.push_back(line);
    return found;
  }
  std::vector<Cells> won_board_lines() const {
    const bool counts = game_.nested && !game_.rules.one_line;
    return counts ? full_lines(owners(), {}, 0) : std::vector<Cells>{};
  }
  static std::vector<Cells> ends_of(std::vector<Cells> lines) {
    for (Cells& line : lines) line = {line.front(), line.back()};
    return lines;
  }

  Json outcome() const {
    if (!is_over()) return nullptr;
    const bool drawn = picture_.outcome == Outcome::draw;
    const char winner = picture_.outcome == Outcome::x_wins ? 'X' : 'O';
    const char* termination = drawn || game_.nested ? "full" : "line";
    if (game_.nested) {
      const auto won = [&](unsigned boards) {
        return game_.rules.one_line ? boards != 0 : has_line_3x3[boards];
      };
      if (won(picture_.won[0]) || won(picture_.won[1])) termination = "line";
      else if (picture_.closed != board_mask) termination = "target";
      else if (game_.rules.count_boards) termination = "boards";
    }
    return Json::object({{"winner", drawn ? Json(nullptr) : winner},
                         {"termination", termination},
                         {"sentence", result(drawn, winner, termination)}});
  }

  Json result(bool drawn, char winner, std::string_view termination) const {
    const auto [less, more] =
        std::minmax({std::popcount(picture_.won[0]), std::popcount(picture_.won[1])});
    if (drawn) {
      if (termination == "target") return phrase("drawn-target");
      if (termination == "boards") return phrase("drawn-count", Argument{"count", more});
      return phrase(game_.nested && !game_.rules.one_line ? "drawn-boards" : "drawn");
    }
    const Argument who{"winner", winner};
    if (termination == "boards")
      return phrase("won-count", who, Argument{"more", more}, Argument{"less", less});
    const Argument made{"lines", line_phrases()};
    if (game_.nested && !game_.rules.one_line) return phrase("won-boards", who, made);
    const char loser = winner == 'X' ? 'O' : 'X';
    if (game_.row.misere) return phrase("won-misere", who, Argument{"loser", loser}, made);
    return phrase("won-line", who, made);
  }

  // The completed lines; those of a 3x3 board by their numbers.
  std::vector<Json> line_phrases() const {
    std::vector<Json> said;
    const RowId& row = game_.row;
    const bool on_boards = game_.nested && game_.rules.one_line;
    if (game_.nested || (!game_.is_rack() && row.columns == 3 && row.rows == 3 && row.k == 3)) {
      std::set<std::pair<int, int>> found;
      for (const Cells& line : game_.nested && !on_boards ? won_board_lines() : won_lines())
        found.emplace(line[0] / 9, small_line(line[0] % 9, line[1] - line[0]));
      for (const auto& [board, line] : found) {
        const Argument number{"line", line};
        said.push_back(on_boards ? phrase("small-line-on", number, Argument{"board", board + 1})
                                 : phrase("small-line", number));
      }
      return said;
    }
    // Lines of one direction join to one long line.
    const std::vector<Cells> lines = won_lines();
    const auto way = [](const Cells& line) { return line[1 % line.size()] - line[0]; };
    for (auto first = lines.begin(); first != lines.end(); ++first) {
      const auto is_like = [&](const Cells& line) { return way(line) == way(*first); };
      if (std::find_if(lines.begin(), first, is_like) != first) continue;
      std::set<int> cells;
      for (const Cells& line : lines)
        if (is_like(line)) cells.insert(line.begin(), line.end());
      said.push_back(line_phrase({cells.begin(), cells.end()}));
    }
    return said;
  }

  // The number of a line by its first cell and step: rows, columns and diagonals, from 1.
  static int small_line(int first, int step) {
    return step == 1 ? first / 3 + 1 : step == 3 ? first + 4 : step == 4 ? 7 : 8;
  }

  Json line_phrase(const Cells& cells) const {
    if (game_.is_rack()) return rack_line_phrase(game_, cells);
    std::vector<std::string> names;
    for (const int cell : cells) names.push_back(game_.move_text(cell));
    return phrase("line", Argument{"cells", names});
  }

  Json situation() const {
    const Argument turn{"turn", picture_.turn}, last{"last", other()};
    const bool begins = picture_.cells.find_first_not_of('.') == std::string::npos;
    if (begins)
      return phrase(game_.is_rack()    ? "begin-drop"
                    : game_.row.misere ? "begin-misere"
                                       : "begin-row",
                    Argument{"k", game_.row.k}, turn);
    if (last_ < 0) return phrase("next", turn);
    if (game_.is_rack())
      return phrase("dropped", Argument{"column", last_ % game_.columns() + 1}, last, turn);
    if (game_.columns() == 3 && game_.rows() == 3)
      return phrase("played-place", Argument{"cell", last_ + 1}, last, turn);
    return phrase("played", Argument{"cell", game_.move_text(last_)}, last, turn);
  }

  Json nested_situation() const {
    const Argument turn{"turn", picture_.turn}, last{"last", other()};
    const Argument cell{"cell", picture_.target + 1};
    if (picture_.target < 0) return phrase("begin", turn);
    if (picture_.forced >= 0) return phrase("sent", cell, last, turn);
    return phrase(is_won(picture_.target) ? "sent-won" : "sent-full", cell,
                  Argument{"open", open_boards(1)}, last, turn);
  }

  // Whether a board is closed since it is won.
  bool is_won(int board) const {
    return game_.rules.won_closed && (picture_.won[0] | picture_.won[1]) >> board & 1;
  }

  Json row_refusal(std::string_view text) const {
    const bool falls = game_.is_rack();
    const Argument said{"text", text}, first{"first", game_.move_text(0)};
    const Argument last{"last", game_.move_text(game_.moves() - 1)};
    for (int move = 0; move < game_.moves(); ++move) {
      if (game_.move_text(move) != text) continue;
      const Argument cell{"cell", text};
      if (!falls && picture_.moves.size() > max_listed) return phrase("taken", cell);
      std::vector<std::string> free;
      for (const int other : picture_.moves) free.push_back(game_.move_text(other));
      return phrase(falls ? "full" : "taken-few", cell, Argument{"free", free});
    }
    std::string_view digits = text;
    if (digits[0] >= 'a' && digits[0] <= 'z') digits.remove_prefix(1);
    if (!digits.empty() && digits[0] == '-') digits.remove_prefix(1);
    if (is_digits(digits)) return phrase(falls ? "no-column" : "no-cell", said, first, last);
    return phrase(falls ? "no-drop" : "no-move", said, first, last);
  }

  Json nested_refusal(std::string_view text) const {
    const Argument said{"text", text};
    if (text.size() == 1 && is_digits(text) && picture_.forced < 0)
      return phrase("which-board-of", said);
    if (!is_digits(text[0] == '-' ? text.substr(1) : text)) return phrase("no-nested-move", said);
    if (text.size() != 2 || text[0] < '1' || text[1] < '1') return phrase("no-board", said);
    const int board = text[0] - '1', cell = text[1] - '1';
    if (picture_.forced >= 0 && board != picture_.forced)
      return phrase("other-board", Argument{"forced", picture_.forced + 1},
                    Argument{"last", other()});
    const Argument where{"board", board + 1}, open{"open", open_boards(1)};
    if (picture_.closed >> board & 1) {
      if (!is_won(board)) return phrase("full-board", where, open);
      return phrase("won-board", Argument{"owner", owners()[board]}, where, open);
    }
    std::vector<int> free;
    for (int other = 0; other < 9; ++other)
      if (picture_.cells[9 * board + other] == '.') free.push_back(other + 1);
    return phrase("taken-there", Argument{"cell", cell + 1}, where, Argument{"free", free});
  }

  const GameId& game_;
  const Picture& picture_;
  int ply_, last_;
};

// The facts of the position after some moves, texts between spaces, from a start: a rules id or a
// position string. `is_fact` is false if a text is refused; the answer is the reason then.
inline Json position_facts(std::string_view start, std::string_view moves, bool& is_fact) {
  is_fact = false;
  const auto rules = start.substr(0, start.find('~'));
  GameId game;
  if (const Phrase reason = read_rules(start, game)) return *reason;
  std::string text(start);
  if (rules.size() < start.size()) {
    if (const Phrase reason = check_position(game, start)) return *reason;
    text = game.id + text.substr(rules.size());
  } else {
    Picture empty;
    empty.cells.assign(game.cells(), '.');
    text = Facts(game, empty, 0, -1).position();
  }
  Json result = nullptr;
  visit_position(text, [&](auto position) {
    int ply = 0, last = -1;
    for (const auto word : split(moves, ' ')) {
      const Picture picture = whole_picture_of(position);
      const Facts facts(game, picture, ply, last);
      if (word.empty()) continue;
      const int move = facts.find(word);
      if (move < 0) {
        result =
            phrase("move", Argument{"number", ply + 1}, Argument{"reason", facts.refusal(word)});
        return;
      }
      last = facts.cell_of(move);
      ++ply;
      position.play(move);
    }
    is_fact = true;
    const Picture picture = whole_picture_of(position);
    result = Facts(game, picture, ply, last).json();
  });
  return result;
}

}  // namespace noughts
