#include "runtime/placement/placement_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "runtime/base/files.h"
#include "runtime/base/json.h"

namespace lbhm {
namespace {

using Json = nlohmann::json;

constexpr Bytes largest = MiB(512);
constexpr std::uint64_t largest_number = std::uint64_t{1}
                                         << 40;  // of objects, calls and pages: keeps products in range

std::unexpected<Status> malformed(std::string sentence) {
  return std::unexpected(Status(StatusCode::malformed, std::move(sentence)));
}

std::optional<std::uint64_t> whole(const Json& value) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest_number) return std::nullopt;
  return value.get<std::uint64_t>();
}

/// What the rows of the file are held against.
struct Limits {
  const PlacementScript& script;
  std::size_t tiers;
};

/// [object, first, pages, tier].
Result<ScriptedRun> run_of(const Json& row, const Limits& limits) {
  std::array<std::uint64_t, 4> numbers{};
  if (!row.is_array() || row.size() != numbers.size())
    return malformed("a run is not [object, first page, pages, tier]: " +
                     row.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 80));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = whole(row[i]);
    if (!number) return malformed("a run has something else than whole numbers from 0 to 2^40");
    numbers[i] = *number;
  }
  const auto [object, first, pages, tier] = numbers;
  const auto known = limits.script.objects.find(object);
  if (known == limits.script.objects.end())
    return malformed("a run names object " + std::to_string(object) + ", which is not in 'objects'");
  if (pages == 0 || first + pages > known->second.bytes.value / limits.script.page.value)
    return malformed("a run of object " + std::to_string(object) + " has no page, or goes beyond its end");
  if (tier >= limits.tiers)
    return malformed("a run names tier " + std::to_string(tier) + "; the machine has " + std::to_string(limits.tiers));
  return ScriptedRun{.object = object, .first = first, .pages = pages, .tier = TierId(static_cast<std::uint8_t>(tier))};
}

Result<std::vector<ScriptedRun>> runs_of(const Json& rows, const Limits& limits) {
  if (!rows.is_array()) return malformed("'births' or the 'runs' of 'moves' is no list");
  std::vector<ScriptedRun> runs;
  for (const Json& row : rows) {
    auto run = run_of(row, limits);
    if (!run) return std::unexpected(run.error());
    runs.push_back(*run);
  }
  return runs;
}

/// 16 digits.
std::optional<SiteId> site_of(const Json& value) {
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  SiteId site;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), site.value, 16);
  if (error != std::errc() || end != text.data() + text.size() || text.size() != 16) return std::nullopt;
  return site;
}

Status read_objects(const Json& rows, PlacementScript& script) {
  const Status bad(
      StatusCode::malformed,
      "'objects' is no list of objects with 'site' (16 digits), 'nth' (a whole number) and 'pages' (above 0)");
  if (!rows.is_array()) return bad;
  for (const Json& row : rows) {
    if (!row.is_object()) return bad;
    const auto site = site_of(row.value("site", Json()));
    const auto nth = whole(row.value("nth", Json())), pages = whole(row.value("pages", Json()));
    if (!site || !nth || !pages || *pages == 0) return bad;
    script.objects.emplace(script.objects.size(),
                           ScriptedObject{.site = *site, .nth = *nth, .bytes = script.page * *pages});
  }
  return {};
}

/// Of an entry of 'moves'; nothing: it belongs to the call itself.
Result<std::optional<RunningRegion>> region_of(const Json& row) {
  if (!row.contains("region") && !row.contains("barrier")) return std::nullopt;
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  const auto region = whole(row.value("region", Json())), barrier = whole(row.value("barrier", Json()));
  if (!region || !barrier || *barrier == 0 || *region > most || *barrier > most)
    return malformed(
        "an entry of 'moves' has one of 'region', a whole number, and 'barrier', above 0, and not the other");
  return RunningRegion{static_cast<std::uint32_t>(*region), static_cast<std::uint32_t>(*barrier)};
}

Status read_moves(const Json& rows, const Limits& limits, PlacementScript& script) {
  if (!rows.is_array()) return {StatusCode::malformed, "'moves' is no list"};
  for (const Json& row : rows) {
    const auto call = row.is_object() ? whole(row.value("call", Json())) : std::nullopt;
    if (!call) return {StatusCode::malformed, "an entry of 'moves' has no 'call', a whole number"};
    auto runs = runs_of(row.value("runs", Json()), limits);
    if (!runs) return runs.error();
    const auto region = region_of(row);
    if (!region) return region.error();
    if (row.contains("phase")) {
      if (!row["phase"].is_string()) return {StatusCode::malformed, "a 'phase' of 'moves' is no text"};
      script.phases[*call] = row["phase"].get<std::string>();
    }
    const bool first = *region ? script.inner_moves.emplace(ScriptedPoint{*call, **region}, std::move(*runs)).second
                               : script.moves.emplace(*call, std::move(*runs)).second;
    if (!first) return {StatusCode::malformed, "'moves' has call " + std::to_string(*call) + " twice at one point"};
  }
  return {};
}

}  // namespace

Result<PlacementScript> parse_placement(std::string_view content, std::size_t tiers, Bytes page) {
  const auto parsed = parse_json(content);
  if (!parsed) return std::unexpected(parsed.error());
  const Json& file = *parsed;
  if (!file.is_object()) return malformed("it is not a JSON object");
  if (file.value("schema", Json()) != "lbhm.placement/2") return malformed("'schema' is not lbhm.placement/2");
  if (file.value("page_bytes", Json()) != page.value)
    return malformed("'page_bytes' is not the machine's, " + std::to_string(page.value));
  if (const Json memories = file.value("tiers", Json()); memories.is_array() && memories.size() != tiers)
    return malformed("it is for a machine with " + std::to_string(memories.size()) + " memories, and this one has " +
                     std::to_string(tiers));
  PlacementScript script;
  script.page = page;
  const auto tier = whole(file.value("unmanaged_tier", Json()));
  if (!tier || *tier >= tiers) return malformed("'unmanaged_tier' is no tier of the machine");
  const Json whole_objects = file.value("whole", Json(false));
  if (!whole_objects.is_boolean()) return malformed("'whole' is neither true nor false");
  script.whole = whole_objects.get<bool>();
  script.unmanaged = TierId(static_cast<std::uint8_t>(*tier));
  if (Status status = read_objects(file.value("objects", Json()), script); !status.ok()) return std::unexpected(status);
  const Limits limits{.script = script, .tiers = tiers};
  auto births = runs_of(file.value("births", Json()), limits);
  if (!births) return std::unexpected(births.error());
  script.births = std::move(*births);
  std::ranges::sort(script.births, {}, [](const ScriptedRun& run) { return std::pair(run.object, run.first); });
  if (Status status = read_moves(file.value("moves", Json()), limits, script); !status.ok())
    return std::unexpected(status);
  return script;
}

Result<PlacementScript> read_placement(const std::string& path, std::size_t tiers, Bytes page) {
  const std::string remedy = "; make it with lbhm optimize, or for policy oracle with lbhm compare --oracle";
  if (path.empty()) return failure(StatusCode::invalid_argument, "LBHM_PLACEMENT: this policy needs a file" + remedy);
  const auto content = read_file(path, largest);
  if (!content)
    return failure(content.error().code(), "LBHM_PLACEMENT=" + path + ": " + content.error().message() + remedy);
  auto script = parse_placement(*content, tiers, page);
  if (!script)
    return failure(script.error().code(), "LBHM_PLACEMENT=" + path + ": " + script.error().message() + remedy);
  return script;
}

}  // namespace lbhm
