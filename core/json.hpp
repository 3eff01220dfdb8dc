// Writes JSON.
//
//     Json::object({{"turn", 'X'}, {"moves", std::vector{1, 2}}}).text() {"turn":"X","moves":[1,2]}
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace noughts {

// A JSON value, as its text.
class Json {
 public:
  struct Field;

  Json(std::nullptr_t) : text_("null") {}              // NOLINT: implicit, for fields
  Json(bool flag) : text_(flag ? "true" : "false") {}  // NOLINT
  template <std::integral Number>
  Json(Number number) : text_(std::to_string(number)) {}           // NOLINT
  Json(char letter) : Json(std::string_view(&letter, 1)) {}        // NOLINT
  Json(const char* text) : Json(std::string_view(text)) {}         // NOLINT
  Json(const std::string& text) : Json(std::string_view(text)) {}  // NOLINT
  Json(std::string_view text) : text_("\"") {                      // NOLINT
    constexpr std::string_view digits = "0123456789abcdef";
    for (const char c : text) {
      if (c == '"' || c == '\\') text_ += '\\';
      if (static_cast<unsigned char>(c) >= ' ') text_ += c;
      else ((text_ += "\\u00") += digits[c >> 4]) += digits[c & 15];
    }
    text_ += '"';
  }
  template <class Value>
  Json(const std::vector<Value>& values) : text_("[") {  // NOLINT
    for (const auto& value : values) add(Json(value));
    text_ += ']';
  }

  static Json object(std::initializer_list<Field> fields);
  // A value that is written already.
  static Json written(std::string text) {
    Json json(nullptr);
    json.text_ = std::move(text);
    return json;
  }
  // A number from 0 on; null for a smaller one.
  static Json or_null(int number) { return number < 0 ? Json(nullptr) : Json(number); }

  const std::string& text() const { return text_; }

 private:
  void add(const Json& value) {
    if (text_.size() > 1) text_ += ',';
    text_ += value.text_;
  }

  std::string text_;
};

struct Json::Field {
  std::string_view name;
  Json value;
};

inline Json Json::object(std::initializer_list<Field> fields) {
  std::string text = "{";
  for (const auto& [name, value] : fields) {
    if (text.size() > 1) text += ',';
    ((text += Json(name).text_) += ':') += value.text_;
  }
  return written(text + '}');
}

}  // namespace noughts
