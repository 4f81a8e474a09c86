// Part of the door of runtime/base: JSON that users wrote, read key by key. Every complaint names the file, the place
// in it, what must be there and what to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/base/status.h"

namespace lbhm {

/// A few bytes of a text can cost the parser hundreds each, and a deep value as much stack as it has levels when it is
/// copied or printed: the limits are looked at before there is a value.
struct JsonLimits {
  int levels = 64;                  ///< no format of ours nests 10
  std::size_t values = 1ull << 25;  ///< an oracle's placement of 512 GiB has a tenth of it
};

/// Errors: no_memory; malformed, a sentence without the file's name that says where the text stops being JSON.
Result<nlohmann::json> parse_json(std::string_view text, const JsonLimits& limits = {});

/// The arguments one after the other, for complaints; numbers as a stream prints them.
template <class... Parts>
std::string text_of(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

/// What stands around each complaint.
struct JsonFile {
  std::string name;    ///< in front: "machine file m.json: "
  std::string remedy;  ///< behind: "; write it again by lbhm machine measure"
};

/// Raised by JsonAt only; read_json makes a Status of it.
struct MalformedJson {
  std::string sentence;
};

/// A value of a file together with its place, as in tiers[1].name. It refers to the file, which must live on. What it
/// refuses ends read_json.
class JsonAt {
 public:
  JsonAt(const nlohmann::json& value, const JsonFile& file, std::string place = "")
      : value_(&value), file_(&file), place_(std::move(place)) {}

  [[noreturn]] void refuse(std::string_view what) const;

  /// Objects. A misspelt key would silently leave a default in force: refuses others than these. `schema` names the
  /// format.
  void allow_only(std::initializer_list<std::string_view> keys, std::string_view schema) const;
  bool has(std::string_view key) const;
  JsonAt operator[](std::string_view key) const;
  /// The value of a key that may be missing or null.
  std::optional<JsonAt> find(std::string_view key) const;

  /// Texts.
  const std::string& text() const;
  const std::string& filled_text() const;  ///< not empty
  std::string quoted() const;              ///< as a complaint shows it
  void must_be(std::string_view expected) const;

  /// Numbers, from `least` to `most`; any_positive is the least above 0.
  static constexpr double any_positive = 5e-324;
  bool is_number() const;
  double number(double least, double most) const;
  std::uint64_t whole(std::uint64_t least, std::uint64_t most) const;

  /// Lists.
  std::vector<JsonAt> list(std::size_t least, std::size_t most) const;
  std::vector<double> numbers(std::size_t count) const;  ///< finite ones; false and true are 0 and 1

  const nlohmann::json& value() const { return *value_; }

 private:
  const nlohmann::json& member(std::string_view key) const;
  std::string place_of(std::string_view key) const;

  const nlohmann::json* value_;
  const JsonFile* file_;
  std::string place_;
};

/// Calls `read` with the top of the text. Errors: as parse_json; malformed: what `read` refused.
Status visit_json(std::string_view text, const JsonFile& file, const std::function<void(const JsonAt&)>& read,
                  const JsonLimits& limits = {});

/// What `read` makes of the text.
template <class Read>
auto read_json(std::string_view text, const JsonFile& file, Read read, const JsonLimits& limits = {})
    -> Result<std::invoke_result_t<Read, const JsonAt&>> {
  std::optional<std::invoke_result_t<Read, const JsonAt&>> made;
  if (Status status = visit_json(text, file, [&](const JsonAt& top) { made = read(top); }, limits); !status.ok())
    return std::unexpected(std::move(status));
  return std::move(*made);  // NOLINT(bugprone-unchecked-optional-access): what was visited was read
}

}  // namespace lbhm
