// Reading a model file key by key, with complaints that say where in the file they are.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lbhm::model {

using Json = nlohmann::json;

/// What is wrong with a model file. Never leaves this room: parse_model makes a Status of it.
struct MalformedModel {
  std::string sentence;
};

/// A value of the file and its place.
class JsonAt {
 public:
  JsonAt(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  [[noreturn]] void refuse(const std::string& what) const { throw MalformedModel{place_ + " " + what}; }

  JsonAt operator[](const char* key) const {
    const auto found = json_.find(key);
    const std::string place = place_.empty() ? key : place_ + "." + key;
    if (!json_.is_object() || found == json_.end()) throw MalformedModel{place + " is missing"};
    return {*found, place};
  }

  bool has(const char* key) const { return json_.contains(key); }

  const std::string& text() const {
    if (!json_.is_string()) refuse("is no text");
    return json_.get_ref<const std::string&>();
  }

  /// Nothing if this is none, or too large for single precision.
  std::optional<double> number() const {
    if (!json_.is_number()) return std::nullopt;
    const double value = json_.get<double>();
    return std::abs(value) <= std::numeric_limits<float>::max() ? std::optional(value) : std::nullopt;
  }

  /// A text as a complaint shows it.
  std::string quoted() const {
    const std::string& whole = text();
    return whole.size() > 40 ? "a text of " + std::to_string(whole.size()) + " bytes" : '"' + whole + '"';
  }

  void must_be(const std::string& expected) const {
    if (text() != expected) refuse("is " + quoted() + ", not \"" + expected + "\"");
  }

  /// XGBoost writes whole numbers of its parameters as texts.
  std::size_t whole_text(std::size_t most) const {
    const std::string& digits = text();
    if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos)
      refuse("is no whole number");
    const std::size_t number = std::stoull(digits);
    if (number > most) refuse("is " + digits + "; there may be " + std::to_string(most) + " at most");
    return number;
  }

  std::vector<JsonAt> list(std::size_t most) const {
    if (!json_.is_array()) refuse("is no list");
    if (json_.size() > most)
      refuse("has " + std::to_string(json_.size()) + " entries; there may be " + std::to_string(most) + " at most");
    std::vector<JsonAt> entries;
    entries.reserve(json_.size());
    for (std::size_t i = 0; i < json_.size(); ++i)
      entries.push_back({json_[i], place_ + "[" + std::to_string(i) + "]"});
    return entries;
  }

  /// `count` finite numbers.
  std::vector<double> numbers(std::size_t count) const {
    if (!json_.is_array() || json_.size() != count) refuse("is no list of " + std::to_string(count) + " numbers");
    std::vector<double> values;
    values.reserve(count);
    for (const Json& each : json_) {
      const double value = each.is_number() ? each.get<double>() : each.is_boolean() ? each.get<bool>() : std::nan("");
      if (!std::isfinite(value)) refuse("has an entry that is no number");
      values.push_back(value);
    }
    return values;
  }

 private:
  const Json& json_;
  std::string place_;
};

}  // namespace lbhm::model
