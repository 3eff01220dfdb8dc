// The WebAssembly module of the rules alone, which a page loads before that of wasm.cpp.
#include "wasm_rules.hpp"
