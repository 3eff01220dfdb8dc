// Parsers of rules ids and position strings. Python has checked the texts; a text that is malformed
// all the same is refused.
//
//     RULES~CELLS~SIDE                     row games
//     RULES~CELLS~SIDE~TARGET[~OWNERS]     nine-board games
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "nested.hpp"
#include "row.hpp"

namespace noughts {

inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

inline std::optional<int> number(std::string_view text) {
  if (text.empty() || text.size() > 2) return std::nullopt;
  int value = 0;
  for (char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    value = 10 * value + digit - '0';
  }
  return value;
}

// Call `mark(row, column, player)` for each mark of a CELLS field; return whether it is valid.
template <class Mark>
bool parse_cells(std::string_view text, int columns, int rows, Mark mark) {
  const auto parts = split(text, '.');
  if (static_cast<int>(parts.size()) != rows) return false;
  for (int row = 0; row < rows; ++row) {
    int column = 0, run = 0;
    for (char c : parts[row]) {
      if (c >= '0' && c <= '9') {
        run = 10 * run + c - '0';
        if (run > columns) return false;
      } else if ((c == 'X' || c == 'O') && column + run < columns) {
        column += run;
        run = 0;
        mark(row, column++, c == 'O');
      } else {
        return false;
      }
    }
    if (column + run != columns) return false;
  }
  return true;
}

inline std::optional<RowId> parse_row_id(std::string_view id) {
  const auto colon = id.find(':');
  const auto name = id.substr(0, colon);
  RowId result;
  if (name == "connect4") result = {7, 6, 4, true, false};
  else if (name != "basic" && name != "mnk") return std::nullopt;
  int given = 0;
  int* const sizes[] = {&result.columns, &result.rows, &result.k};
  if (colon != std::string_view::npos)
    for (auto word : split(id.substr(colon + 1), ',')) {
      const auto size = number(word);
      if (size && given < 3) *sizes[given++] = *size;
      else if (word == "misere") result.misere = true;
      else if (word == "exact") result.exact = true;
      else return std::nullopt;
    }
  const auto fits = [](int size) { return size >= 1 && size <= max_side; };
  const bool all_fit = fits(result.columns) && fits(result.rows) && fits(result.k);
  return all_fit ? std::optional(result) : std::nullopt;
}

inline std::optional<NestedRules> parse_nested_id(std::string_view id) {
  const auto colon = id.find(':');
  const auto name = id.substr(0, colon);
  if (name != "advanced" && name != "ultimate") return std::nullopt;
  NestedRules rules{name == "advanced", true, true, false};
  if (colon != std::string_view::npos)
    for (auto word : split(id.substr(colon + 1), ',')) {
      if (word == "full=draw") rules.free_choice = false;
      else if (word == "won=open") rules.won_closed = false;
      else if (word == "tie=boards") rules.count_boards = true;
      else return std::nullopt;
    }
  return rules;
}

template <class Bits>
std::optional<RowPosition<Bits>> parse_row(const RowRules<Bits>& rules,
                                           const std::vector<std::string_view>& fields) {
  if (fields.size() != 3) return std::nullopt;
  RowPosition<Bits> position(rules);
  const auto mark = [&](int row, int column, int player) {
    position.marks[player] |= bit<Bits>(rules.bit_of(row * rules.columns + column));
    ++position.ply;
  };
  if (!parse_cells(fields[1], rules.columns, rules.rows, mark)) return std::nullopt;
  position.outcome = position.result();
  return position;
}

inline std::optional<NestedPosition> parse_nested(const NestedRules& rules,
                                                  const std::vector<std::string_view>& fields) {
  if (fields.size() != (rules.won_closed ? 4u : 5u) || fields[3].size() != 1) return std::nullopt;
  if (!rules.won_closed && fields[4].size() != 9) return std::nullopt;
  NestedPosition position(rules);
  const auto mark = [&](int board, int cell, int player) {
    position.boards[player][board] |= 1u << cell;
    ++position.ply;
  };
  if (!parse_cells(fields[1], 9, 9, mark)) return std::nullopt;
  const char target = fields[3][0];
  if (target >= '1' && target <= '9') position.target = target - '1';
  else if (target != '-') return std::nullopt;
  for (int board = 0; board < 9; ++board)
    for (int player = 0; player < 2; ++player) {
      const bool owns = rules.won_closed ? has_line_3x3[position.boards[player][board]]
                                         : fields[4][board] == "XO"[player];
      if (owns) position.won[player] |= 1u << board;
    }
  position.settle();
  return position;
}

// Parse a position string and call `visit(position)` with a position of the right type; return
// whether the string is valid.
template <class Visit>
bool visit_position(std::string_view text, Visit&& visit) {
  const auto fields = split(text, '~');
  if (const auto rules = parse_nested_id(fields[0])) {
    const auto position = parse_nested(*rules, fields);
    if (position) visit(*position);
    return position.has_value();
  }
  const auto id = parse_row_id(fields[0]);
  if (!id) return false;
  const auto visit_row = [&]<class Bits>(const RowRules<Bits>& rules) {
    const auto position = parse_row(rules, fields);
    if (position) visit(*position);
    return position.has_value();
  };
  if (id->bits() <= 64) return visit_row(RowRules<Bits64>(*id));
  if (id->bits() <= 128) return visit_row(RowRules<Bits128>(*id));
  return visit_row(RowRules<Wide>(*id));
}

}  // namespace noughts
