// The engine of five in a row on large boards: `FiveSearch` where it is the best method, and the
// general engine of row games for all others. Defined in five_engine.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine_interface.hpp"
#include "five_net.hpp"
#include "row.hpp"

namespace noughts {

using MakeEngine = std::function<std::unique_ptr<Engine>(const Resources&)>;

// Whether rules are five in a row on a large board.
bool plays_five(const RowId& id);

// Make the engine of such rules; `make_other` makes the general one at its first use. `net` may be
// null.
std::unique_ptr<Engine> make_five_engine(const RowId& id, const Resources& resources,
                                         std::shared_ptr<const FiveNet> net, MakeEngine make_other);

// The estimate of a position without a search; none if it is over, or not of such rules.
std::optional<int> estimate_of(const FiveNet& net, const RowId& id, std::string_view text);

// The samples of a game of a search against itself (`five_self_play.hpp`), and the bytes of each.
inline constexpr std::size_t five_sample_size = 110;
std::vector<std::uint8_t> five_self_play(const RowId& id, std::uint64_t seed, std::uint64_t nodes,
                                         std::shared_ptr<const FiveNet> net,
                                         const std::atomic<bool>& stop);

// Whether wins by threats have trees: in five in a row on any board.
bool has_threat_trees(const RowId& id);

// Return the tree of a win by threats as `ThreatTree::Codes`, with at most `most` nodes; no codes
// if no win is found within the limits of `control`.
//
// In `text`, a position of such rules that is not over, the side to move wins with the legal move
// `first`, or with any if that is -1; or, if `loses`, the other side wins after every move.
std::vector<int> threat_tree(const RowId& id, std::string_view text, bool loses, int first,
                             int most, Control& control);

}  // namespace noughts
