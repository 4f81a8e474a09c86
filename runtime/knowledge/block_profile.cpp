#include "runtime/knowledge/block_profile.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/base/json.h"

namespace lbhm {
namespace {

using Json = nlohmann::json;

std::unexpected<Status> malformed(const std::string& file, const std::string& what) {
  return failure(StatusCode::malformed,
                 "LBHM_PROFILE=" + file + ": " + what + "; make it again with lbhm profile --output " + file);
}

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

const Json* list_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? &*found : nullptr;
}

std::optional<Nanoseconds> time_at(const Json& counter, const char* key) {
  const auto found = counter.find(key);
  if (found == counter.end() || !found->is_number()) return std::nullopt;
  const auto time = found->get<double>();
  if (!std::isfinite(time) || time < 0) return std::nullopt;
  return Nanoseconds(time);
}

std::optional<std::uint64_t> parse_id(const std::string& text) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id, 16);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return id;
}

std::optional<ProfiledModule> parse_module(const Json& module) {
  const Json* counters = list_at(module, "counters");
  if (!counters) return std::nullopt;
  ProfiledModule parsed{.source = text_at(module, "source"), .times = {}};
  for (const Json& counter : *counters) {
    const auto slow = time_at(counter, "slow_ns");
    const auto fast = time_at(counter, "fast_ns");
    if (!slow || !fast) return std::nullopt;
    parsed.times.push_back({*slow, *fast});
  }
  return parsed;
}

const ProfiledModule* find(const BlockProfile* profile, const BlockModule& module) {
  if (!profile) return nullptr;
  const auto found = profile->modules.find(module.id);
  return found != profile->modules.end() && found->second.times.size() == module.blocks.size() ? &found->second
                                                                                               : nullptr;
}

}  // namespace

Result<BlockProfile> parse_profile(std::string_view text, const std::string& file) {
  const auto content = parse_json(text);
  if (!content) return malformed(file, content.error().message());
  const Json& json = *content;
  if (!json.is_object()) return malformed(file, "it is not a JSON object");
  const bool sections = text_at(json, "schema") == "lbhm.profile/2";  // before there was the one of blocks alone
  if (!sections && text_at(json, "schema") != "lbhm.profile/1")
    return malformed(file, "it does not have the schema lbhm.profile/2");
  const auto blocks = sections ? json.find("blocks") : json.end();
  if (sections && (blocks == json.end() || !blocks->is_object()))
    return malformed(file, "it has no section \"blocks\": the program counted none");
  const Json* modules = list_at(sections ? *blocks : json, "modules");
  if (!modules) return malformed(file, "it has no list \"modules\"");
  BlockProfile profile{.file = file, .machine = text_at(json, "machine"), .modules = {}};
  for (std::size_t i = 0; i < modules->size(); ++i) {
    const auto id = parse_id(text_at((*modules)[i], "id"));
    auto module = parse_module((*modules)[i]);
    if (!id || !module)
      return malformed(file, "it has a module (number " + std::to_string(i) +
                                 ") without id, or with a counter without times of 0 ns or more");
    profile.modules.insert_or_assign(*id, std::move(*module));
  }
  return profile;
}

std::vector<BlockFacts> block_facts(const std::vector<BlockModule>& modules, const BlockProfile* profile) {
  std::vector<BlockFacts> facts;
  for (const BlockModule& module : modules) {
    const ProfiledModule* profiled = find(profile, module);
    facts.resize(module.first);
    for (std::size_t i = 0; i < module.blocks.size(); ++i) {
      const lbhm_block& block = module.blocks[i];
      const BlockTime time = profiled ? profiled->times[i] : BlockTime{};
      facts.push_back({.input_independent = (block.flags & LBHM_BLOCK_INPUT_INDEPENDENT) != 0,
                       .instructions = static_cast<double>(block.instructions),
                       .slow = time.slow,
                       .fast = time.fast});
    }
  }
  return facts;
}

std::vector<std::string> stale_modules(const std::vector<BlockModule>& modules, const BlockProfile& profile) {
  std::vector<std::string> sentences;
  for (const BlockModule& module : modules) {
    const bool profiled =
        std::ranges::any_of(profile.modules, [&](const auto& entry) { return entry.second.source == module.source; });
    if (profiled && !find(&profile, module))
      sentences.push_back("LBHM_PROFILE=" + profile.file + ": " + module.source +
                          " has changed since it was profiled, so the times of its blocks are not used; run lbhm "
                          "profile again");
  }
  return sentences;
}

}  // namespace lbhm
