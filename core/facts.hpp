// Positions as JSON, for scripts that show them without knowing the rules.
//
//     start, moves ──position_facts()──► {"turn": "X", "board": {...}, "moves": {"51": 36}, ...}
//
// The fields are those of `PositionView` in noughts/web/models.py, without its sentences.
#pragma once

#include <string>
#include <string_view>
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

  std::string json() const {
    std::string board = joined({R"({"kind":")",
                                game_.nested      ? "nested"
                                : game_.is_rack() ? "rack"
                                                  : "grid",
                                R"(","text":"","columns":)", game_.columns(), R"(,"rows":)",
                                game_.rows(), R"(,"cells":")", picture_.cells, R"(","names":[)"});
    for (int move = 0; move < game_.moves(); ++move)
      board += joined({move ? ",\"" : "\"", game_.move_text(move), '"'});
    board += joined({R"(],"owners":)", game_.nested ? joined({'"', owners(), '"'}) : "null",
                     R"(,"plays_on":)", game_.nested && !game_.rules.won_closed ? "true" : "false",
                     R"(,"lines":)", lines(), R"(,"board_lines":)", board_lines(), '}'});
    std::string open, moves;
    for (int board = 0; game_.nested && board < 9; ++board)
      if (std::any_of(picture_.moves.begin(), picture_.moves.end(),
                      [&](int move) { return move / 9 == board; }))
        open += joined({open.empty() ? "" : ",", board});
    for (const int move : picture_.moves)
      moves += joined({moves.empty() ? "\"" : ",\"", game_.move_text(move), "\":", cell_of(move)});
    return joined({R"({"turn":")",
                   picture_.turn,
                   R"(","board":)",
                   board,
                   R"(,"open":[)",
                   open,
                   R"(],"forced":)",
                   or_null(picture_.forced),
                   R"(,"named":)",
                   or_null(picture_.target),
                   R"(,"last":)",
                   or_null(last_),
                   R"(,"position":")",
                   position(),
                   R"(","rules":")",
                   game_.id,
                   R"(","ply":)",
                   ply_,
                   R"(,"moves":{)",
                   moves,
                   R"(},"outcome":)",
                   outcome(),
                   '}'});
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

  // Why no legal move has a text.
  std::string refusal(std::string_view text) const {
    if (picture_.outcome != Outcome::going_on) return "the game is over";
    return game_.nested ? nested_refusal(text) : row_refusal(text);
  }

 private:
  static constexpr int most_listed = 12;

  static std::string or_null(int number) { return number < 0 ? "null" : std::to_string(number); }

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

  static void add_line(std::string& list, int first, int last) {
    list += joined({list.empty() ? "[" : ",[", first, ',', last, ']'});
  }

  // The first and last cells of the winning lines.
  std::string lines() const {
    std::string list;
    if (!game_.nested) {
      const int k = game_.row.k;
      for (const Line& line : lines_of(game_.row))
        if (const char mark = picture_.cells[line.first];
            mark != '.' && is_full_of(picture_.cells, line, k, mark))
          add_line(list, line.first, line.first + (k - 1) * line.step);
    } else if (game_.rules.one_line) {
      for (int board = 0; board < 9; ++board)
        for (int player : {0, 1})
          if (picture_.won[player] >> board & 1)
            for (const Line& line : lines_of(RowId{}))
              if (is_full_of(picture_.cells.substr(9 * board, 9), line, 3, "XO"[player]))
                add_line(list, 9 * board + line.first, 9 * board + line.first + 2 * line.step);
    }
    return '[' + list + ']';
  }

  std::string board_lines() const {
    std::string list;
    if (game_.nested && !game_.rules.one_line)
      for (const Line& line : lines_of(RowId{}))
        for (const char player : {'X', 'O'})
          if (is_full_of(owners(), line, 3, player))
            add_line(list, line.first, line.first + 2 * line.step);
    return '[' + list + ']';
  }

  std::string outcome() const {
    if (picture_.outcome == Outcome::going_on) return "null";
    const char* winner = picture_.outcome == Outcome::draw     ? "null"
                         : picture_.outcome == Outcome::x_wins ? "\"X\""
                                                               : "\"O\"";
    const char* termination = "full";
    if (game_.nested) {
      const auto won = [&](unsigned boards) {
        return game_.rules.one_line ? boards != 0 : has_line_3x3[boards];
      };
      if (won(picture_.won[0]) || won(picture_.won[1])) termination = "line";
      else if (picture_.closed != board_mask) termination = "target";
      else if (game_.rules.count_boards) termination = "boards";
    } else if (picture_.outcome != Outcome::draw) {
      termination = "line";
    }
    return joined({R"({"winner":)", winner, R"(,"termination":")", termination, R"("})"});
  }

  std::string row_refusal(std::string_view text) const {
    const bool rack = game_.is_rack();
    const char* place = rack ? "column" : "cell";
    for (int move = 0; move < game_.moves(); ++move) {
      if (game_.move_text(move) != text) continue;
      std::string free;
      for (const int other : picture_.moves) free += joined({' ', game_.move_text(other)});
      const std::string said = joined({place, ' ', text, rack ? " is full" : " is taken"});
      if (picture_.moves.size() > most_listed) return said;
      return joined({said, ". Free ", place, "s:", free});
    }
    const std::string known = joined({"ype a ", place, " from ", game_.move_text(0), " to ",
                                      game_.move_text(game_.moves() - 1)});
    if (text.empty()) return 't' + known;
    std::string_view digits = text;
    if (digits[0] >= 'a' && digits[0] <= 'z') digits.remove_prefix(1);
    if (!digits.empty() && digits[0] == '-') digits.remove_prefix(1);
    if (is_digits(digits)) return joined({"there is no ", place, ' ', text, ". T", known});
    return joined({'"', text, "\" is not a move. T", known});
  }

  std::string nested_refusal(std::string_view text) const {
    if (text.empty()) return "type a board and a cell, such as 51";
    if (text.size() == 1 && is_digits(text) && picture_.forced < 0)
      return joined({"which board? Type a board and a cell, such as 5", text});
    if (!is_digits(text[0] == '-' ? text.substr(1) : text))
      return joined({'"', text, "\" is not a move. Type a board and a cell, such as 51"});
    if (text.size() != 2 || text[0] < '1' || text[1] < '1')
      return joined({"there is no cell ", text, ". Boards and cells have the numbers 1 to 9"});
    const int board = text[0] - '1', cell = text[1] - '1';
    if (picture_.forced >= 0 && board != picture_.forced)
      return joined({"play on board ", picture_.forced + 1, ": the last move sent you there"});
    if (picture_.closed >> board & 1) {
      const char owner = owners()[board];
      if (game_.rules.won_closed && (owner == 'X' || owner == 'O'))
        return joined({owner, " has won board ", board + 1});
      return joined({"board ", board + 1, " is full"});
    }
    std::string free;
    for (int other = 0; other < 9; ++other)
      if (picture_.cells[9 * board + other] == '.') free += joined({' ', other + 1});
    return joined(
        {"cell ", cell + 1, " of board ", board + 1, " is taken. Free cells there:", free});
  }

  const GameId& game_;
  const Picture& picture_;
  int ply_, last_;
};

// The facts of the position after some moves, texts between spaces, from a start: a rules id or a
// position string. `is_fact` is false if a text is refused; the answer is the sentence then.
inline std::string position_facts(std::string_view start, std::string_view moves, bool& is_fact) {
  is_fact = false;
  const auto rules = start.substr(0, start.find('~'));
  GameId game;
  if (std::string reason = read_rules(start, game); !reason.empty()) return sentence(reason);
  std::string text(start);
  if (rules.size() < start.size()) {
    if (std::string reason = check_position(game, start); !reason.empty()) return sentence(reason);
    text = game.id + text.substr(rules.size());
  } else {
    Picture empty;
    empty.cells.assign(game.cells(), '.');
    text = Facts(game, empty, 0, -1).position();
  }
  std::string result;
  visit_position(text, [&](auto position) {
    int ply = 0, last = -1;
    for (const auto word : split(moves, ' ')) {
      const Picture picture = whole_picture_of(position);
      const Facts facts(game, picture, ply, last);
      if (word.empty()) continue;
      const int move = facts.find(word);
      if (move < 0) {
        result = sentence(joined({"move ", ply + 1, ": ", facts.refusal(word)}));
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
