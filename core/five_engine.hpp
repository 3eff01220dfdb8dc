// The engine of five in a row on large boards: `FiveSearch` where it is the best method, and the
// general engine of row games for all others. Defined in five_engine.cpp.
#pragma once

#include <functional>
#include <memory>

#include "engine_interface.hpp"
#include "row.hpp"

namespace noughts {

using MakeEngine = std::function<std::unique_ptr<Engine>(const Resources&)>;

// Whether rules are five in a row on a large board.
bool plays_five(const RowId& id);

// Make the engine of such rules; `make_other` makes the general one at its first use.
std::unique_ptr<Engine> make_five_engine(const RowId& id, const Resources& resources,
                                         MakeEngine make_other);

}  // namespace noughts
