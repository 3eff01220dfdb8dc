// The engines of the row games for the bindings: a second file, so that two processors compile.
#include "engine.hpp"

namespace noughts {

#define NOUGHTS_ROW_ENGINE template
#include "row_engines.hpp"

}  // namespace noughts
