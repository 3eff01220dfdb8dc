// The door between Python and the core: a position string goes in, plain results come out.
//
// One call does one whole piece of work, without the GIL. A text that the core cannot read is a
// ValueError; noughts.engine checks texts before it comes here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "notation.hpp"

namespace nb = nanobind;
using namespace noughts;

namespace {

// Call `visit` with the position that `text` stands for, without the GIL.
template <class Visit>
void with_position(const std::string& text, Visit&& visit) {
  bool known;
  {
    nb::gil_scoped_release unlocked;
    known = visit_position(text, visit);
  }
  if (!known) throw nb::value_error(("the core cannot read " + text).c_str());
}

std::uint64_t perft_of(const std::string& text, int depth) {
  std::uint64_t nodes = 0;
  with_position(text, [&](const auto& position) { nodes = perft(position, depth); });
  return nodes;
}

// A random game: for each ply the legal moves and the one played, and the winner at the end (1 X,
// 2 O, 3 a draw).
using Plies = std::vector<std::pair<std::vector<int>, int>>;

std::pair<Plies, int> random_game(const std::string& text, std::uint64_t seed) {
  Plies plies;
  int outcome = 0;
  with_position(text, [&](auto position) {
    MoveList list;
    for (position.moves(list); list.size; position.moves(list)) {
      seed = mixed(seed);
      const int move = list.move[seed % list.size];
      plies.emplace_back(std::vector<int>(list.begin(), list.end()), move);
      position.play(move);
    }
    outcome = static_cast<int>(position.outcome);
  });
  return {plies, outcome};
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "The native core: fast positions and searches behind one narrow door.";
  module.def("perft", &perft_of, nb::arg("position"), nb::arg("depth"),
             "Count the move sequences of exactly `depth` plies.");
  module.def("random_game", &random_game, nb::arg("position"), nb::arg("seed"),
             "Play at random to the end: [(legal moves, move played), ...] and the outcome.");
}
