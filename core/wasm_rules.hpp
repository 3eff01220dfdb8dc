// The part of the WebAssembly interface that every module has: memory, answers and positions.
//
// wasm.cpp adds searches; rules.cpp adds nothing, and makes a small module that pages load first.
// Their comments are in wasm.cpp. Included once in each module, since it defines exports.
#pragma once

#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "facts.hpp"

#define EXPORT(name) extern "C" __attribute__((export_name(name)))
#define IMPORT(name) extern "C" __attribute__((import_module("noughts"), import_name(name)))

IMPORT("out_of_memory") void imported_out_of_memory();

namespace noughts {

// The kind of a refused call.
enum class Fault { none, value, busy, stopped };

inline std::string answer_text;
inline Fault answer_fault = Fault::none;

inline int answer_with(const Json& json) {
  answer_text = json.text();
  answer_fault = Fault::none;
  return static_cast<int>(answer_text.size());
}

inline int refuse(Fault fault, std::string message) {
  answer_text = std::move(message);
  answer_fault = fault;
  return -static_cast<int>(answer_text.size());
}

}  // namespace noughts

// To be called once, before any other export.
EXPORT("start") void start() {
  std::set_new_handler([] { imported_out_of_memory(); });
}

EXPORT("allocate") char* allocate(std::uint32_t size) { return new char[size]; }
EXPORT("release") void release(char* memory) { delete[] memory; }
EXPORT("answer") const char* answer() { return noughts::answer_text.data(); }
EXPORT("answer_size") int answer_size() { return static_cast<int>(noughts::answer_text.size()); }
EXPORT("fault") int fault() { return static_cast<int>(noughts::answer_fault); }

EXPORT("position") int position_of(const char* start, int start_size, const char* moves, int size) {
  bool is_fact;
  const auto facts = noughts::position_facts({start, static_cast<std::size_t>(start_size)},
                                             {moves, static_cast<std::size_t>(size)}, is_fact);
  return is_fact ? noughts::answer_with(facts)
                 : noughts::refuse(noughts::Fault::value, facts.text());
}
