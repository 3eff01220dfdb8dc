// Times Pascal Pons' Connect Four solver, which is not part of this project, for bench/engine.py.
//
//     c++ -O3 -I CHECKOUT bench/pons.cpp CHECKOUT/Solver.cpp -o pons
//     ./pons < positions       one position a line: its moves and its score
//
// Prints for each position: score, nodes, nanoseconds of the search (the moves read), of the reset.
#include <Solver.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

using GameSolver::Connect4::Position;
using GameSolver::Connect4::Solver;

namespace {

long long nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

int main() {
  Solver solver;
  std::string moves, score;
  while (std::cin >> moves >> score) {
    const long long before = nanoseconds();
    solver.reset();
    const long long reset = nanoseconds();
    Position position;
    position.play(moves);
    const int value = solver.solve(position);
    const long long solved = nanoseconds();
    std::printf("%d %llu %lld %lld\n", value, solver.getNodeCount(), solved - reset,
                reset - before);
  }
}
