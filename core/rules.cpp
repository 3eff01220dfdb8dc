// The rules as a WebAssembly module of their own, which a page loads before the searches of
// wasm.cpp.
#include "wasm_rules.hpp"
