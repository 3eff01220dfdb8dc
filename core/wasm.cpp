// The WebAssembly interface of the core: texts and plain numbers go in, JSON comes out.
//
// The loader, src/noughts/web/static/core/core.js, is the one caller of these exports. A text is
// UTF-8 in memory of `allocate`, given by its address and size in bytes. A function that ends in an
// answer returns the answer's size; `answer` is its address until the next call. A negative size is
// that of a message instead, and `fault` its kind. Handles of engines and nets are not 0.
//
//     position(start, moves)            {"turn": "X", "board": {...}, ...}, see facts.hpp
//     hint(position, values)            [{"phrase": {...}, "sketch": {...}}, ...], see hint.hpp
//     threat_tree(position, ...)        the codes of a tree, see threat_tree.hpp
//     perft(position, depth)            281067408
//     random_game(position, seed)       {"plies": [[legal moves, move], ...], "outcome": 1}
//     book_place(position)              [index, size of the book]
//     count(position, limits)           "complete"; reports [[classes, positions, "sequences"], ..]
//     net_estimate(net, position)       -120
//     engine_search(engine, ...)        a finding: {"move": 40, "score": 12, ..., "pv": [40, 36]}
//     engine_scores(engine, ...)        [[move, finding], ...], best first
//
// `start` is called once, after `_initialize` of the C library. Numbers are those of the Python
// interface. The largest number of an unsigned argument, and infinite seconds, mean no limit.
//
// Imports of `noughts`:
//     report(address, size)   a report of the call in progress, JSON as its answer
//     must_stop()             whether the call in progress must end; asked every 10 ms
//     out_of_memory()         no memory is left; does not return
// and of `wasi_snapshot_preview1`, used by the C library: clock_time_get, and for the message of a
// fatal error fd_write, fd_seek and fd_close.
//
// One thread calls these. A report may call any function but those of the engine that searches. The
// build with shared memory also has, for the instances of other workers,
//
//     add_helper()            the address of the state of a helper, 0 if there are no more
//     help(address)           the work of a helper, which is free from then on; does not return
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "count.hpp"
#include "engine.hpp"
#include "five_search.hpp"
#include "notation.hpp"

// What follows needs no speed: the smaller the file, the sooner a page has the core.
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#include "hint.hpp"
#include "threat_tree.hpp"
#include "wasm_rules.hpp"
#pragma clang attribute pop

#include "five_engine.cpp"  // one file: `shared.hpp` defines the functions of memory

IMPORT("report") void imported_report(const char* text, int size);
IMPORT("must_stop") int imported_must_stop();

using namespace noughts;

namespace {

int refuse_text(std::string_view text) {
  return refuse(Fault::value, "the core cannot read " + std::string(text));
}

void tell(const Json& json) {
  imported_report(json.text().data(), static_cast<int>(json.text().size()));
}

// A number that is not negative, to nine decimals.
std::string decimal(double number) {
  constexpr std::uint64_t unit = 1'000'000'000;
  const auto whole = static_cast<std::uint64_t>(std::min(number * unit, 1e18));
  const std::string part = std::to_string(unit + whole % unit);
  return std::to_string(whole / unit) + '.' + part.substr(1);
}

std::string decimal(const Words<2>& number) {
  std::uint64_t parts[] = {number.word[1] >> 32, number.word[1] & 0xffff'ffff, number.word[0] >> 32,
                           number.word[0] & 0xffff'ffff};
  std::string digits;
  do {
    std::uint64_t rest = 0;
    for (std::uint64_t& part : parts) {
      part |= rest << 32;
      rest = part % 10;
      part /= 10;
    }
    digits.insert(digits.begin(), static_cast<char>('0' + rest));
  } while (parts[0] | parts[1] | parts[2] | parts[3]);
  return digits;
}

Json json(const Finding& found) {
  return Json::object({
      {"move", found.move},
      {"score", found.score},
      {"exact", found.exact},
      {"lower", found.lower},
      {"upper", found.upper},
      {"depth", found.depth},
      {"nodes", found.nodes},
      {"simulations", found.simulations},
      {"seconds", Json::written(decimal(found.seconds))},
      {"table_use", Json::written(decimal(found.table_use))},
      {"pv", found.pv},
  });
}

Json json(const Scores& scores) {
  std::vector<Json> rows;
  for (const auto& [move, found] : scores) rows.push_back(std::vector{Json(move), json(found)});
  return rows;
}

Json json(const Layer& layer) {
  std::vector<Json> rows;
  for (const Tally& tally : layer)
    rows.push_back(std::vector<Json>{tally.classes, tally.positions, decimal(tally.sequences)});
  return rows;
}

const std::atomic<bool> never{false};

Control control_of(const Limit& limit, const std::atomic<bool>& stop) {
  constexpr double interval = 0.01;
  return {limit, stop, {[] { return imported_must_stop() == 0; }, interval}};
}

// Parse `text` and call `visit` with the position and a control; answer with its result.
template <class Visit>
int answer_for(std::string_view text, const Limit& limit, Visit&& visit) {
  Control control = control_of(limit, never);
  std::optional<Json> result;
  if (!visit_position(text, [&](auto&& position) { result = visit(position, control); }))
    return refuse_text(text);
  if (result) return answer_with(*result);
  if (control.stopped()) return refuse(Fault::stopped, "the call was stopped");
  return 0;
}

// A net that several engines may share.
struct WasmNet {
  AnyNet net;
};

// An engine, with the flags of its search in progress.
struct WasmEngine {
  std::unique_ptr<char[]> book;  // the engine refers to its text
  std::unique_ptr<Engine> engine;
  std::atomic<bool> stop{false};
  bool busy = false;
};

int refuse_busy() {
  return refuse(Fault::busy, "this engine is searching: end that search first, or use another one");
}

// Call `search` or `scores` of an engine, and answer with the result.
template <class Found, auto call>
int answer_of(WasmEngine& engine, std::string_view text, Method method, const Limit& limit) {
  if (engine.busy) return refuse_busy();
  engine.busy = true;
  Control control = control_of(limit, engine.stop);
  Found found;
  const auto report = [](const Found& so_far) { tell(json(so_far)); };
  const bool known = (engine.engine.get()->*call)(text, method, control, report, found);
  engine.busy = false;
  return known ? answer_with(json(found)) : refuse_text(text);
}

Limit limit_of(int depth, std::uint64_t nodes, double seconds, std::uint64_t simulations,
               double target) {
  Limit limit;
  limit.depth = depth;
  limit.nodes = nodes;
  limit.seconds = seconds;
  limit.simulations = simulations;
  limit.target = target;
  return limit;
}

}  // namespace

#ifdef __wasm_atomics__
EXPORT("add_helper") Helper* add_helper() {
  static int known = 0;
  return known < max_helpers ? &helpers[known++] : nullptr;
}
EXPORT("help") void help(Helper* helper) { helper->help(); }
#endif

EXPORT("hint") int hint_of(const char* text, int size, const char* values, int values_size) {
  const std::string_view view(text, static_cast<std::size_t>(size));
  const auto found = hint(view, {values, static_cast<std::size_t>(values_size)});
  return found ? answer_with(*found) : refuse_text(view);
}

EXPORT("threat_tree")
int threat_tree_of(const char* text, int size, int loses, int first, int most,
                   std::uint64_t nodes) {
  const std::string_view view(text, static_cast<std::size_t>(size));
  const auto id = parse_row_id(split(view, '~')[0]);
  if (!id || !has_threat_trees(*id)) return refuse_text(view);
  Limit limit;
  limit.nodes = nodes;
  Control control = control_of(limit, never);
  return answer_with(threat_tree(*id, view, loses != 0, first, most, control));
}

EXPORT("perft") int perft_of(const char* text, int size, int depth) {
  if (depth < 0) return refuse(Fault::value, "a limit is out of range");
  return answer_for({text, static_cast<std::size_t>(size)}, {},
                    [&](const auto& position, Control& control) -> std::optional<Json> {
                      std::uint64_t moves = 0;
                      const auto nodes =
                          perft(position, depth, [&] { return !control.must_stop(++moves); });
                      if (control.stopped()) return {};
                      return nodes;
                    });
}

EXPORT("random_game") int random_game(const char* text, int size, std::uint64_t seed) {
  return answer_for({text, static_cast<std::size_t>(size)}, {}, [&](auto position, Control&) {
    std::vector<Json> plies;
    MoveList list;
    for (position.moves(list); list.size; position.moves(list)) {
      seed = mixed(seed);
      const int move = list.move[seed % list.size];
      plies.push_back(std::vector<Json>{std::vector<int>(list.begin(), list.end()), move});
      position.play(move);
    }
    return Json::object({{"plies", plies}, {"outcome", static_cast<int>(position.outcome)}});
  });
}

EXPORT("book_place") int book_place(const char* text, int size) {
  const std::string_view view(text, static_cast<std::size_t>(size));
  const int done = answer_for(view, {}, [&](const auto& position, Control&) -> std::optional<Json> {
    const auto place = place_in_book(position);
    if (!place) return {};
    return std::vector<std::uint64_t>{place->first, place->second};
  });
  if (done != 0) return done;
  return refuse_text(view);
}

EXPORT("count")
int count_of(const char* text, int size, int plies, double seconds, std::uint64_t bytes) {
  Limit limit;
  limit.seconds = seconds;
  return answer_for(
      {text, static_cast<std::size_t>(size)}, limit,
      [&](const auto& position, Control& control) -> std::optional<Json> {
        constexpr std::string_view names[] = {"complete", "plies", "seconds", "memory", "overflow"};
        const auto end = count_positions(position, plies, bytes, control,
                                         [](const Layer& layer) { tell(json(layer)); });
        if (imported_must_stop()) return {};
        return names[static_cast<int>(end)];
      });
}

// Return a net of the bytes of its file; 0 if their number is wrong.
EXPORT("net_new") WasmNet* net_new(const char* text, int size) {
  if (const auto net = AnyNet::of({text, static_cast<std::size_t>(size)})) return new WasmNet{*net};
  refuse(Fault::value, AnyNet::refusal());
  return nullptr;
}
EXPORT("net_delete") void net_delete(WasmNet* net) { delete net; }
EXPORT("net_estimate") int net_estimate(const WasmNet* net, const char* text, int size) {
  const std::string_view view(text, static_cast<std::size_t>(size));
  const int done = answer_for(view, {}, [&](const auto& position, Control&) -> std::optional<Json> {
    const auto estimate = estimate_of(net->net, position, view);
    return estimate ? std::optional<Json>(*estimate) : std::nullopt;
  });
  if (done != 0) return done;
  return refuse_text(view);
}

// Return an engine; 0 if there is none with this book and net. `book` is memory of `allocate` that
// the engine takes, or 0; `net` may be 0.
EXPORT("engine_new")
WasmEngine* engine_new(const char* rules, int rules_size, int table_mib, std::uint64_t seed,
                       const char* evaluation, int evaluation_size, int stones, char* book,
                       int book_size, const WasmNet* net, int threads) {
  const std::string_view id(rules, static_cast<std::size_t>(rules_size));
  const std::string_view kind(evaluation, static_cast<std::size_t>(evaluation_size));
  auto made = std::make_unique<WasmEngine>();
  made->book.reset(book);
  made->engine =
      make_engine(id, {table_mib, threads, seed}, kind, stones,
                  {book, static_cast<std::size_t>(book_size)}, net ? net->net : AnyNet{});
  if (made->engine) return made.release();
  refuse_text(std::string(id) + ' ' + std::string(kind));
  return nullptr;
}
EXPORT("engine_delete") int engine_delete(WasmEngine* engine) {
  if (engine->busy) return refuse_busy();
  delete engine;
  return 0;
}
EXPORT("engine_arm") void engine_arm(WasmEngine* engine) {
  if (!engine->busy) engine->stop = false;
}
EXPORT("engine_stop") void engine_stop(WasmEngine* engine) { engine->stop = true; }
EXPORT("engine_clear") int engine_clear(WasmEngine* engine) {
  if (engine->busy) return refuse_busy();
  engine->engine->clear();
  return 0;
}
EXPORT("engine_search")
int engine_search(WasmEngine* engine, const char* text, int size, Method method, int depth,
                  std::uint64_t nodes, double seconds, std::uint64_t simulations, double target) {
  return answer_of<Finding, &Engine::search>(*engine, {text, static_cast<std::size_t>(size)},
                                             method,
                                             limit_of(depth, nodes, seconds, simulations, target));
}
EXPORT("engine_scores")
int engine_scores(WasmEngine* engine, const char* text, int size, Method method, int depth,
                  std::uint64_t nodes, double seconds, std::uint64_t simulations, double target) {
  return answer_of<Scores, &Engine::scores>(*engine, {text, static_cast<std::size_t>(size)}, method,
                                            limit_of(depth, nodes, seconds, simulations, target));
}
