#include "runtime/patterns/module_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lbhm/compiled_patterns.h"
#include "runtime/base/json.h"

namespace lbhm::patterns {
namespace {

using Json = nlohmann::json;

constexpr std::string_view module_schema = "lbhm.patterns.module/1";
constexpr std::string_view file_schema = "lbhm.patterns/1";

/// Says what is wrong; does not leave this file.
struct Wrong {
  std::string sentence;
};

const Json& need(const Json& of, const char* key, const char* what) {
  if (!of.is_object() || !of.contains(key)) throw Wrong{std::string(what) + " has no key '" + key + "'"};
  return of.at(key);
}

const Json& list(const Json& of, const char* key, const char* what) {
  const Json& value = need(of, key, what);
  if (!value.is_array()) throw Wrong{std::string("'") + key + "' of " + what + " is no list"};
  return value;
}

std::string text(const Json& of, const char* key, const char* what) {
  const Json& value = need(of, key, what);
  if (!value.is_string()) throw Wrong{std::string("'") + key + "' of " + what + " is no text"};
  return value.get<std::string>();
}

/// A number within [least, most].
double number(const Json& of, const char* key, const char* what, double least, double most) {
  const Json& value = need(of, key, what);
  if (!value.is_number()) throw Wrong{std::string("'") + key + "' of " + what + " is no number"};
  const double found = value.get<double>();
  if (!(found >= least && found <= most))
    throw Wrong{std::string("'") + key + "' of " + what + " is out of range: " + value.dump()};
  return found;
}

bool flag(const Json& of, const char* key) {
  if (!of.contains(key)) return false;
  if (!of.at(key).is_boolean()) throw Wrong{std::string("'") + key + "' of an access is neither true nor false"};
  return of.at(key).get<bool>();
}

PatternKind kind_of(const Json& access) {
  const std::string name = text(access, "kind", "an access");
  const auto found = std::find(pattern_names.begin(), pattern_names.end(), name);
  if (found == pattern_names.end()) throw Wrong{"an access has the kind '" + name + "', which does not exist"};
  return static_cast<PatternKind>(found - pattern_names.begin());
}

AccessPattern read_access(const Json& access) {
  AccessPattern pattern{.kind = kind_of(access)};
  const char* what = "an access";
  pattern.element = Bytes(static_cast<std::uint64_t>(number(access, "element", what, 0, 0x1p32)));
  if (!need(access, "stride", what).is_null())
    pattern.stride = static_cast<std::int64_t>(number(access, "stride", what, -0x1p52, 0x1p52));
  pattern.weight = number(access, "frequency", what, 0, 1e300);
  pattern.write = flag(access, "write");
  pattern.input_dependent = flag(access, "input_dependent");
  if (pattern.kind == PatternKind::stencil) {
    pattern.points = static_cast<std::uint32_t>(number(access, "points", what, 1, 1e6));
    pattern.dimensions = static_cast<std::uint32_t>(number(access, "dimensions", what, 1, 16));
  }
  return pattern;
}

std::uint64_t read_id(const std::string& hex) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), id, 16);
  if (hex.empty() || error != std::errc() || end != hex.data() + hex.size() || id >> (64 - LBHM_BASE_BITS) != 0)
    throw Wrong{"'id' of a module is not a hexadecimal number of at most 44 bits: " + hex};
  return id;
}

/// Numbers of a nest's bases are those of the module; accesses name them.
void read_nest(const Json& nest, ModulePatterns& module) {
  for (const Json& base : list(nest, "bases", "a nest")) {
    const auto at = static_cast<std::uint32_t>(number(base, "number", "a base", 0, (1 << LBHM_BASE_BITS) - 1));
    PatternBase& entry = module.bases[at];
    if (base.contains("name") && base.at("name").is_string()) entry.name = base.at("name").get<std::string>();
    if (base.contains("frequency")) entry.frequency = number(base, "frequency", "a base", 0, 1e300);
  }
  for (const Json& access : list(nest, "accesses", "a nest")) {
    const auto at = static_cast<std::uint32_t>(number(access, "base", "an access", 0, (1 << LBHM_BASE_BITS) - 1));
    const auto base = module.bases.find(at);
    if (base == module.bases.end()) throw Wrong{"an access has a base that its module does not list"};
    base->second.accesses.push_back(read_access(access));
  }
}

ModulePatterns read_module(const Json& content) {
  if (text(content, "schema", "a module") != module_schema)
    throw Wrong{"'schema' of a module is not " + std::string(module_schema) + "; build the program again"};
  ModulePatterns module{
      .id = read_id(text(content, "id", "a module")), .source = text(content, "source", "a module"), .bases = {}};
  for (const Json& nest : list(content, "nests", "a module")) read_nest(nest, module);
  return module;
}

/// Without exceptions beyond this file.
template <class Reader>
auto guarded(std::string_view text, Reader reader) -> Result<decltype(reader(Json()))> {
  const auto content = parse_json(text);
  if (!content) return std::unexpected(content.error());
  try {
    return reader(*content);
  } catch (const Wrong& wrong) { return failure(StatusCode::malformed, wrong.sentence); }
}

}  // namespace

Result<ModulePatterns> read_module(std::string_view text) {
  return guarded(text, [](const Json& content) { return read_module(content); });
}

Result<std::vector<ModulePatterns>> read_file(std::string_view content) {
  return guarded(content, [](const Json& file) {
    if (text(file, "schema", "the file") != file_schema)
      throw Wrong{"'schema' is not " + std::string(file_schema) + "; make the file with lbhm patterns --json"};
    std::vector<ModulePatterns> modules;
    for (const Json& module : list(file, "modules", "the file")) modules.push_back(read_module(module));
    return modules;
  });
}

}  // namespace lbhm::patterns
