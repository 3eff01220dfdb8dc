// The engine of five in a row on large boards, in a file of its own: its search is compiled once.
#include "five_engine.hpp"

#include <limits>
#include <utility>

#include "five_search.hpp"
#include "five_self_play.hpp"
#include "notation.hpp"
#include "row.hpp"
#include "threat_tree.hpp"

namespace noughts {
namespace {

// These boards are too large for a small stack.
std::unique_ptr<PatternBoard> empty_board(const RowRules<Wide>& rules) {
  return std::make_unique<PatternBoard>(rules.columns, rules.rows, rules.exact);
}
std::unique_ptr<PatternBoard> board_of(const RowPosition<Wide>& position) {
  const RowRules<Wide>& rules = *position.rules;
  auto board = empty_board(rules);
  for (int cell = 0; cell < rules.size(); ++cell)
    for (int side : {0, 1})
      if (has(position.marks[side], rules.bit_of(cell))) board->play(board->place_of(cell), side);
  return board;
}

class FiveEngine : public Engine {
 public:
  FiveEngine(const RowId& id, const Resources& resources, std::shared_ptr<const FiveNet> net,
             MakeEngine make_other)
      : rules_(id),
        resources_(resources),
        net_(std::move(net)),
        make_other_(std::move(make_other)) {}

  bool search(std::string_view text, Method method, Control& control, const Report& report,
              Finding& found) override {
    const auto position = parse_row(rules_, split(text, '~'));
    if (!position) return false;
    if (!is_mine(*position, method, control))
      return other().search(text, method, control, report, found);
    found = mine().analyse(*board_of(*position), control, report);
    return true;
  }

  bool value_moves(std::string_view text, Method method, Control& control,
                   const ScoresReport& report, Scores& found) override {
    const auto position = parse_row(rules_, split(text, '~'));
    if (!position) return false;
    if (!is_mine(*position, method, control))
      return other().value_moves(text, method, control, report, found);
    found = mine().scores(*board_of(*position), control, report);
    return true;
  }

  void clear() override {
    if (other_) other_->clear();
    if (mine_) mine_->clear();
  }

 private:
  // With fewer empty cells the general engine proves draws, too.
  static constexpr int least_empty = 12;

  bool is_mine(const RowPosition<Wide>& position, Method method, const Control& control) const {
    const bool is_method = method == Method::best || method == Method::selective;
    const bool to_a_depth = control.limit().depth < std::numeric_limits<int>::max();
    return is_method && !to_a_depth && position.outcome == Outcome::going_on &&
           rules_.size() - position.ply >= least_empty;
  }

  // Each frees the tables of the other.
  FiveSearch& mine() {
    if (!mine_) {
      other_.reset();
      mine_ = std::make_unique<FiveSearch>(*empty_board(rules_),
                                           static_cast<std::size_t>(resources_.table_mib),
                                           resources_.seed, resources_.threads);
      mine_->net = net_;
    }
    return *mine_;
  }
  Engine& other() {
    if (!other_) {
      mine_.reset();
      other_ = make_other_(resources_);
    }
    return *other_;
  }

  RowRules<Wide> rules_;
  Resources resources_;
  std::shared_ptr<const FiveNet> net_;
  MakeEngine make_other_;
  std::unique_ptr<FiveSearch> mine_;
  std::unique_ptr<Engine> other_;
};

}  // namespace

bool plays_five(const RowId& id) {
  constexpr int least_cells = 81;
  return id.k == 5 && !id.gravity && !id.misere && id.columns * id.rows >= least_cells &&
         id.columns >= 5 && id.rows >= 5;
}

bool has_threat_trees(const RowId& id) { return id.k == 5 && !id.gravity && !id.misere; }

std::vector<int> threat_tree(const RowId& id, std::string_view text, bool loses, int first,
                             int most, Control& control) {
  constexpr std::size_t table_bytes = 8 << 20;
  const RowRules<Wide> rules(id);
  const auto position = parse_row(rules, split(text, '~'));
  if (!position) return {};
  const auto board = board_of(*position);
  const auto tree = std::make_unique<ThreatTree>(*board, table_bytes);
  std::uint64_t nodes = 0;
  return tree->grow(board->turn() ^ loses, first < 0 ? -1 : board->place_of(first), most,
                    [&] { return !control.must_stop(++nodes); });
}

std::unique_ptr<Engine> make_five_engine(const RowId& id, const Resources& resources,
                                         std::shared_ptr<const FiveNet> net,
                                         MakeEngine make_other) {
  return std::make_unique<FiveEngine>(id, resources, std::move(net), std::move(make_other));
}

std::optional<int> estimate_of(const FiveNet& net, const RowId& id, std::string_view text) {
  if (!plays_five(id)) return std::nullopt;
  const RowRules<Wide> rules(id);
  const auto position = parse_row(rules, split(text, '~'));
  if (!position || position->outcome != Outcome::going_on) return std::nullopt;
  const auto board = board_of(*position);
  return net.estimate(*board, pattern_estimate(*board));
}

static_assert(five_sample_size == FiveSample::size);
std::vector<std::uint8_t> five_self_play(const RowId& id, std::uint64_t seed, std::uint64_t nodes,
                                         std::shared_ptr<const FiveNet> net,
                                         const std::atomic<bool>& stop) {
  const auto board = empty_board(RowRules<Wide>(id));
  const auto search = std::make_unique<FiveSearch>(*board, 2, 1);
  search->net = std::move(net);
  std::vector<std::uint8_t> samples;
  self_play(*search, *board, mixed(seed), nodes, stop, samples);
  return samples;
}

}  // namespace noughts
