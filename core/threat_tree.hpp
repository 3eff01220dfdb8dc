// The tree of a win of five in a row by threats: one move at each node of the attacker, and all
// replies of the defender.
//
//     attacker   h8
//     defender     g7 ──► attacker i9 ...
//                  f10, c3 ──► attacker g8 ...      replies with the same answer
//                  any other ──► attacker k8 ...    the win by fours that h8 threatens
//
// A reply is listed where the threatened win does not work after it. So the tree proves the win:
// the rules alone show that each listed reply, and each other one, loses as the tree says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "threat_search.hpp"

namespace noughts {

class ThreatTree {
 public:
  // A tree as numbers, its nodes in preorder: the cell of the attacker's move, or -1 where the
  // defender is to move first; the plies to the end, at most; 1 if the tree is cut there, else 0;
  // the number of groups of replies; and for each group the number of its replies, 0 for any other,
  // their cells, and the node after them.
  using Codes = std::vector<int>;

  // `board` is a position that is not over; `bytes` are for the table of the search.
  ThreatTree(PatternBoard& board, std::size_t bytes) : board_(&board), threats_(bytes) {}

  // Prove that `attacker` wins, with the place `first` unless that is -1, and return the tree, cut
  // to `most` nodes; no codes if no win is found. `goes_on` is called at each node of the searches.
  Codes grow(int attacker, int first, int most, const GoesOn& goes_on) {
    mine_ = attacker, theirs_ = attacker ^ 1;
    most_ = static_cast<std::size_t>(std::max(most, 1));
    nodes_.assign(1, {});
    open_.clear();
    const bool attacks = board_->turn() == attacker;
    if (attacks && first < 0) {
      const Answer answer = find_answer(root_budget, goes_on);
      if (!answer.plies) return {};
      enter(0, answer, false);
    } else if (attacks) {
      nodes_[0].move = first;
      if (board_->threat(mine_, first) != Threat::five) open_.push_back(0);
    } else {
      open_.push_back(0);
    }
    // Level by level: where the tree is cut, its first replies are complete.
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (!expand(open_[i], goes_on) && i == 0 && (first >= 0 || !attacks)) return {};
    measure();
    Codes codes;
    write(0, codes);
    return codes;
  }

 private:
  static constexpr int root_budget = 200'000, budget = 20'000, fours_budget = 2'000;

  struct Node {
    int parent = -1, move = -1, plies = 1;
    int reply = -1;            // the first of `replies`
    std::vector<int> replies;  // after which the attacker is to move here; empty: any other
    std::vector<int> children;
    bool cut = false;
  };
  // What the attacker, to move, plays: the first move of a win, and the whole win if it is by
  // fours.
  struct Answer {
    int plies = 0, move = -1;
    std::vector<int> fours;  // as `WinByFours::line`
    std::vector<int> fives;  // as `last_fives`
    bool operator==(const Answer&) const = default;
  };

  Answer find_answer(int most, const GoesOn& goes_on) {
    Answer answer;
    answer.plies = fours_.find(*board_, mine_, fours_budget, goes_on);
    if (answer.plies) {
      answer.fours.assign(fours_.line().begin(), fours_.line().end());
      answer.move = answer.fours.front();
      answer.fives = last_fives(answer.fours);
      return answer;
    }
    if (board_->cells_of(theirs_, Threat::five).size > 1) return answer;
    Known known = threats_.known(*board_, mine_);
    if (!known.is_won()) {
      threats_.find(*board_, mine_, most, goes_on);
      known = threats_.known(*board_, mine_);
    }
    if (known.is_won()) answer.plies = known.plies, answer.move = known.move;
    return answer;
  }

  // Two places where the attacker completes a line after all moves of a win by fours, which ends
  // with two fours; none if its first move completes one.
  std::vector<int> last_fives(const std::vector<int>& line) {
    if (board_->threat(mine_, line[0]) == Threat::five) return {};
    play(line);
    const auto& fives = board_->cells_of(mine_, Threat::five);
    int first = fives.cell[0], second = fives.cell[1];
    if (second < first) std::swap(first, second);
    take_back(line);
    return {first, second};
  }
  // Not inlined, to keep the file for browsers small.
  [[gnu::noinline]] void put(int place, int side) { board_->play(place, side); }
  [[gnu::noinline]] void lift(int place) { board_->take_back(place); }
  void play(const std::vector<int>& line) {
    for (std::size_t i = 0; i < line.size(); ++i) put(line[i], i % 2 ? theirs_ : mine_);
  }
  void take_back(const std::vector<int>& line) {
    for (std::size_t i = line.size(); i-- > 0;) lift(line[i]);
  }

  // Whether a win by fours works here, the attacker to move.
  bool works(const Answer& answer) {
    const auto& line = answer.fours;
    std::size_t played = 0;
    bool holds = true;
    for (; played < line.size() && holds; ++played) {
      const int place = line[played];
      holds = board_->is_empty(place);
      if (holds && played % 2 == 0) {
        const auto& danger = board_->cells_of(theirs_, Threat::five);
        holds = board_->threat(mine_, place) >= Threat::four &&
                (danger.size == 0 || (danger.size == 1 && danger.cell[0] == place));
      } else if (holds) {
        holds = board_->threat(mine_, place) == Threat::five;
      }
      if (!holds) break;
      put(place, played % 2 ? theirs_ : mine_);
    }
    for (const int place : answer.fives)
      holds = holds && board_->is_empty(place) && board_->threat(mine_, place) == Threat::five;
    while (played-- > 0) lift(line[played]);
    return holds;
  }

  // The cells where a reply may stop a win by fours that the attacker threatens.
  Places stopping(const Answer& answer) {
    Places places = fours_.zone(*board_, mine_);
    for (const int place : answer.fours) places.add(place);
    for (const int place : answer.fives) places.add(place);
    for (Threat each : {Threat::four, Threat::four_three})
      for (const int place : board_->cells_of(theirs_, each)) places.add(place);
    return places;
  }

  struct Replies {
    std::vector<int> places;  // empty: any other
    Answer answer;
  };

  // Find the replies to the attacker's move of a node, and add a node for each group of them.
  // Returns false if one is not proven to lose. The tree is cut here if there is no place for them.
  bool expand(int node, const GoesOn& goes_on) {
    std::vector<int> path;
    for (int at = node; at >= 0; at = nodes_[at].parent) {
      if (nodes_[at].move >= 0) path.push_back(nodes_[at].move);
      if (nodes_[at].parent >= 0) path.push_back(nodes_[at].reply);
    }
    std::reverse(path.begin(), path.end());
    for (const int place : path) put(place, board_->turn());
    std::vector<Replies> found;
    const bool proven = find_replies(found, goes_on);
    if (proven && nodes_.size() + found.size() <= most_) {
      const int first = static_cast<int>(nodes_.size());
      for (const Replies& each : found) add(node, each.places);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const int reply = found[i].places.empty() ? -1 : found[i].places.front();
        if (reply >= 0) put(reply, theirs_);
        enter(first + static_cast<int>(i), found[i].answer, reply < 0);
        if (reply >= 0) lift(reply);
      }
    } else {
      nodes_[node].cut = true;
    }
    for (std::size_t i = path.size(); i-- > 0;) lift(path[i]);
    return proven;
  }

  // All replies here in groups, those that hold out longest first, and any other last.
  bool find_replies(std::vector<Replies>& found, const GoesOn& goes_on) {
    if (board_->has(theirs_, Threat::five)) return false;
    const auto& fives = board_->cells_of(mine_, Threat::five);
    const bool is_four = fives.size > 0;
    Answer threatened;
    std::vector<int> places;
    if (is_four) {
      const int five = *std::min_element(fives.begin(), fives.end());
      threatened = {1, five, {five}, {}};
      places = {five};
    } else {
      if (board_->has(theirs_, Threat::sure_four)) return false;
      threatened.plies = fours_.find(*board_, mine_, fours_budget, goes_on);
      if (!threatened.plies) return false;
      threatened.fours.assign(fours_.line().begin(), fours_.line().end());
      threatened.move = threatened.fours.front();
      threatened.fives = last_fives(threatened.fours);
      stopping(threatened).each([&](int place) {
        if (board_->is_empty(place)) places.push_back(place);
      });
    }
    int listed = 0;
    for (const int place : places) {
      put(place, theirs_);
      Answer answer;
      const bool fails = !is_four && works(threatened);  // to stop the threat
      if (!fails) answer = find_answer(budget, goes_on);
      lift(place);
      if (fails) continue;
      if (!answer.plies) return false;
      ++listed;
      const auto same = std::find_if(found.begin(), found.end(), [&](const Replies& each) {
        return !answer.fours.empty() && each.answer == answer;
      });
      if (same != found.end()) same->places.push_back(place);
      else found.push_back({{place}, std::move(answer)});
    }
    for (std::size_t i = 1; i < found.size(); ++i)
      for (std::size_t at = i; at > 0; --at) {
        if (found[at - 1].answer.plies >= found[at].answer.plies) break;
        std::swap(found[at - 1], found[at]);
      }
    if (board_->size() - board_->ply() > listed) found.push_back({{}, std::move(threatened)});
    return true;
  }

  int add(int parent, const std::vector<int>& replies) {
    const int node = static_cast<int>(nodes_.size());
    Node& added = nodes_.emplace_back();
    added.parent = parent;
    added.replies = replies;
    added.reply = replies.empty() ? -1 : replies.front();
    nodes_[parent].children.push_back(node);
    return node;
  }
  // Add the node where the attacker completes a line.
  void add_five(int parent, const std::vector<int>& replies, int place) {
    nodes_[add(parent, replies)].move = place;
  }

  // Enter the attacker's answer into its node, and a whole win by fours into the tree; `after_any`
  // is whether the reply before it is any other, which is not on the board.
  void enter(int node, const Answer& answer, bool after_any) {
    nodes_[node].move = answer.move;
    nodes_[node].plies = answer.plies;
    const auto& line = answer.fours;
    if (line.empty()) {
      open_.push_back(node);
      return;
    }
    if (answer.fives.empty()) return;
    if (nodes_.size() + line.size() + 1 > most_) {
      nodes_[node].cut = true;
      return;
    }
    int empty = board_->size() - board_->ply() - after_any;
    for (std::size_t i = 0; i < line.size(); i += 2) {
      nodes_[node].move = line[i];
      --empty;
      if (i + 1 == line.size()) {
        const auto& fives = answer.fives;
        add_five(node, {fives[0]}, fives[1]);
        if (empty > 1) add_five(node, {}, fives[0]);
      } else {
        const int next = add(node, {line[i + 1]});
        if (empty > 1) add_five(node, {}, line[i + 1]);
        --empty;
        node = next;
      }
    }
  }

  // Find the plies to the end from each node; nodes come before those after them.
  void measure() {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      Node& node = nodes_[i];
      if (node.children.empty()) continue;
      node.plies = 0;
      for (const int child : node.children)
        node.plies = std::max(node.plies, nodes_[child].plies + 1);
      node.plies += node.move >= 0;
    }
  }

  void write(int at, Codes& codes) const {
    const Node& node = nodes_[at];
    codes.push_back(node.move < 0 ? -1 : board_->cell_of(node.move));
    codes.push_back(node.plies);
    codes.push_back(node.cut);
    codes.push_back(static_cast<int>(node.children.size()));
    for (const int child : node.children) {
      const auto& replies = nodes_[child].replies;
      codes.push_back(static_cast<int>(replies.size()));
      for (const int place : replies) codes.push_back(board_->cell_of(place));
      write(child, codes);
    }
  }

  PatternBoard* board_;
  WinByFours fours_;
  WinByThreats threats_;
  int mine_ = 0, theirs_ = 1;
  std::size_t most_ = 1;
  std::vector<Node> nodes_;
  std::vector<int> open_;  // nodes whose replies are not there yet
};

}  // namespace noughts
