// Tests of the core, for the sanitizers: exit status 0 if all pass.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "book_labels.hpp"
#include "checking.hpp"
#include "count.hpp"
#include "engine.hpp"
#include "hint.hpp"
#include "notation.hpp"
#include "strategy.hpp"
#include "strategy_search.hpp"

using namespace noughts;

namespace {

int sign(int score) { return (score > 0) - (score < 0); }

// A random number below `size`; changes the seed.
int random_below(std::uint64_t& seed, int size) {
  return static_cast<int>((seed = mixed(seed)) % static_cast<std::uint64_t>(size));
}

std::uint64_t perft_of(const std::string& text, int depth) {
  std::uint64_t nodes = 0;
  CHECK(visit_position(text, [&](const auto& position) { nodes = perft(position, depth); }));
  return nodes;
}

const std::string empty_nested = "9.9.9.9.9.9.9.9.9";

void test_perft() {
  CHECK(perft_of("basic~3.3.3~X", 9) == 127872);
  CHECK(perft_of("connect4~7.7.7.7.7.7~X", 7) == 823536);
  CHECK(perft_of("connect4:9,9~9.9.9.9.9.9.9.9.9~X", 4) == 6561);
  CHECK(perft_of("ultimate~" + empty_nested + "~X~-", 5) == 473256);
  CHECK(perft_of("ultimate:won=open~" + empty_nested + "~X~-~---------", 5) == 473256);
  CHECK(perft_of("advanced:full=draw~" + empty_nested + "~X~-", 5) == 473256);
}

// The start of every row game that uses all bits of a width, with short, long and longest lines.
std::vector<std::string> full_width_starts() {
  std::vector<std::string> starts;
  for (const auto& [columns, rows] : {std::pair{16, 3}, {8, 7}, {4, 15}, {16, 7}, {8, 15}}) {
    const std::string columns_text = std::to_string(columns);
    std::string cells = "~" + columns_text;
    for (int row = 1; row < rows; ++row) cells += "." + columns_text;
    for (int k : {1, 3, 4, std::min(columns, rows), std::max(columns, rows), 20})
      for (const auto& [name, form] :
           {std::pair{"mnk:", ""}, {"mnk:", ",misere"}, {"mnk:", ",exact"}, {"connect4:", ""}})
        starts.push_back(name + columns_text + "," + std::to_string(rows) + "," +
                         std::to_string(k) + form + cells + "~X");
  }
  return starts;
}

// Random games to the end, over all games and bit widths.
void test_random_games() {
  const auto empty_rows = [](int side) {
    std::string rows = std::to_string(side);
    for (int row = 1; row < side; ++row) rows += "." + std::to_string(side);
    return rows;
  };
  std::vector<std::string> starts = {
      "basic~3.3.3~X",
      "mnk:3,3,3,misere~3.3.3~X",
      "mnk:9,9,5~" + empty_nested + "~X",
      "mnk:19,19,5~" + empty_rows(19) + "~X",
      "mnk:20,20,5~" + empty_rows(20) + "~X",
      "mnk:20,20,3,exact,misere~" + empty_rows(20) + "~X",
      "connect4~7.7.7.7.7.7~X",
      "connect4:9,9~" + empty_nested + "~X",
      "advanced~" + empty_nested + "~X~-",
      "ultimate:tie=boards,won=open~" + empty_nested + "~X~-~---------",
  };
  const auto widest = full_width_starts();
  starts.insert(starts.end(), widest.begin(), widest.end());
  std::uint64_t seed = 1;
  for (const auto& start : starts)
    for (int game = 0; game < 100; ++game)
      CHECK(visit_position(start, [&](auto position) {
        MoveList list;
        for (position.moves(list); list.size; position.moves(list)) {
          CHECK(list.size == position.count_moves());
          seed = mixed(seed);
          position.play(list.move[seed % list.size]);
        }
        CHECK(position.outcome != Outcome::going_on);
      }));
}

// Keys restore every position, and a symmetry of a key is the key of the game turned alike.
void test_keys() {
  for (const std::string start :
       {"basic~3.3.3~X", "mnk:4,3,3~4.4.4~X", "mnk:9,9,5~9.9.9.9.9.9.9.9.9~X",
        "mnk:16,16,5~16.16.16.16.16.16.16.16.16.16.16.16.16.16.16.16~X", "connect4~7.7.7.7.7.7~X",
        "connect4:9,9~9.9.9.9.9.9.9.9.9~X", "advanced:full=draw~9.9.9.9.9.9.9.9.9~X~-",
        "ultimate~9.9.9.9.9.9.9.9.9~X~-",
        "ultimate:tie=boards,won=open~9.9.9.9.9.9.9.9.9~X~-~---------"})
    CHECK(visit_position(start, [](const auto& first) {
      const auto keys = keys_of(first);
      const auto symmetries = keys.symmetries();
      CHECK(!symmetries.empty());
      std::uint64_t seed = 7;
      for (int game = 0; game < 20; ++game) {
        auto position = first;
        std::vector turned(symmetries.size(), first);
        MoveList list;
        for (position.moves(list); list.size; position.moves(list)) {
          seed = mixed(seed);
          const auto before = keys.key(position);
          position.play(list.move[seed % list.size]);
          const auto key = keys.key(position);
          const auto restored = keys.position(key, position.ply);
          CHECK(restored.hash() == position.hash());
          CHECK(restored.outcome == position.outcome);
          CHECK(restored.count_moves() == position.count_moves());
          CHECK(!(key == before));
          for (std::size_t i = 0; i < symmetries.size(); ++i) {
            const decltype(key) image{symmetries[i](key.x), symmetries[i](key.o)};
            bool found = false;
            MoveList replies;
            turned[i].moves(replies);
            for (int move : replies) {
              auto after = turned[i];
              after.play(move);
              if (keys.key(after) == image) {
                found = true;
                turned[i] = after;
                break;
              }
            }
            CHECK(found);
            CHECK(turned[i].outcome == position.outcome);
          }
        }
      }
    }));
}

// The position with other marks on its closed boards, of the same owners and for the same side to
// move. A board with a line of its owner has none of the other side.
NestedPosition refilled(NestedPosition position, std::uint64_t& seed) {
  const int turn = position.turn();
  do {
    int marks = 0;
    for (int board = 0; board < 9; ++board) {
      auto &x = position.boards[0][board], &o = position.boards[1][board];
      const bool of_x = position.won[0] >> board & 1, of_o = position.won[1] >> board & 1;
      while (position.closed >> board & 1) {
        seed = mixed(seed);
        x = seed & board_mask;
        o = (position.rules.won_closed && (of_x || of_o) ? seed >> 9 : ~0u) & board_mask & ~x;
        if (has_line_3x3[x] == of_x && has_line_3x3[o] == of_o) break;
      }
      marks += std::popcount(position.occupied(board));
    }
    position.ply = static_cast<std::uint8_t>(marks);
  } while (position.turn() != turn);
  return position;
}

// The score of a search of all moves, with a distance from the position.
template <class Evaluation>
int searched(const NestedPosition& position, int depth) {
  AlphaBeta<NestedPosition, Evaluation> search(1, 1);
  const std::atomic<bool> stop{false};
  Limit limit;
  limit.depth = depth;
  Control control(limit, stop);
  const int score = search.analyse(position, control, {}).score;
  return is_win(score) ? score + position.ply : is_loss(score) ? score - position.ply : score;
}

// The value of minimax to a depth, without a table, with a distance from the position.
template <class Evaluation>
int minimax(const Node<NestedPosition>& place, int depth) {
  const NestedPosition& position = place.position;
  if (position.outcome != Outcome::going_on) {
    const int score = final_score(position, position.turn());
    return is_win(score) ? win : is_loss(score) ? -win : 0;
  }
  const auto outlook = place.outlook();
  if (depth == 0 && outlook.moves) {
    const Evaluation evaluation;
    return evaluation.estimate(place, evaluation.start(place));
  }
  int best = outlook.score;
  if (is_win(best)) best += position.ply;
  if (is_loss(best) && best > -infinite) best -= position.ply;
  for (auto moves = outlook.moves; moves; moves &= moves - 1) {
    Node<NestedPosition> after = place;
    after.play(lowest(moves));
    const int score = -minimax<Evaluation>(after, depth - 1);
    best = std::max(best, is_win(score) ? score - 1 : is_loss(score) ? score + 1 : score);
  }
  return best;
}

// Nested positions have the same key exactly if they differ only in the marks on closed boards, and
// then they have the same moves, estimates and values.
template <class Evaluation>
void check_keys_of_closed_boards(const char* id) {
  std::map<std::uint64_t, std::vector<int>> facts_of;
  std::uint64_t seed = 5;
  int refills = 0;
  for (int game = 0; game < 60; ++game) {
    NestedPosition position(*parse_nested_id(id));
    MoveList list;
    for (position.moves(list); list.size; position.moves(list)) {
      std::vector<int> facts = {position.turn(), position.is_forced() ? position.target : -1};
      for (int board = 0; board < 9; ++board) {
        const bool closed = position.closed >> board & 1;
        facts.push_back(closed ? -1 : position.boards[0][board] << 9 | position.boards[1][board]);
        for (int player : {0, 1}) facts.push_back(position.won[player] >> board & 1);
      }
      CHECK(facts_of.emplace(position.hash(), facts).first->second == facts);
      NestedPosition turned = position;
      ++turned.ply;
      CHECK(turned.hash() != position.hash());
      if (position.closed) {
        ++refills;
        const NestedPosition other = refilled(position, seed);
        CHECK(other.hash() == position.hash());
        MoveList others;
        other.moves(others);
        CHECK(std::equal(list.begin(), list.end(), others.begin(), others.end()));
        const Node<NestedPosition> place(position), its_place(other);
        Evaluation evaluation;
        CHECK(evaluation.estimate(place, evaluation.start(place)) ==
              evaluation.estimate(its_place, evaluation.start(its_place)));
        if (game < 6) {
          const int depth = place.plies_left() < 9 ? 9 : 3;
          const int score = searched<Evaluation>(position, depth);
          CHECK(searched<Evaluation>(other, depth) == score);
          if (place.plies_left() < 26)
            CHECK(searched<Evaluation>(position, 5) == minimax<Evaluation>(place, 5));
        }
      }
      seed = mixed(seed);
      position.play(list.move[seed % list.size]);
    }
  }
  CHECK(refills > 100);
}

void test_keys_of_closed_boards() {
  for (const char* id :
       {"ultimate", "ultimate:tie=boards", "ultimate:won=open", "ultimate:tie=boards,won=open"})
    check_keys_of_closed_boards<ChancesEvaluation>(id);
  check_keys_of_closed_boards<ReportEvaluation>("ultimate");
}

// Whether a side can force a win within some plies, without a table.
bool can_force(const NestedPosition& position, int attacker, int plies) {
  if (position.outcome != Outcome::going_on)
    return position.outcome == (attacker == 0 ? Outcome::x_wins : Outcome::o_wins);
  if (plies == 0) return false;
  MoveList list;
  position.moves(list);
  const bool attacks = position.turn() == attacker;
  for (int move : list) {
    NestedPosition after = position;
    after.play(move);
    if (can_force(after, attacker, plies - 1) == attacks) return attacks;
  }
  return !attacks;
}

// Proofs within a depth, although positions of different plies have the same hash.
void test_proofs_within_a_depth() {
  std::uint64_t seed = 3;
  int proven = 0, checked = 0;
  for (int game = 0; game < 400; ++game) {
    NestedPosition position(*parse_nested_id("ultimate"));
    MoveList list;
    const int plies = 38 + game % 14;
    for (position.moves(list); list.size && position.ply < plies; position.moves(list)) {
      seed = mixed(seed);
      position.play(list.move[seed % list.size]);
    }
    if (position.outcome != Outcome::going_on) continue;
    for (int depth = 4; depth <= 6; ++depth)
      for (int attacker : {0, 1}) {
        const std::atomic<bool> stop{false};
        Limit limit;
        limit.depth = depth;
        Control control(limit, stop);
        ProofSearch<NestedPosition> proofs(0.2);
        proofs.prove(position, attacker, control);
        CHECK(proofs.numbers().is_decided());
        const bool wins = (proofs.numbers().proof == 0) == (position.turn() == attacker);
        CHECK(wins == can_force(position, attacker, depth));
        proven += wins;
        ++checked;
      }
  }
  CHECK(proven > 50 && checked - proven > 50);
}

// A chance of 0 means that no line without a mark of the other side is left.
void test_chances_of_lost_boards() {
  int lost = 0, kept = 0;
  for (unsigned x = 0; x < 512; ++x)
    for (unsigned o = 0; o < 512; ++o) {
      if (x & o || has_line_3x3[x] || has_line_3x3[o]) continue;
      bool can_win = false;
      for (unsigned line : lines_3x3) can_win |= !(line & o);
      CHECK((board_chances[board_number(x, o)][0] > 0) == can_win);
      CHECK((board_chances[board_number(o, x)][1] > 0) == can_win);
      ++(can_win ? kept : lost);
    }
  CHECK(lost > 500 && kept > 5000);
}

// The answers that a proof knows without a search are right, within a depth too, and each move left
// out lets the other side win at once.
void test_answers_known_at_once() {
  std::uint64_t seed = 11;
  const auto next = [&] { return seed = mixed(seed); };
  const int whole = ProofPlace<NestedPosition>::last_ply;
  for (const char* id : {"ultimate", "ultimate:tie=boards", "ultimate:won=open",
                         "ultimate:tie=boards,won=open", "advanced", "advanced:full=draw"}) {
    const NestedRules rules = *parse_nested_id(id);
    int by_depth[2] = {}, at_end[2] = {}, impossible = 0, decided_early = 0, left_out = 0;
    for (int game = 0; game < 4'000; ++game) {
      std::vector<NestedPosition> played{NestedPosition(rules)};
      MoveList list;
      for (played.back().moves(list); list.size; played.back().moves(list)) {
        NestedPosition after = played.back();
        after.play(list.move[next() % list.size]);
        if (after.outcome != Outcome::going_on && next() % 4 > 0) {  // a longer game
          after = played.back();
          after.play(list.move[next() % list.size]);
        }
        played.push_back(after);
      }
      const std::size_t back = 2 + next() % 6;
      const NestedPosition position = played[played.size() - std::min(back, played.size())];
      if (position.outcome != Outcome::going_on) continue;
      const ProofPlace<NestedPosition> place(position);
      const bool is_late = Node<NestedPosition>(position).plies_left() <= 11;
      for (int attacker : {0, 1}) {
        const bool attacks = position.turn() == attacker;
        for (int depth : {0, 1, 2, 3, whole}) {
          if (depth == whole && !is_late) continue;
          const ProofGoal goal{attacker, depth == whole ? whole : position.ply + depth};
          place.moves(goal, list);
          const std::size_t searched = list.size;
          CHECK(searched > 0);
          MoveList every;
          position.moves(every);
          for (int move : every) {
            if (std::find(list.begin(), list.end(), move) != list.end()) continue;
            NestedPosition after = position;
            after.play(move);
            CHECK(after.outcome == Outcome::going_on && can_win(after));
            CHECK(attacks || depth >= 2);
            ++left_out;
          }
          const ProofNumbers numbers = place.at_first(goal);
          if (!numbers.is_decided()) continue;
          const bool wins = (numbers.proof == 0) == attacks;
          CHECK(wins == can_force(position, attacker, depth));
          ++(depth == whole ? at_end : by_depth)[wins];
        }
        if (!is_late) continue;
        const bool can = place.can_win(attacker), must = place.has_won(attacker);
        CHECK(!(can == false && can_force(position, attacker, whole)));
        CHECK(!(must && !can_force(position, attacker, whole)));
        impossible += !can;
        decided_early += must;
      }
    }
    CHECK(by_depth[0] > 1'000 && by_depth[1] > 1'000 && left_out > 1'000);
    if (rules.one_line) continue;  // a random game always ends with a line
    CHECK(at_end[0] > 500 && at_end[1] > 500 && impossible > 500);
    CHECK(rules.count_boards ? decided_early > 200 : decided_early == 0);
  }
}

void test_counts() {
  const auto count = [](const std::string& text, int plies, std::uint64_t bytes, Tally& sum) {
    CountEnd end{};
    const std::atomic<bool> stop{false};
    Control control({}, stop);
    CHECK(visit_position(text, [&](const auto& start) {
      end = count_positions(start, plies, bytes, control, [&](const Layer& layer) {
        for (const auto& tally : layer) {
          sum.classes += tally.classes;
          sum.positions += tally.positions;
          sum.sequences = sum.sequences + tally.sequences;
        }
      });
    }));
    return end;
  };
  Tally sum;
  CHECK(count("basic~3.3.3~X", 99, 1 << 20, sum) == CountEnd::complete);
  CHECK(sum.classes == 765 && sum.positions == 5478 && sum.sequences == Words<2>(549946));
  sum = {};
  CHECK(count("ultimate~" + empty_nested + "~X~-", 4, 1 << 24, sum) == CountEnd::plies);
  CHECK(sum.sequences == Words<2>(1 + 81 + 720 + 6336 + 55080));
  CHECK(count("connect4~7.7.7.7.7.7~X", 99, 1 << 20, sum) == CountEnd::memory);
}

void test_invalid_position_strings() {
  for (const char* text :
       {"", "~", "~~~", "basic", "basic~3.3~X", "basic~4.3.3~X", "basic~Z2.3.3~X", "mnk:0,3,3~3~X",
        "mnk:99,1,1~9~X", "mnk:3,3,3,~3.3.3~X", "connect4:1~7~X", "ultimate~9~X~-",
        "ultimate~9.9.9.9.9.9.9.9.9~X~0", "ultimate:won=open~9.9.9.9.9.9.9.9.9~X~-~--",
        "basic~99999999999.3.3~X", "basic~3.3.3~X~1~2"})
    if (visit_position(text, [](const auto&) {})) {
      std::fprintf(stderr, "accepted as a position: %s\n", text);
      std::exit(1);
    }
}

// A search ends at its limit of time, whatever its speed, and reads the clock rarely.
void test_clock() {
  static double now, of_node;
  static std::uint64_t readings;
  const std::atomic<bool> stop{false};
  for (const double seconds : {0.01, 0.1, 1.0})
    for (const double node : {1e-7, 1e-6, 1e-5, 1e-4}) {
      now = 5, of_node = node, readings = 0;
      Limit limit;
      limit.seconds = seconds;
      Control control(limit, stop, {}, [] { return ++readings, now; });
      std::uint64_t nodes = 0;
      do {
        // It slows down by half at half time.
        now += now < 5 + seconds / 2 ? of_node : 2 * of_node;
      } while (!control.must_stop(++nodes));
      CHECK(now - 5 >= seconds - 1e-9);
      CHECK(now - 5 <= seconds + std::max(4 * of_node, 1e-6));
      CHECK(readings <= nodes / 1024 + 100);
    }
  // A count that begins anew, and none at all, are no reason to miss the end.
  now = 0;
  Limit limit;
  limit.seconds = 1;
  Control control(limit, stop, {}, [] { return now; });
  for (std::uint64_t nodes = 1; nodes < 100'000; ++nodes) CHECK(!control.must_stop(nodes));
  CHECK(!control.must_stop(0));
  now = 1;
  CHECK(control.must_stop(1));
}

Finding search(Engine& engine, const std::string& text, Method method, const Limit& limit,
               const std::atomic<bool>& stop) {
  Control control(limit, stop);
  Finding found;
  CHECK(engine.search(text, method, control, [](const Finding&) {}, found));
  return found;
}

// Every search of every engine, for a few hundred nodes.
void test_searches() {
  std::vector<std::string> starts = full_width_starts();
  const std::string others[] = {
      "basic~3.3.3~X",
      "mnk:3,3,3,misere~3.3.3~X",
      "mnk:5,5,4~5.5.5.5.5~X",
      "mnk:9,9,5~" + empty_nested + "~X",
      "connect4~7.7.7.7.7.7~X",
      "connect4:9,9~" + empty_nested + "~X",
      "connect4:5,4,3~5.5.5.5~X",
      "advanced:full=draw~" + empty_nested + "~X~-",
      "ultimate:tie=boards~" + empty_nested + "~X~-",
      "ultimate:won=open~" + empty_nested + "~X~-~---------",
  };
  starts.insert(starts.end(), std::begin(others), std::end(others));
  const std::atomic<bool> stop{false};
  Limit limit;
  limit.nodes = 600;
  for (const auto& start : starts)
    for (int threads : {1, 3}) {
      const auto engine = make_engine(start.substr(0, start.find('~')),
                                      {.table_mib = 1, .threads = threads, .seed = 1});
      CHECK(engine != nullptr);
      for (Method method : {Method::alphabeta, Method::selective, Method::mcts, Method::solve,
                            Method::solve_weakly, Method::assisted}) {
        const Finding found = search(*engine, start, method, limit, stop);
        CHECK(found.nodes <= limit.nodes);
        CHECK(found.lower <= found.score && found.score <= found.upper);
        if (!found.pv.empty()) CHECK(found.pv.front() == found.move);
        if (method != Method::solve && method != Method::solve_weakly) CHECK(!found.pv.empty());
      }
      Control control(limit, stop);
      Scores scores;
      CHECK(engine->scores(start, Method::assisted, control, {}, scores));
      CHECK(!scores.empty());
    }
  CHECK(make_engine("checkers", {}) == nullptr);
}

// A search ends at its limit wherever that comes, and has a line then.
void test_limits_of_nodes() {
  const std::atomic<bool> stop{false};
  const std::string starts[] = {"basic~3.3.3~X", "mnk:5,5,4~5.5.5.5.5~X",
                                "ultimate~" + empty_nested + "~X~-"};
  for (const auto& start : starts) {
    const auto engine = make_engine(start.substr(0, start.find('~')), {.table_mib = 1, .seed = 1});
    for (Limit limit{.nodes = 2}; limit.nodes < 200; ++limit.nodes)
      for (Method method : {Method::alphabeta, Method::selective}) {
        engine->clear();
        const Finding found = search(*engine, start, method, limit, stop);
        CHECK(found.nodes <= limit.nodes);
        CHECK(!found.pv.empty() && found.pv.front() == found.move);
      }
  }
}

void test_exact_values() {
  const std::atomic<bool> stop{false};
  const auto value = [&](const std::string& text) {
    const auto engine = make_engine(text.substr(0, text.find('~')), {.table_mib = 4, .seed = 1});
    const Finding found = search(*engine, text, Method::solve, {}, stop);
    CHECK(found.exact);
    return found.score;
  };
  CHECK(value("basic~3.3.3~X") == 0);
  CHECK(value("basic~XX1.OO1.3~X") == win - 5);
  CHECK(value("connect4:4,4~4.4.4.4~X") == 0);
  CHECK(is_win(value("mnk:4,3,3~4.4.4~X")));
}

// The exact score of a position, by alpha-beta over the rules alone.
int plain_score(const RowPosition<Bits64>& position, int alpha, int beta) {
  if (position.outcome != Outcome::going_on) return final_score(position, position.turn());
  MoveList list;
  position.moves(list);
  for (const int move : list) {
    auto after = position;
    after.play(move);
    alpha = std::max(alpha, -plain_score(after, -beta, -alpha));
    if (alpha >= beta) break;
  }
  return alpha;
}

// The contract of the Connect Four search at every bound, against a search without follow-up and
// zugzwang; on boards of even and of odd height.
void test_bounds_of_connect4() {
  std::uint64_t seed = 1;
  int won = 0, drawn = 0, at_once = 0;
  const auto compare = [&]<int rows>(int columns, int empty) {
    const RowRules<Bits64> rules(RowId{columns, rows, 4, true});
    const Connect4Board board(rules);
    BoundTable table(columns * rules.stride, 1);
    const std::atomic<bool> stop{false};
    Control control({}, stop);
    for (int number = 0; number < 150;) {
      RowPosition<Bits64> position(rules);
      MoveList list;
      while (position.ply < rules.size() - empty && position.outcome == Outcome::going_on) {
        position.moves(list);
        seed = mixed(seed);
        position.play(list.move[seed % list.size]);
      }
      if (position.outcome != Outcome::going_on || can_win(position)) continue;
      Connect4Search<rows> search(board, table, nullptr, control);
      const Bits64 mine = position.marks[position.turn()], mask = position.occupied();
      const Bits64 threats = search.completing(mine ^ mask) & ~mask;
      const Bits64 forced = position.landings() & threats;
      const Bits64 replies = (forced ? forced : position.landings()) & ~(threats >> 1);
      if (!replies || (forced & (forced - 1))) continue;
      ++number;
      const int plain = plain_score(position, -infinite, infinite);
      int score = plain == 0 ? 0 : (rules.size() + 2 - (win - std::abs(plain))) / 2;
      if (plain < 0) score = -score;
      (plain ? won : drawn) += 1;
      for (int alpha = -empty / 2; alpha <= empty / 2; ++alpha) {
        table.clear();
        const std::uint64_t nodes = search.nodes;
        const int found = search.search({mine, mask, replies, threats, position.ply,
                                         board.canonical(mine + mask, position.ply)},
                                        alpha);
        CHECK(found > alpha ? score >= found : score <= found);
        at_once += search.nodes == nodes + 1;
      }
    }
  };
  compare.operator()<6>(7, 10);
  compare.operator()<5>(6, 10);
  compare.operator()<5>(5, 11);
  compare.operator()<4>(7, 11);
  compare.operator()<7>(5, 11);
  CHECK(won > 100 && drawn > 100 && at_once > 1000);
}

// Both solvers of games with gravity find the same values, and one in both widths.
void test_values_with_gravity() {
  std::uint64_t seed = 1;
  int values[3] = {};
  const std::atomic<bool> stop{false};
  Control control({}, stop);
  for (const auto& [columns, rows] : {std::pair{5, 4}, {5, 5}, {6, 5}, {7, 4}}) {
    const RowRules<Bits64> rules(RowId{columns, rows, 4, true});
    const RowRules<Bits128> wide_rules(RowId{columns, rows, 4, true});
    Connect4Solver expected(rules, 1, nullptr);
    GravitySolver<Bits64> solver(rules, 1);
    GravitySolver<Bits128> wide_solver(wide_rules, 1);
    for (int number = 0; number < 100;) {
      RowPosition<Bits64> position(rules);
      RowPosition<Bits128> wide(wide_rules);
      MoveList list;
      seed = mixed(seed);
      const int plies = rules.size() - 4 - static_cast<int>(seed % 14);
      while (position.ply < plies && position.outcome == Outcome::going_on) {
        position.moves(list);
        seed = mixed(seed);
        const int move = list.move[seed % list.size];
        position.play(move);
        wide.play(move);
      }
      if (position.outcome != Outcome::going_on) continue;
      ++number;
      const auto value_of = [](const Finding& found) {
        CHECK(found.exact);
        return sign(found.score);
      };
      const int value = value_of(expected.solve(position, control, Aim::value));
      ++values[value + 1];
      CHECK(value_of(wide_solver.solve(wide, control)) == value);
      const Finding found = solver.solve(position, control);
      CHECK(value_of(found) == value);
      position.play(found.move);
      const bool over = position.outcome != Outcome::going_on;
      const int after = over ? final_score(position, position.turn())
                             : expected.solve(position, control, Aim::value).score;
      CHECK((after < 0) - (after > 0) == value);
    }
  }
  for (const int number : values) CHECK(number > 20);
}

// Whether cells can be paired so that each line contains a pair, by trial of all pairs.
bool can_pair(const std::vector<Bits64>& lines, Bits64 taken) {
  if (lines.empty()) return true;
  const Bits64 free = ~taken & *std::min_element(lines.begin(), lines.end(), [&](auto a, auto b) {
    return count(a & ~taken) < count(b & ~taken);
  });
  for (Bits64 rest = free; rest; rest &= rest - 1)
    for (Bits64 others = rest & (rest - 1); others; others &= others - 1) {
      const Bits64 pair = bit<Bits64>(lowest(rest)) | bit<Bits64>(lowest(others));
      std::vector<Bits64> left = lines;
      std::erase_if(left, [&](Bits64 line) { return !(pair & ~line); });
      if (can_pair(std::move(left), taken | pair)) return true;
    }
  return false;
}

// A pairing that is found exists, and most that exist are found.
void test_pairings() {
  std::uint64_t seed = 1;
  Pairing<Bits64> pairing;
  int exist = 0, found = 0;
  for (int number = 0; number < 2000; ++number) {
    const int side = 5 + random_below(seed, 2), k = 3 + random_below(seed, 3),
              marks = random_below(seed, 8), dropped = 30 + random_below(seed, 60);
    Bits64 free = ~Bits64(0);
    for (int i = 0; i < marks; ++i) free &= ~bit<Bits64>(random_below(seed, side * side));
    std::vector<Bits64> lines;
    pairing.clear();
    for (const auto& step : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}})
      for (int first = 0; first < side * side; ++first) {
        int x = first % side, y = first / side;
        const auto is_on = [&](int steps) {
          const int to_x = x + steps * step.first, to_y = y + steps * step.second;
          return to_x >= 0 && to_x < side && to_y >= 0 && to_y < side;
        };
        if (is_on(-1)) continue;  // not the first cell of a straight
        for (; is_on(k - 1); x += step.first, y += step.second) {
          if (random_below(seed, 100) < dropped) continue;
          Bits64 line{};
          for (int i = 0; i < k; ++i)
            line |= bit<Bits64>((y + i * step.second) * side + x + i * step.first);
          lines.push_back(line & free);
          pairing.add(line & free);
        }
      }
    Bits64 cells{};
    const bool is_paired = pairing.find(Bits64{}, false, 60, cells) == 0;
    const bool can = can_pair(lines, 0);
    CHECK(!is_paired || can);
    for (const Bits64 line : lines) CHECK(!is_paired || count(line & cells) >= 2);
    exist += can;
    found += is_paired;
  }
  CHECK(exist > 500 && exist < 1500 && found > exist * 99 / 100);
}

// The Maker-Breaker game by the rules alone: whether the attacker completes a line.
struct PlainMaker {
  const RowRules<Bits64>& rules;
  std::map<std::tuple<Bits64, Bits64, bool, int>, bool> known{};

  bool wins(Bits64 attacker, Bits64 defender, bool attacking, int plies) {
    const Bits64 empty = rules.cells & ~(attacker | defender);
    if (!empty || plies == 0) return false;
    const std::tuple here{attacker, defender, attacking, plies};
    if (const auto found = known.find(here); found != known.end()) return found->second;
    bool won = !attacking;
    for (Bits64 rest = empty; rest && won != attacking; rest &= rest - 1) {
      const Bits64 cell = rest & (~rest + 1);
      won = attacking ? rules.has_line(attacker | cell) ||
                            wins(attacker | cell, defender, false, plies - 1)
                      : wins(attacker, defender | cell, true, plies - 1);
    }
    return known[here] = won;
  }
};

// The answers and the zones of the Maker-Breaker game: all other free cells go to the loser, and
// nothing changes.
void test_maker_breaker() {
  std::uint64_t seed = 1;
  const std::atomic<bool> stop{false};
  Control control({}, stop);
  int zones[2] = {};  // of draws, and of wins
  for (const auto& [columns, rows, k] : {std::tuple{3, 3, 3},
                                         {4, 3, 3},
                                         {4, 4, 2},
                                         {4, 4, 3},
                                         {5, 4, 3},
                                         {6, 3, 3},
                                         {7, 3, 3},
                                         {4, 4, 4},
                                         {5, 4, 4},
                                         {6, 4, 4},
                                         {5, 5, 4},
                                         {6, 5, 5}})
    for (const bool exact : {false, true}) {
      const RowRules<Bits64> rules(RowId{columns, rows, k, false, false, exact});
      RowSolver<Bits64> solver(rules, 1);
      PlainMaker plain{rules};
      for (int number = 0; number < 300; ++number) {
        Bits64 marks[2]{}, empty = rules.cells;
        const int left = 5 + random_below(seed, 6), share = 20 + random_below(seed, 60);
        while (count(empty) > left) {
          Bits64 rest = empty;
          for (int skipped = random_below(seed, count(empty)); skipped > 0; --skipped)
            rest &= rest - 1;
          const Bits64 cell = rest & (~rest + 1);
          marks[random_below(seed, 100) < share && !rules.has_line(marks[1] | cell)] |= cell;
          empty ^= cell;
        }
        const bool attacking = random_below(seed, 2);
        const int plies = random_below(seed, 2) ? left : 1 + random_below(seed, left);
        Bits64 zone;
        const bool won = solver.makes_line(marks[1], marks[0], attacking, plies, control, zone);
        CHECK(won == plain.wins(marks[1], marks[0], attacking, plies));
        const Bits64 outside = empty & ~zone;
        if (!outside || (!won && exact)) continue;
        ++zones[won];
        marks[1 - won] |= outside;
        CHECK(!rules.has_line(marks[1]));
        CHECK(won == plain.wins(marks[1], marks[0], attacking, plies));
      }
    }
  CHECK(zones[0] > 500 && zones[1] > 500);
}

// What the search of row games leaves out changes no value.
void test_values_without_gravity() {
  std::uint64_t seed = 1;
  const std::atomic<bool> stop{false};
  Control control({}, stop);
  int values[3] = {};
  for (const auto& [columns, rows, k] :
       {std::tuple{4, 4, 3}, {5, 4, 3}, {5, 4, 4}, {6, 4, 4}, {5, 5, 4}})
    for (const bool exact : {false, true}) {
      const RowRules<Bits64> rules(RowId{columns, rows, k, false, false, exact});
      RowSolver<Bits64> solver(rules, 1);
      for (int number = 0; number < 40;) {
        RowPosition<Bits64> position(rules);
        MoveList list;
        const int plies = rules.size() - 5 - random_below(seed, 7);
        while (position.ply < plies && position.outcome == Outcome::going_on) {
          position.moves(list);
          position.play(list.move[random_below(seed, list.size)]);
        }
        if (position.outcome != Outcome::going_on) continue;
        ++number;
        const int value = plain_score(position, -infinite, infinite);
        const Finding found = solver.solve(position, control);
        CHECK(found.exact && sign(found.score) == sign(value));
        CHECK(found.lower <= value && value <= found.upper);
        ++values[sign(value) + 1];
      }
    }
  for (const int number : values) CHECK(number > 40);
}

// A book changes no score, and only mirror images share an index.
void test_books() {
  const RowRules<Bits64> rules(RowId{5, 4, 4, true});
  const Connect4Board board(rules);
  const std::atomic<bool> stop{false};
  const int stones = 6;
  std::vector<std::vector<RowPosition<Bits64>>> levels{{RowPosition<Bits64>(rules)}};
  const auto key_of = [&](const RowPosition<Bits64>& position) {
    return board.canonical(position.marks[position.turn()] + position.occupied(), position.ply);
  };
  for (int ply = 0; ply < stones; ++ply) {
    std::map<Bits64, RowPosition<Bits64>> next;
    for (const auto& position : levels.back()) {
      MoveList list;
      position.moves(list);
      for (const int move : list) {
        auto after = position;
        after.play(move);
        if (after.outcome == Outcome::going_on) next.insert_or_assign(key_of(after), after);
      }
    }
    levels.emplace_back();
    for (const auto& [key, position] : next) levels.back().push_back(position);
  }
  Control control({}, stop);
  Connect4Solver solver(rules, 1, nullptr);
  const BookIndex index(rules, stones);
  std::string text(index.size(), 0);
  for (const auto& position : levels.back()) {
    const Finding found = solver.solve(position, control, Aim::value);
    CHECK(found.exact);
    char& entry = text[index[key_of(position)]];
    CHECK(entry == 0);
    entry = found.score > 0 ? 3 : found.score < 0 ? 1 : 2;
  }
  const Book book(index, text);
  Connect4Solver with_book(rules, 1, &book);
  for (const auto& level : levels)
    for (const auto& position : level) {
      const Finding found = with_book.solve(position, control, Aim::win_first);
      const Finding plain = solver.solve(position, control, Aim::score);
      CHECK(found.exact && found.score == plain.score);
      auto after = position;
      after.play(found.move);
      const bool over = after.outcome != Outcome::going_on;
      CHECK(-(over ? final_score(after, after.turn()) : solver.solve(after, control).score) ==
            plain.score);
    }
  const BookLabels labels(rules, stones, text);
  for (int ply = 0; ply < stones; ++ply)
    for (const auto& position : levels[ply]) {
      std::uint8_t seen[40]{};
      for (int cell = 0; cell < rules.size(); ++cell)
        for (int side : {0, 1})
          seen[2 * cell + side] =
              has(position.marks[position.turn() ^ side], rules.bit_of(cell)) ? 1 : 0;
      std::int8_t value, moves[5];
      std::int32_t distance;
      labels.label(seen, value, distance, moves);
      const int score = solver.solve(position, control, Aim::value).score;
      CHECK(value == (score > 0) - (score < 0));
      int best = -1;
      for (const int move : moves)
        if (move != BookLabels::illegal) best = std::max(best, move);
      CHECK(best == value);
    }
  CHECK(make_engine("connect4:5,4", {.table_mib = 1}, "", stones, text) != nullptr);
  CHECK(make_engine("connect4:5,4", {.table_mib = 1}, "", stones + 1, text) == nullptr);
  CHECK(make_engine("basic", {.table_mib = 1}, "", stones, text) == nullptr);
}

// A table that grows during a search keeps most entries (full buckets lose some), and never returns
// the entry of another key.
void test_growing_tables() {
  const int size = 300'000;
  BoundTable bounds(49, 7);
  Table table(9);
  table.new_search(100, 1);
  const auto key_of = [](int i) { return mixed(static_cast<std::uint64_t>(i)); };
  int kept = 0, kept_too = 0, kept_meanwhile = 0;
  for (int i = 0; i < size; ++i) {
    bounds.store(key_of(i) >> 15, {-(i % 20), i % 20}, 1);
    table.store(key_of(i), i % 50, i % 999, Table::exact, i % 81);
    kept_meanwhile += table.find(key_of(i / 2)).has_value();
  }
  for (int i = 0; i < size; ++i) {
    Bounds known;
    bounds.find(key_of(i) >> 15, known);
    if (known.upper < infinite) {
      CHECK(known.lower == -(i % 20) && known.upper == i % 20);
      ++kept;
    }
    if (const auto entry = table.find(key_of(i))) {
      CHECK(entry->score == i % 999 && entry->move == i % 81);
      ++kept_too;
    }
    CHECK(!table.find(~key_of(i)));
  }
  CHECK(kept > size * 0.95 && kept_too > size * 0.75 && kept_meanwhile > size * 0.75);
}

// A full proof table that earlier searches filled proves as fast as a new one.
void test_ageing_proofs() {
  const auto position_of = [](std::uint64_t seed, int plies) {
    NestedPosition position(*parse_nested_id("ultimate"));
    MoveList list;
    for (position.moves(list); list.size && position.ply < plies; position.moves(list)) {
      seed = mixed(seed);
      position.play(list.move[seed % list.size]);
    }
    return position;
  };
  const std::atomic<bool> stop{false};
  const auto nodes_of = [&](auto& proofs, const NestedPosition& position, std::uint64_t nodes) {
    Limit limit;
    limit.nodes = nodes;
    Control control(limit, stop);
    proofs.new_search();
    return proofs.prove(position, position.turn(), control).nodes;
  };
  const double mib = 0.05;
  ProofSearch<NestedPosition> used(mib);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) nodes_of(used, position_of(seed, 20), 30'000);
  std::uint64_t with_used = 0, with_new = 0;
  for (std::uint64_t seed = 100; seed < 140; ++seed) {
    const NestedPosition position = position_of(seed, 46);
    ProofSearch<NestedPosition> fresh(mib);
    with_used += nodes_of(used, position, 50'000);
    with_new += nodes_of(fresh, position, 50'000);
  }
  CHECK(with_used < 1.05 * with_new);
}

// The sums of a net, kept up move by move, give the estimates of a new start at every node.
void test_incremental_net() {
  std::string weights(Net::size, 0);
  std::uint64_t seed = 1;
  for (char& byte : weights) byte = static_cast<char>((seed = mixed(seed)) % 61 - 30);
  // Small rows, biases and last weights, else all estimates are extreme.
  const std::size_t rows = Net::contents * Net::embedded + 9 * Net::embedded * Net::width;
  for (std::size_t i = rows; i < rows + 2 * Net::rows * Net::width; i += 2)
    weights[i + 1] = weights[i] < 0 ? -1 : 0;
  const std::size_t last = Net::size - 12 - 2 * Net::hidden;
  for (std::size_t i = last - 4 * Net::hidden; i < Net::size; ++i)
    weights[i] =
        i < last || i >= Net::size - 12 || i % 2 != last % 2 ? 0 : static_cast<char>(i % 60);
  const auto net = std::make_shared<const Net>(weights);
  std::map<int, int> seen;
  const auto play = [&]<class Base>(const Base&, const NestedRules& rules) {
    for (int game = 0; game < 50; ++game) {
      NetEvaluation<Base> kept(net), fresh(net);
      Node<NestedPosition> place{NestedPosition(rules)};
      auto state = kept.start(place);
      MoveList list;
      for (place.position.moves(list); list.size; place.position.moves(list)) {
        const int estimate = kept.estimate(place, state);
        CHECK(estimate == fresh.estimate(place, fresh.start(place)));
        CHECK(std::abs(estimate) < estimate_unit);
        ++seen[estimate];
        kept.enter(place, state);
        seed = mixed(seed);
        const int move = list.move[seed % list.size];
        place.play(move);
        kept.play(state, place, move);
      }
    }
  };
  for (const char* id : {"ultimate", "ultimate:tie=boards", "ultimate:won=open",
                         "ultimate:tie=boards,won=open", "advanced", "advanced:full=draw"}) {
    const NestedRules rules = *parse_nested_id(id);
    if (rules.one_line) play(SafetyEvaluation{}, rules);
    else play(ChancesEvaluation{}, rules);
    CHECK(make_engine(id, {.table_mib = 1}, "", 0, "", {net, {}}) != nullptr);
    CHECK(make_engine(id, {.table_mib = 1}, "report", 0, "", {net, {}}) == nullptr);
  }
  CHECK(seen.size() > 1000);
  CHECK(make_engine("connect4", {.table_mib = 1}, "", 0, "", {net, {}}) == nullptr);
}

// On wide boards the completing cells and the balance that a search keeps are those of a new start.
template <class Bits>
void check_wide_board(const char* id, std::uint64_t seed) {
  const RowRules<Bits> rules(*parse_row_id(id));
  for (int game = 0; game < 4; ++game) {
    RowPosition<Bits> plain(rules);
    Node<RowPosition<Bits>> place{plain};
    const LinesEvaluation<Bits> evaluation;
    auto state = evaluation.start(place);
    MoveList list;
    for (plain.moves(list); list.size; plain.moves(list)) {
      seed = mixed(seed);
      // Near the middle, so that lines are made.
      const int cell = list.move[seed % 4 ? (list.size / 2 + seed / 8 % 20) % list.size
                                          : static_cast<int>(seed % list.size)];
      plain.play(cell);
      place.play(rules.bit_of(cell));
      evaluation.play(state, place, rules.bit_of(cell));
      CHECK(plain.outcome == place.position.outcome);
      if (plain.outcome != Outcome::going_on) break;
      for (int player : {0, 1})
        CHECK(place.completing.of(place.position, player) ==
              (rules.completing(plain.marks[player]) & ~plain.occupied()));
      CHECK(evaluation.balance(place, state) == evaluation.balance(place, evaluation.start(place)));
    }
  }
}

void test_wide_boards() {
  std::uint64_t seed = 5;
  for (const char* id :
       {"mnk:19,19,5", "mnk:15,15,5", "mnk:19,8,3", "mnk:16,9,19,misere", "mnk:19,19,10",
        "mnk:12,19,1", "mnk:15,15,5,exact", "mnk:16,9,3,exact,misere", "mnk:12,12,2,exact,misere",
        "mnk:20,20,5", "mnk:20,20,20", "mnk:20,20,3,exact,misere"})
    check_wide_board<Wide>(id, ++seed);
}

// Play the line of a win by fours: each move but the last makes a four whose only defence, or one
// of two, is the next one, and the other side has no line to complete.
template <class Bits>
void check_win_by_fours(RowPosition<Bits> position, std::vector<std::int16_t> line) {
  const auto& rules = *position.rules;
  const int side = position.turn();
  CHECK(line.size() % 2 == 1);
  for (; line.size() > 1; line.pop_back()) {
    CHECK(position.outcome == Outcome::going_on);
    position.place(bit<Bits>(line.back()));
    line.pop_back();
    const Bits free = ~position.occupied();
    const Bits threats = rules.completing(position.marks[side]) & free;
    CHECK(!(rules.completing(position.marks[side ^ 1]) & free));
    CHECK(has(threats, line.back()));
    CHECK((count(threats) > 1) == (line.size() == 2));
    position.place(bit<Bits>(line.back()));
  }
  position.place(bit<Bits>(line.back()));
  CHECK(position.outcome == (side == 0 ? Outcome::x_wins : Outcome::o_wins));
}

template <class Bits>
int wins_by_fours(const char* id, int games) {
  const RowRules<Bits> rules(*parse_row_id(id));
  auto fours = std::make_unique<FourSearch<Bits>>();
  std::uint64_t seed = 11;
  int wins = 0, open_threes = 0;
  for (int game = 0; game < games; ++game) {
    RowPosition<Bits> position(rules);
    while (position.outcome == Outcome::going_on) {
      const Node<RowPosition<Bits>> place(position);
      const int side = position.turn();
      const Bits own = place.danger_of(side), danger = place.danger_of(side ^ 1);
      if (!own) {
        const auto& win = fours->find(position, side, danger, 1'000, [] { return true; });
        if (win.plies() > 0) {
          ++wins;
          check_win_by_fours(position, win.line);
        }
        // A move that makes two fours at once wins.
        for (Bits left = danger ? Bits{} : place.fours_of(side); left; left &= left - 1) {
          Node<RowPosition<Bits>> after = place;
          after.play(lowest(left));
          CHECK(after.danger_of(side));
          if (count(after.danger_of(side)) < 2) continue;
          ++open_threes;
          CHECK(win.plies() > 0);
        }
      }
      // Near the marks, so that lines are made.
      const Bits free = ~position.occupied() & rules.cells;
      Bits cells = position.ply ? rules.near(position.occupied()) & free : free;
      if (!cells) cells = free;
      seed = mixed(seed);
      for (int skipped = static_cast<int>(seed % count(cells)); skipped > 0; --skipped)
        cells &= cells - 1;
      position.place(bit<Bits>(lowest(cells)));
    }
  }
  CHECK(open_threes > 0);
  return wins;
}

void test_wins_by_fours() {
  CHECK(wins_by_fours<Wide>("mnk:15,15,5", 30) > 20);
  CHECK(wins_by_fours<Wide>("mnk:15,15,5,exact", 30) > 20);
  CHECK(wins_by_fours<Wide>("mnk:12,12,4,exact", 30) > 20);
  CHECK(wins_by_fours<Wide>("mnk:19,19,6", 20) > 0);
  CHECK(wins_by_fours<Bits128>("mnk:9,9,5", 60) > 20);
  CHECK(wins_by_fours<Bits64>("mnk:6,6,4", 200) > 20);
  CHECK(wins_by_fours<Bits64>("mnk:6,6,3,exact", 200) > 20);
}

// The statistics of a move are of whole results: nothing is rounded away, however many there are.
void test_statistics_of_mcts() {
  CHECK(visit_position("connect4~7.7.7.7.7.7~X", [](const auto& position) {
    MonteCarlo<std::decay_t<decltype(position)>> mcts(1, 1);
    const std::atomic<bool> stop{false};
    Limit limit;
    limit.simulations = 20'000;
    Control control(limit, stop);
    mcts.analyse(position, control);
    std::uint64_t visits = 0;
    for (const MoveStatistics& each : mcts.scores()) {
      const double total = each.mean * static_cast<double>(each.visits);
      CHECK(std::abs(total - std::round(total)) < 1e-6);
      visits += each.visits;
    }
    CHECK(visits == limit.simulations - 1);
  }));
}

// The winner by zugzwang (Allis 1988).
void test_zugzwang() {
  const auto winner = [](const std::string& text) {
    int result = 9;
    CHECK(visit_position(text, [&](const auto& position) {
      if constexpr (std::is_same_v<std::decay_t<decltype(position)>, RowPosition<Bits64>>)
        result = ZugzwangEvaluation::winner(position);
    }));
    return result;
  };
  CHECK(winner("connect4~7.7.7.7.7.7~X") == 0);
  // X threatens the third cell of column 4, O nothing: an odd threat wins for the first player.
  CHECK(winner("connect4~7.7.7.XXX4.OOX4.OXO4~O") == -1);
  // An even threat does not: X must give it up.
  CHECK(winner("connect4~7.7.7.7.XXX4.OXO2O1~O") == 0);
}

// The counts of the prover, kept up move by move, are those of a new start.
void test_counts_of_the_prover() {
  std::uint64_t seed = 5;
  int compared = 0, full = 0;
  for (const char* id : {"advanced", "advanced:full=draw"})
    for (int game = 0; game < 100; ++game) {
      NestedPosition position(*parse_nested_id(id));
      auto kept = Prover::counts_of(Node<NestedPosition>(position));
      MoveList list;
      for (position.moves(list); list.size; position.moves(list)) {
        const Node<NestedPosition> before(position);
        int move = -1;
        // A move that makes a line ends the game, and is never searched.
        for (int tries = 0; tries < 20; ++tries) {
          seed = mixed(seed);
          move = list.move[seed % list.size];
          position = before.position;
          position.play(move);
          if (position.outcome == Outcome::going_on || position.outcome == Outcome::draw) break;
        }
        if (position.outcome == Outcome::x_wins || position.outcome == Outcome::o_wins) break;
        const Node<NestedPosition> after(position);
        kept = Prover::counts_after(before, kept, after, move);
        CHECK(kept == Prover::counts_of(after));
        full += std::popcount(unsigned{position.closed}) > 0;
        ++compared;
      }
    }
  CHECK(compared > 2'000 && full > 10);
}

// The prover agrees with a search of all moves, and strategies are read whole.
void test_prover() {
  std::uint64_t seed = 11;
  int won = 0, checked = 0, stepped = 0, strategies = 0;
  const auto net = std::make_shared<const Net>(std::string(Net::size, 0));
  StrategySearch search(net);
  Prover prover;
  const std::atomic<bool> stop{false};
  for (const char* id : {"advanced", "advanced:full=draw"})
    for (int game = 0; game < 120; ++game) {
      NestedPosition position(*parse_nested_id(id));
      const int plies = 26 + game % 24;
      while (position.outcome == Outcome::going_on && position.ply < plies) {
        const Node<NestedPosition> place(position);
        if (SafeMoves(place).wins) break;
        const MoveList safe = replies_to_answer(place);
        if (safe.size == 0) break;
        seed = mixed(seed);
        position.play(safe.move[seed % safe.size]);
      }
      if (position.outcome != Outcome::going_on || position.ply < 26) continue;
      if (SafeMoves(Node<NestedPosition>(position)).wins) continue;
      for (int attacker : {0, 1}) {
        Limit limit;
        limit.nodes = 200'000;
        Control control(limit, stop);
        const auto numbers = prover.prove(position, attacker, control);
        if (!numbers.is_decided()) continue;
        const bool wins = (numbers.proof == 0) == (position.turn() == attacker);
        won += wins;
        ++checked;
        if (position.ply >= 48) CHECK(wins == can_force(position, attacker, 81 - position.ply));
        if (position.ply > 40) continue;
        const int leaf_ply = position.ply + 4;
        // In short steps, which mostly end within a leaf, and for either side to move.
        search.begin(position, attacker, {leaf_ply, 50, {1'000, 50'000}});
        Limit step;
        step.nodes = 300;
        Verdict verdict = Verdict::open;
        for (int steps = 0; steps < 100 && verdict == Verdict::open; ++steps) {
          Control part(step, stop);
          verdict = search.advance(part);
        }
        CHECK(verdict == Verdict::open || (verdict == Verdict::won) == wins);
        stepped += verdict != Verdict::open;
        if (!wins || position.turn() != attacker) continue;
        Control whole(limit, stop);
        const Strategy found = search.prove(position, {leaf_ply, 50, {1'000, 50'000}}, whole);
        CHECK(found.verdict != Verdict::lost);
        if (found.verdict != Verdict::won) continue;
        StrategyReader reader(found.codes, attacker, leaf_ply + 2);
        CHECK(reader.part(position, leaf_ply + 2) == found.codes);
        CHECK(reader.part(position, leaf_ply)->size() < found.codes.size() + 1);
        CHECK(reader.part(position, 0)->empty() && reader.leaves() == 1);
        for (std::size_t size = 0; size < found.codes.size(); ++size) {
          StrategyReader broken(std::string_view(found.codes).substr(0, size), attacker,
                                leaf_ply + 2);
          CHECK(!broken.part(position, leaf_ply + 2));
        }
        ++strategies;
      }
    }
  CHECK(checked > 120 && won > 40 && checked - won > 40 && stepped > 60 && strategies > 12);
}

// Every move has a reason, and malformed values are refused.
void test_hints() {
  const std::string nested = empty_nested + "~X~-";
  for (const std::string& start :
       {std::string("basic~3.3.3~X"), std::string("mnk:4,4,3,misere~4.4.4.4~X"),
        std::string("mnk:7,7,4~7.7.7.7.7.7.7~X"), std::string("connect4:5,4,3~5.5.5.5~X"),
        "advanced~" + nested, "ultimate~" + nested, "ultimate:tie=boards~" + nested}) {
    GameId game;
    CHECK(!read_rules(start, game));
    visit_position(start, [&](auto position) {
      std::uint64_t seed = 7;
      MoveList list;
      for (position.moves(list); list.size; position.moves(list)) {
        std::vector<Worth> worths;
        for (const int move : list) worths.push_back({move, 'u', 50});
        const PlaceOf place(position);
        CHECK(Hint(game, place, worths).json().text().find("reason") != std::string::npos);
        seed = mixed(seed);
        position.play(list.move[seed % list.size]);
      }
    });
  }
  CHECK(hint("basic~XX1.OO1.3~X", "3:w1 6:d 7:l2 8:l2 9:l2"));
  CHECK(!hint("basic~XX1.OO1.3~X", "3:w1 6:d 7:l2 8:l2"));
  CHECK(!hint("basic~XX1.OO1.3~X", "3:w1 6:d 7:l2 8:l2 1:l2"));
  CHECK(!hint("basic~XX1.OO1.3~X", "3:w1 6:d 7:l2 8:l2 9:x"));
  CHECK(!hint("basic~XXX.OO1.3~O", "6:d"));
}

}  // namespace

int main() {
  test_clock();
  test_searches();
  test_limits_of_nodes();
  test_exact_values();
  test_bounds_of_connect4();
  test_values_with_gravity();
  test_values_without_gravity();
  test_pairings();
  test_maker_breaker();
  test_books();
  test_growing_tables();
  test_ageing_proofs();
  test_incremental_net();
  test_wide_boards();
  test_wins_by_fours();
  test_statistics_of_mcts();
  test_zugzwang();
  test_perft();
  test_random_games();
  test_keys();
  test_keys_of_closed_boards();
  test_proofs_within_a_depth();
  test_counts_of_the_prover();
  test_prover();
  test_chances_of_lost_boards();
  test_answers_known_at_once();
  test_counts();
  test_invalid_position_strings();
  test_hints();
  std::puts("all tests of the core passed");
}
