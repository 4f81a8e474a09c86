#include "runtime/host/sampling/event_source.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>

#include "runtime/base/folder_names.h"

namespace lbhm::sampling {
namespace {

std::optional<std::string> first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return line;
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The part before `mark`, which is taken off together with it.
std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t at = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

}  // namespace

std::optional<FieldBits> parse_field(std::string_view text) {
  static constexpr std::array<std::string_view, 3> words{"config", "config1", "config2"};
  const auto word = std::ranges::find(words, take_until(text, ':'));
  if (word == words.end() || text.empty()) return std::nullopt;
  FieldBits field{.word = static_cast<unsigned>(word - words.begin())};
  while (!text.empty()) {
    std::string_view range = take_until(text, ',');
    const auto first = parse_number(take_until(range, '-'));
    const auto last = range.empty() ? first : parse_number(range);
    if (!first || !last || *first > *last || *last > 63) return std::nullopt;
    for (std::uint64_t bit = *first; bit <= *last; ++bit) field.bits.push_back(static_cast<unsigned>(bit));
  }
  if (field.bits.size() > 64) return std::nullopt;
  return field;
}

EventSource::EventSource(std::string folder, std::string name, std::uint32_t type)
    : folder_(std::move(folder)), name_(std::move(name)), type_(type) {}

std::optional<EventSource> EventSource::find(const std::string& root, const std::string& name) {
  const std::string folder = root + "/sys/bus/event_source/devices/" + name;
  const auto line = first_line(folder + "/type");
  const auto type = line ? parse_number(*line) : std::nullopt;
  if (!type) return std::nullopt;
  return EventSource(folder, name, static_cast<std::uint32_t>(*type));
}

std::vector<EventSource> EventSource::all(const std::string& root, const std::string& prefix) {
  std::vector<EventSource> sources;
  for (const std::string& name : folder_names(root + "/sys/bus/event_source/devices")) {  // no such folder: no units
    if (name != prefix && !name.starts_with(prefix + "_")) continue;
    if (auto source = find(root, name)) sources.push_back(std::move(*source));
  }
  return sources;
}

std::optional<std::string> EventSource::event(const std::string& name) const {
  return first_line(folder_ + "/events/" + name);
}

bool EventSource::has_field(const std::string& name) const {
  return first_line(folder_ + "/format/" + name).has_value();
}

Status EventSource::set(const std::string& field, std::uint64_t value, perf_event_attr& attr) const {
  const std::string file = folder_ + "/format/" + field;
  const auto line = first_line(file);
  const auto place = line ? parse_field(*line) : std::nullopt;
  if (!place) return {StatusCode::malformed, file + ": names no bits; use another sampler (LBHM_SAMPLER)"};
  if (place->bits.size() < 64 && value >> place->bits.size() != 0)
    return {StatusCode::malformed, file + ": has no room for " + std::to_string(value)};
  std::array<__u64, 3> words{attr.config, attr.config1, attr.config2};
  for (std::size_t i = 0; i < place->bits.size(); ++i) {
    const __u64 bit = __u64{1} << place->bits[i];
    words[place->word] = (value >> i & 1) ? words[place->word] | bit : words[place->word] & ~bit;
  }
  attr.config = words[0];
  attr.config1 = words[1];
  attr.config2 = words[2];
  return {};
}

Status EventSource::apply(std::string_view terms, perf_event_attr& attr) const {
  while (!terms.empty()) {
    std::string_view value = take_until(terms, ',');
    const std::string field(take_until(value, '='));
    const auto number = value.empty() ? std::uint64_t{1} : parse_number(value);  // "edge" is short for "edge=1"
    if (field.empty() || !number || field.find('/') != std::string::npos)
      return {StatusCode::malformed, folder_ + "/events: the term '" + field + "' is no field=number"};
    if (Status status = set(field, *number, attr); !status.ok()) return status;
  }
  return {};
}

}  // namespace lbhm::sampling
