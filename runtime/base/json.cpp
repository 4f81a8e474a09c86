#include "runtime/base/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/base/printable.h"
#include "runtime/own_memory/own_memory.h"

namespace lbhm {
namespace {

/// Empty, or one sentence: the text is nested too deep or has too many values. One pass, no memory.
std::string beyond_limits(std::string_view text, const JsonLimits& limits) {
  int levels = 0;
  std::size_t values = 1;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;  // the next one is no quotation mark
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') ++levels;
    if (c == ']' || c == '}') --levels;
    if (c == ',' || c == '[' || c == '{') ++values;
    if (levels > limits.levels) return "it is nested deeper than " + std::to_string(limits.levels) + " levels";
    if (values > limits.values) return "it has more than " + std::to_string(limits.values) + " values";
    if (levels < 0) break;  // no parser gets beyond this
  }
  return {};
}

/// What the parser says, without the names of its own exceptions; a text may be long that it quotes.
std::string reason(std::string_view said) {
  constexpr std::string_view place = "parse error at ";
  constexpr std::size_t longest = 160;
  if (const auto bracket = said.find("] "); bracket != std::string_view::npos) said.remove_prefix(bracket + 2);
  if (said.starts_with(place)) said.remove_prefix(place.size());
  return printable(said.substr(0, longest)) + (said.size() > longest ? "..." : "");
}

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.empty()) return failure(StatusCode::malformed, "it is not valid JSON (it is empty)");
  if (std::string beyond = beyond_limits(text, limits); !beyond.empty())
    return failure(StatusCode::malformed, std::move(beyond));
  const own_memory::Reserve reserve;
  try {
    auto json = nlohmann::json::parse(text);
    if (!reserve.drawn()) return json;
    return failure(StatusCode::no_memory, "there is no memory for it; raise the limit of address space (ulimit -v)");
  } catch (const nlohmann::json::exception& error) {
    return failure(StatusCode::malformed, "it is not valid JSON, or was cut short (" + reason(error.what()) + ")");
  }
}

Status visit_json(std::string_view text, const JsonFile& file, const std::function<void(const JsonAt&)>& read,
                  const JsonLimits& limits) {
  const auto json = parse_json(text, limits);
  if (!json) return {json.error().code(), file.name + json.error().message() + file.remedy};
  try {
    read(JsonAt(*json, file));
  } catch (const MalformedJson& malformed) { return {StatusCode::malformed, malformed.sentence}; }
  return {};
}

void JsonAt::refuse(std::string_view what) const {
  throw MalformedJson{text_of(file_->name, place_.empty() ? "the top level" : place_, " ", what, file_->remedy)};
}

std::string JsonAt::place_of(std::string_view key) const {
  return place_.empty() ? std::string(key) : text_of(place_, ".", key);
}

void JsonAt::allow_only(std::initializer_list<std::string_view> keys, std::string_view schema) const {
  if (!value_->is_object()) refuse("must be an object");
  for (const auto& item : value_->items()) {
    if (std::ranges::find(keys, item.key()) == keys.end())
      JsonAt(item.value(), *file_, place_of(printable(item.key())))
          .refuse(text_of("is not a key of ", schema, "; remove it or correct its name"));
  }
}

bool JsonAt::has(std::string_view key) const { return value_->is_object() && value_->contains(key); }

std::optional<JsonAt> JsonAt::find(std::string_view key) const {
  if (!value_->is_object()) refuse("must be an object");
  const auto found = value_->find(key);
  if (found == value_->end() || found->is_null()) return std::nullopt;
  return JsonAt(*found, *file_, place_of(key));
}

JsonAt JsonAt::operator[](std::string_view key) const {
  if (!value_->is_object() && !place_.empty()) refuse("must be an object");
  const auto found = value_->find(key);  // the end where this is no object
  if (found == value_->end()) JsonAt(*value_, *file_, place_of(key)).refuse("is missing");
  return {*found, *file_, place_of(key)};
}

const std::string& JsonAt::text() const {
  if (!value_->is_string()) refuse("must be a text");
  return value_->get_ref<const std::string&>();
}

const std::string& JsonAt::filled_text() const {
  if (!value_->is_string() || text().empty()) refuse("must be a text that is not empty");
  return text();
}

std::string JsonAt::quoted() const {
  const std::string& whole = text();
  return whole.size() > 40 ? "a text of " + std::to_string(whole.size()) + " bytes" : '"' + printable(whole) + '"';
}

void JsonAt::must_be(std::string_view expected) const {
  if (!value_->is_string()) refuse(text_of("must be \"", expected, "\""));
  if (text() != expected) refuse(text_of("must be \"", expected, "\", not ", quoted()));
}

bool JsonAt::is_number() const { return value_->is_number(); }

double JsonAt::number(double least, double most) const {
  if (!is_number()) refuse("must be a number");
  const auto number = value_->get<double>();
  if (!(number >= least && number <= most))
    refuse(least == any_positive ? text_of("is ", number, "; it must be above 0, and ", most, " at most")
                                 : text_of("is ", number, "; it must be from ", least, " to ", most));
  return number;
}

std::uint64_t JsonAt::whole(std::uint64_t least, std::uint64_t most) const {
  const double result = number(static_cast<double>(least), static_cast<double>(most));
  if (result != std::floor(result)) refuse("must be a whole number");
  return value_->is_number_unsigned() ? value_->get<std::uint64_t>() : static_cast<std::uint64_t>(result);
}

std::vector<JsonAt> JsonAt::list(std::size_t least, std::size_t most) const {
  if (!value_->is_array() || value_->size() < least || value_->size() > most)
    refuse(text_of("must be a list of ", least, " to ", most, " entries"));
  std::vector<JsonAt> entries;
  entries.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i)
    entries.emplace_back((*value_)[i], *file_, text_of(place_, "[", i, "]"));
  return entries;
}

std::vector<double> JsonAt::numbers(std::size_t count) const {
  if (!value_->is_array() || value_->size() != count) refuse(text_of("is no list of ", count, " numbers"));
  std::vector<double> numbers;
  numbers.reserve(count);
  for (const nlohmann::json& each : *value_) {
    const double number = each.is_number()    ? each.get<double>()
                          : each.is_boolean() ? (each.get<bool>() ? 1.0 : 0.0)
                                              : std::nan("");
    if (!std::isfinite(number)) refuse("has an entry that is no number");
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace lbhm
