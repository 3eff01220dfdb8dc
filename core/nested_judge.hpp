// Proofs beside a search of a nine-board game: does the side to move win, and does the other side
// win after the move that the search would play?
//
// A selective search skips plies below late moves. Near the end of the game it so compares draws,
// which it has seen to the end, with estimates, and takes a position for a draw in which one side
// has a win by quiet moves. Proof-number search skips nothing; within twenty plies of the end it
// needs fewer nodes than the search.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "dfpn.hpp"
#include "nested.hpp"
#include "outlook.hpp"
#include "search.hpp"

namespace noughts {

class NestedJudge {
 public:
  explicit NestedJudge(double table_mib) : proofs_(table_mib) {}

  void clear() { proofs_.clear(); }

  // Begin with an unfinished position. Proofs of the last one that are in the table serve it too.
  void begin(const NestedPosition& position) {
    proofs_.new_search();
    root_ = position;
    position.moves(moves_);
    wins_.reset();
    loses_.fill({});
    winning_ = {};
    holding_ = -1;
  }

  const MoveList& moves() const { return moves_; }

  // Work on the two questions, of which the second is about `move`, and return the nodes. The
  // second comes first, with all nodes of `part` but one in `share`, and what it leaves goes to the
  // first: to refute a move takes fewer nodes than to find a win.
  std::uint64_t advance(int move, const Control& part, std::uint64_t share) {
    std::uint64_t spent = 0;
    if (!loses_[move]) {
      NestedPosition after = *root_;
      after.play(move);
      if (after.outcome == Outcome::going_on) {
        const std::uint64_t nodes = part.limit().nodes;
        Control most = part.part(wins_ ? nodes : nodes - nodes / share);
        const Finding answer = proofs_.prove(after, after.turn(), most);
        spent += answer.nodes;
        if (proofs_.numbers().is_decided()) loses_[move] = answer.exact;
      } else {
        loses_[move] = is_loss(final_score(after, root_->turn()));
      }
      if (loses_[move] == false) holding_ = move;
    }
    if (!wins_ && spent < part.limit().nodes) {
      Control rest = part.part(part.limit().nodes - spent);
      const Finding answer = proofs_.prove(*root_, root_->turn(), rest);
      spent += answer.nodes;
      if (proofs_.numbers().is_decided()) wins_ = answer.exact;
      if (wins_ == true) winning_ = answer;
    }
    return spent;
  }

  // The bounds of a move for a search: a loss, if it is proven.
  Bounds bounds_of(int move) const {
    if (loses_[move] == true) return {-infinite, last_loss};
    return {};
  }
  // Whether the value is proven, with a move that reaches it.
  bool is_done() const { return wins_ == true || (wins_ == false && holding_ >= 0) || all_lose(); }

  // A finding of the search with what is proven.
  Finding applied(Finding found) const {
    if (found.exact) return found;
    if (wins_ == true) {
      found.exact = true;
      found.lower = winning_.lower;
      found.score = winning_.score;
      found.move = winning_.move;
      found.pv = winning_.pv;
      return found;
    }
    if (all_lose()) {
      // The move that the search prefers may be the longest defence.
      found.exact = true;
      found.score = found.upper = last_loss;
      return found;
    }
    if (found.move >= 0 && loses_[found.move] == true) {
      // The search ended before it had another move.
      found.move = *std::find_if(moves_.begin(), moves_.end(),
                                 [&](int move) { return loses_[move] != true; });
      found.pv = {found.move};
      found.score = std::min(found.score, 0);
    }
    if (is_loss(found.score)) found.score = 1 - estimate_unit;  // not all moves are refuted
    if (wins_ == false) found.upper = std::min(found.upper, 0);
    if (holding_ >= 0) found.lower = std::max(found.lower, 0);
    const bool is_draw = found.lower == found.upper;
    if (holding_ >= 0 && found.move != holding_ && (is_draw || found.score <= 0)) {
      found.move = holding_;
      found.pv = {holding_};
    }
    found.exact = is_draw;
    found.score = std::clamp(found.score, found.lower, found.upper);
    return found;
  }

 private:
  static constexpr int last_loss = 81 - win;  // by the last ply

  bool all_lose() const {
    return std::all_of(moves_.begin(), moves_.end(),
                       [&](int move) { return loses_[move] == true; });
  }

  ProofSearch<NestedPosition> proofs_;
  std::optional<NestedPosition> root_;
  MoveList moves_;
  std::optional<bool> wins_;                   // the side to move
  std::array<std::optional<bool>, 81> loses_;  // each move
  Finding winning_;
  int holding_ = -1;  // the last move after which the other side is proven not to win
};

}  // namespace noughts
