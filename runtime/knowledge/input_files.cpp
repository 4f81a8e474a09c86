#include "runtime/knowledge/input_files.h"

#include <nlohmann/json.hpp>

#include "runtime/base/files.h"
#include "runtime/base/json.h"

namespace lbhm {
namespace {

constexpr Bytes largest = MiB(256);  // a program's patterns or blocks: far less

/// `maker`: the command that makes such files.
Result<std::string> content_of(const std::string& path, const std::string& variable, const std::string& maker) {
  auto content = read_file(path, largest);
  if (!content) {
    return failure(content.error().code(), variable + "=" + path + ": " + content.error().message() +
                                               "; make it with " + maker + ", or unset " + variable);
  }
  return content;
}

using Json = nlohmann::json;

/// A number of a row above 0, or nothing.
std::optional<double> positive(const Json& row, const char* key) {
  if (!row.is_object() || !row.contains(key) || !row.at(key).is_number()) return std::nullopt;
  const double value = row.at(key).get<double>();
  return value > 0 && value <= 0x1p53 ? std::optional(value) : std::nullopt;
}

std::optional<StencilRow> stencil_row(const Json& row) {
  const auto dimensions = positive(row, "dimensions"), points = positive(row, "points");
  const auto element = positive(row, "element_bytes"), object = positive(row, "object_bytes");
  if (!dimensions || *dimensions > 3 || !points || *points > 1e6 || !element || !object) return std::nullopt;
  const Json accesses = row.value("accesses_per_element", Json());
  if (!accesses.is_number() || !(accesses.get<double>() >= 0) || accesses.get<double>() > 1e6) return std::nullopt;
  return StencilRow{.dimensions = static_cast<std::uint32_t>(*dimensions),
                    .points = static_cast<std::uint32_t>(*points),
                    .element = Bytes(static_cast<std::uint64_t>(*element)),
                    .object = Bytes(static_cast<std::uint64_t>(*object)),
                    .accesses_per_element = accesses.get<double>()};
}

Status malformed(std::string sentence) { return Status(StatusCode::malformed, std::move(sentence)); }

}  // namespace

Result<StencilTable> parse_stencils(std::string_view content, const std::string& machine) {
  const auto parsed = parse_json(content);
  if (!parsed) return std::unexpected(parsed.error());
  const Json& file = *parsed;
  if (!file.is_object()) return std::unexpected(malformed("it is not a JSON object"));
  if (file.value("schema", Json()) != "lbhm.alpha/1")
    return std::unexpected(malformed("'schema' is not lbhm.alpha/1; make the file with lbhm machine alpha"));
  if (file.value("machine", Json()) != machine)
    return std::unexpected(malformed("it was measured on machine " + file.value("machine", Json()).dump() +
                                     ", not on '" + machine + "'; measure this one with lbhm machine alpha"));
  const Json rows = file.value("stencils", Json());
  if (!rows.is_array()) return std::unexpected(malformed("'stencils' is no list"));
  StencilTable table;
  for (const Json& each : rows) {
    const auto row = stencil_row(each);
    if (!row) return std::unexpected(malformed("a row of 'stencils' lacks a number or has one out of range"));
    table.rows.push_back(*row);
  }
  return table;
}

Result<StencilTable> read_alpha_file(const std::string& path, const std::string& machine) {
  if (path.empty()) return StencilTable();
  const auto content = content_of(path, "LBHM_ALPHA", "lbhm machine alpha");
  if (!content) return std::unexpected(content.error());
  auto table = parse_stencils(*content, machine);
  if (!table) return failure(table.error().code(), "LBHM_ALPHA=" + path + ": " + table.error().message());
  return table;
}

Status read_patterns_file(const std::string& path, PatternCatalog& catalog) {
  if (path.empty()) return {};
  const auto content = content_of(path, "LBHM_PATTERNS", "lbhm patterns --json");
  if (!content) return content.error();
  if (Status status = catalog.add_file(*content, path); !status.ok())
    return Status(status.code(), "LBHM_PATTERNS=" + path + ": " + status.message());
  return {};
}

Result<std::optional<BlockProfile>> read_profile(const std::string& path, const std::string& machine) {
  if (path.empty()) return std::nullopt;
  const auto content = content_of(path, "LBHM_PROFILE", "lbhm profile");
  if (!content) return std::unexpected(content.error());
  auto profile = parse_profile(*content, path);
  if (!profile) return std::unexpected(profile.error());
  if (profile->machine != machine)
    return failure(StatusCode::invalid_argument, "LBHM_PROFILE=" + path + ": it was measured on the machine " +
                                                     profile->machine + ", not on " + machine +
                                                     "; make it again with lbhm profile --machine " + machine);
  return std::move(*profile);
}

}  // namespace lbhm
