// A net of either family, read by the number of its bytes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "five_engine.hpp"
#include "five_net.hpp"
#include "net.hpp"
#include "notation.hpp"

namespace noughts {

struct AnyNet {
  std::shared_ptr<const Net> nested;  // of nine-board games
  std::shared_ptr<const FiveNet> five;

  static std::optional<AnyNet> of(std::string_view bytes) {
    if (bytes.size() == FiveNet::size) return AnyNet{{}, std::make_shared<const FiveNet>(bytes)};
    if (bytes.size() == Net::size || bytes.size() == Net::small_size)
      return AnyNet{std::make_shared<const Net>(bytes), {}};
    return std::nullopt;
  }
  static std::string refusal() {
    return "a net has " + std::to_string(Net::size) + " bytes, a small one " +
           std::to_string(Net::small_size) + ", one of Gomoku " + std::to_string(FiveNet::size);
  }
};

// The estimate of an unfinished position of the net's games without a search; none for others.
template <class Position>
std::optional<int> estimate_of(const AnyNet& net, const Position& position, std::string_view text) {
  if (position.outcome != Outcome::going_on) return std::nullopt;
  if constexpr (std::is_same_v<Position, NestedPosition>) {
    if (!net.nested) return std::nullopt;
    const auto estimate = [&](auto&& evaluation) {
      const Node<NestedPosition> place(position);
      return evaluation.estimate(place, evaluation.start(place));
    };
    if (position.rules.one_line) return estimate(NetEvaluation<SafetyEvaluation>(net.nested));
    return estimate(NetEvaluation<ChancesEvaluation>(net.nested));
  } else {
    const auto id = parse_row_id(text.substr(0, text.find('~')));
    return net.five && id ? estimate_of(*net.five, *id, text) : std::nullopt;
  }
}

}  // namespace noughts
