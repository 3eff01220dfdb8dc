// The Python interface of batches: their arrays are those of NumPy, written in place.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

#include "batch.hpp"
#include "book_labels.hpp"

namespace nb = nanobind;
using namespace noughts;

namespace {

template <class Value>
using Array = nb::ndarray<Value, nb::c_contig, nb::device::cpu>;

// Games in step, and the arrays that they write.
class PythonBatch {
 public:
  PythonBatch(const std::string& rules_id, std::int64_t count, int threads)
      : count_(count), batch_(make_batch(rules_id, count, threads)) {
    if (!batch_) throw nb::value_error(("not rules of the core: " + rules_id).c_str());
  }

  std::tuple<int, int, int, int> shape() const {
    const BatchShape shape = batch_->shape();
    return {shape.rows, shape.columns, shape.planes, shape.actions};
  }

  void begin(Array<std::uint8_t> observation, Array<bool> legal, Array<float> reward,
             Array<bool> terminated, Array<std::int8_t> turn, Array<std::int32_t> ply) {
    const BatchShape shape = batch_->shape();
    const auto cells = static_cast<std::size_t>(shape.rows) * shape.columns * shape.planes;
    const std::size_t games = count_;
    if (observation.size() != games * cells || legal.size() != games * shape.actions ||
        reward.size() != games * 2 || terminated.size() != games || turn.size() != games ||
        ply.size() != games)
      throw nb::value_error("an array has another size");
    arrays_ = {observation, legal, reward, terminated, turn, ply};
    work([&] {
      batch_->begin({observation.data(), reinterpret_cast<std::uint8_t*>(legal.data()),
                     reward.data(), reinterpret_cast<std::uint8_t*>(terminated.data()),
                     reinterpret_cast<std::uint8_t*>(turn.data()), ply.data()});
    });
  }

  std::int64_t step(Array<const std::int64_t> actions, Illegal illegal, std::uint64_t seed) {
    check(actions.size());
    std::int64_t refused = -1;
    work([&] { refused = batch_->step(actions.data(), illegal, seed); });
    return refused;
  }

  void reset(Array<const bool> mask) {
    check(mask.size());
    work([&] { batch_->reset(reinterpret_cast<const std::uint8_t*>(mask.data())); });
  }

  void sample(Array<std::int64_t> actions, std::uint64_t seed) {
    check(actions.size());
    work([&] { batch_->sample(actions.data(), seed); });
  }

  std::tuple<int, int, int> boards(std::int64_t game) const {
    if (game < 0 || game >= count_) throw nb::index_error();
    const auto [target, x, o] = batch_->boards(game);
    return {target, x, o};
  }

  void load(std::int64_t game, const std::string& text) {
    if (game < 0 || game >= count_) throw nb::index_error();
    bool is_valid = false;
    work([&] { is_valid = batch_->load(game, text); });
    if (!is_valid) throw nb::value_error(("not a position of these rules: " + text).c_str());
  }

 private:
  void check(std::size_t size) const {
    if (!arrays_) throw nb::value_error("the batch has no arrays");
    if (size != static_cast<std::size_t>(count_))
      throw nb::value_error("an array has another size");
  }

  // Do the work without the GIL; a second thread waits.
  template <class Work>
  void work(Work&& act) {
    nb::gil_scoped_release unlocked;
    const std::lock_guard<std::mutex> alone(mutex_);
    act();
  }

  std::int64_t count_;
  std::unique_ptr<Batch> batch_;
  // They live as long as the batch writes to them.
  std::optional<std::tuple<Array<std::uint8_t>, Array<bool>, Array<float>, Array<bool>,
                           Array<std::int8_t>, Array<std::int32_t>>>
      arrays_;
  std::mutex mutex_;
};

// The labels of a book, in arrays of the caller.
class PythonBookLabels {
 public:
  PythonBookLabels(const std::string& rules_id, int stones, const nb::bytes& content) {
    const auto id = parse_row_id(rules_id);
    if (!id || !id->gravity || id->bits() > 64 || stones < 1 ||
        stones > Connect4Board::mirrored_up_to)
      throw nb::value_error(("no book can hold positions of " + rules_id).c_str());
    const RowRules<Bits64> rules(*id);
    const std::string_view text(content.c_str(), content.size());
    if (BookIndex(rules, stones).size() != text.size())
      throw nb::value_error("the book has another size");
    nb::gil_scoped_release unlocked;
    labels_.emplace(rules, stones, text);
  }

  void label(Array<const std::uint8_t> observation, Array<std::int8_t> value,
             Array<std::int32_t> distance, Array<std::int8_t> moves) const {
    const std::size_t count = value.size(), cells = labels_->cells(), columns = labels_->columns();
    if (observation.size() != 2 * cells * count || distance.size() != count ||
        moves.size() != columns * count)
      throw nb::value_error("an array has another size");
    nb::gil_scoped_release unlocked;
    for (std::size_t i = 0; i < count; ++i)
      labels_->label(observation.data() + 2 * cells * i, value.data()[i], distance.data()[i],
                     moves.data() + columns * i);
  }

 private:
  std::optional<BookLabels> labels_;
};

}  // namespace

void bind_batch(nb::module_& module) {
  nb::enum_<Illegal>(module, "Illegal")
      .value("refuse", Illegal::refuse)
      .value("lose", Illegal::lose)
      .value("random", Illegal::random)
      .value("ignore", Illegal::ignore);
  nb::class_<PythonBatch>(module, "Batch", "Games in step, in arrays of the caller.")
      .def(nb::init<const std::string&, std::int64_t, int>(), nb::arg("rules"), nb::arg("count"),
           nb::arg("threads"))
      .def("shape", &PythonBatch::shape, "Return rows, columns, planes and actions of a game.")
      .def("begin", &PythonBatch::begin, nb::arg("observation"), nb::arg("legal"),
           nb::arg("reward"), nb::arg("terminated"), nb::arg("turn"), nb::arg("ply"),
           "Start all games; write to these arrays from now on.")
      .def("step", &PythonBatch::step, nb::arg("actions"), nb::arg("illegal"), nb::arg("seed"),
           "Play an action in each game; return the first game that refuses, or -1.")
      .def("reset", &PythonBatch::reset, nb::arg("mask"), "Start the games of a mask.")
      .def("sample", &PythonBatch::sample, nb::arg("actions"), nb::arg("seed"),
           "Write a random legal action of each game.")
      .def("boards", &PythonBatch::boards, nb::arg("game"),
           "Return the board that the last move chose, -1 for none, and the won boards of X and O.")
      .def("load", &PythonBatch::load, nb::arg("game"), nb::arg("position"),
           "Set up a position in a game.");
  nb::class_<PythonBookLabels>(module, "BookLabels",
                               "Values of Connect Four positions with fewer stones than a book's.")
      .def(nb::init<const std::string&, int, const nb::bytes&>(), nb::arg("rules"),
           nb::arg("stones"), nb::arg("content"))
      .def("label", &PythonBookLabels::label, nb::arg("observation"), nb::arg("value"),
           nb::arg("distance"), nb::arg("moves"),
           "Write -1, 0 or 1 for each position and move; 2 for unknown, 9 for illegal.");
}
