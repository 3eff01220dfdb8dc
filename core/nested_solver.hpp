// Exact values of the nine-board games, by proof-number search.
//
// Two questions decide a position: does the side to move win, and does the other side? The solver
// works on them in turns, with twice the nodes each time, so that a hard question does not block an
// easy one. If neither side wins, the position is a draw.
#pragma once

#include <algorithm>

#include "dfpn.hpp"
#include "nested.hpp"
#include "search.hpp"

namespace noughts {

class NestedSolver {
 public:
  static constexpr bool finds_distances = false;
  static constexpr int share = 1;

  NestedSolver(const NestedRules&, int table_mib) : proofs_(table_mib) {}

  void clear() { proofs_.clear(); }
  void new_search() { proofs_.new_search(); }

  // Find the value. A proven win comes by the last ply, or within the depth of the limit; its exact
  // distance stays open, so the bounds differ. If stopped, the bounds still hold.
  Finding solve(const NestedPosition& position, Control& control) {
    Finding found;
    bool answered[2] = {};
    for (std::uint64_t nodes = first_nodes; !found.exact && !(answered[0] && answered[1]);
         nodes *= 2) {
      for (int attacker : {position.turn(), 1 - position.turn()}) {
        const std::uint64_t left = control.limit().nodes - found.nodes;
        if (found.exact || answered[attacker] || left == 0) continue;
        Control part = control.part(std::min(nodes, left), control.limit().depth);
        const Finding answer = proofs_.prove(position, attacker, part);
        answered[attacker] = proofs_.numbers().is_decided();
        found.nodes += answer.nodes;
        found.lower = std::max(found.lower, answer.lower);
        found.upper = std::min(found.upper, answer.upper);
        found.exact = found.lower > 0 || found.upper < 0 || found.lower == found.upper;
        // A side to move that cannot win may still lose by this move.
        const bool is_vain = attacker == position.turn() && !answer.exact;
        if (answer.move >= 0 && (found.move < 0 || !is_vain)) {
          found.move = answer.move;
          found.pv = answer.pv;
        }
        found.depth = std::max(found.depth, answer.depth);
        found.table_use = answer.table_use;
      }
      if (found.nodes >= control.limit().nodes || control.must_stop(0)) break;
    }
    found.score = std::clamp(0, found.lower, found.upper);
    found.seconds = control.seconds();
    return found;
  }

 private:
  static constexpr std::uint64_t first_nodes = 100'000;

  ProofSearch<NestedPosition> proofs_;
};

}  // namespace noughts
