#include "lbhm/settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace lbhm {
namespace {

constexpr std::array kTable{
    Setting{"machine", "LBHM_MACHINE", "host", "name or path",
            "The machine to run on: host, the name of a preset, or the path of a machine file."},
    Setting{"policy", "LBHM_POLICY", "merchandiser", "name", "The placement policy."},
    Setting{"fast_capacity", "LBHM_FAST_CAPACITY", "the machine's", "bytes (K, M, G)",
            "How much of the fastest tier may be used."},
    Setting{"presets", "LBHM_PRESETS", "beside the library", "path", "The folder in which presets are looked up."},
    Setting{"report", "LBHM_REPORT", "none", "path", "Where the run report is written at the end of the program."},
    Setting{"sample_period", "LBHM_SAMPLE_PERIOD", "the machine's", "accesses",
            "One access in so many is sampled by policies that sample."},
    Setting{"seed", "LBHM_SEED", "1", "whole number", "Which of the first accesses is the first sample."},
    Setting{"managed_minimum", "LBHM_MANAGED_MINIMUM", "4096", "bytes (K, M, G)",
            "Smaller objects are not managed: they come from malloc."},
    Setting{"memory_mode", "LBHM_MEMORY_MODE", "off", "on or off",
            "Emulated machines: the fastest tier is a cache that the hardware keeps in front of the next one."},
    Setting{"patterns", "LBHM_PATTERNS", "the program's own", "path",
            "A file of lbhm patterns --json whose access patterns take the place of the program's own."},
    Setting{"alpha", "LBHM_ALPHA", "none", "path",
            "A file of lbhm machine alpha: the main-memory accesses of stencils on this machine."},
    Setting{"scaling", "LBHM_SCALING", "sizes", "sizes or cosine",
            "How the work of a new input follows from the sizes of its objects: our rule, or the paper's."},
    Setting{"fast_share", "LBHM_FAST_SHARE", "0.5", "0 to 1",
            "Policy scatter: how large a share of the pages is in the fastest tier."},
    Setting{"region_executions", "LBHM_REGION_EXECUTIONS", "1000", "executions",
            "So many executions of a code region by a thread are measured; later ones are only counted."},
    Setting{"blocks", "LBHM_BLOCKS", "off", "on or off",
            "The run report tells how often each basic block ran (docs/blocks.md)."},
    Setting{"profile", "LBHM_PROFILE", "none", "path",
            "What lbhm profile measured: the times of the program's basic blocks on this machine."},
};

const Setting& setting_of(std::string_view name) { return *std::ranges::find(kTable, name, &Setting::name); }

std::string_view environment(std::string_view name) {
  const char* value = std::getenv(std::string(setting_of(name).environment).c_str());
  return value ? value : "";
}

Status bad_value(std::string_view variable, std::string_view value, std::string_view expected) {
  return Status(StatusCode::invalid_argument, std::string(variable) + "=" + std::string(value) + " is not " +
                                                  std::string(expected) + "; correct it or unset it");
}

Status read_switch(std::string_view name, bool& into) {
  const auto value = environment(name);
  if (value.empty()) return {};
  if (value != "on" && value != "off") return bad_value(setting_of(name).environment, value, "on or off");
  into = value == "on";
  return {};
}

std::optional<double> parse_share(std::string_view text) {
  double share = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), share);
  const bool read = error == std::errc() && end == text.data() + text.size();
  return read && share >= 0 && share <= 1 ? std::optional(share) : std::nullopt;
}

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Those that code regions are measured with (docs/regions.md).
Status read_region_settings(Settings& settings) {
  if (const auto value = environment("fast_share"); !value.empty()) {
    const auto share = parse_share(value);
    if (!share) return bad_value("LBHM_FAST_SHARE", value, "a number from 0 to 1");
    settings.fast_share = *share;
  }
  if (const auto value = environment("region_executions"); !value.empty()) {
    const auto number = parse_whole(value);
    if (!number) return bad_value("LBHM_REGION_EXECUTIONS", value, "a whole number");
    settings.region_executions = *number;
  }
  return {};
}

}  // namespace

std::span<const Setting> settings_table() { return kTable; }

Result<Bytes> parse_bytes(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
  double unit = 0;
  if (suffix.empty()) unit = 1;
  if (suffix == "K") unit = 0x1p10;
  if (suffix == "M") unit = 0x1p20;
  if (suffix == "G") unit = 0x1p30;
  if (error != std::errc() || unit == 0 || !(number >= 0) || number * unit >= 0x1p63)
    return failure(StatusCode::invalid_argument,
                   "'" + std::string(text) + "' is not a number of bytes (digits, then nothing, K, M or G)");
  return Bytes(static_cast<std::uint64_t>(number * unit));
}

Result<Settings> read_settings() {
  Settings settings;
  if (const auto value = environment("machine"); !value.empty()) settings.machine = value;
  if (const auto value = environment("policy"); !value.empty()) settings.policy = value;
  settings.presets = environment("presets");
  settings.report = environment("report");
  settings.patterns = environment("patterns");
  settings.alpha = environment("alpha");
  settings.profile = environment("profile");

  if (const auto value = environment("fast_capacity"); !value.empty()) {
    const auto bytes = parse_bytes(value);
    if (!bytes || bytes->value == 0)
      return std::unexpected(bad_value("LBHM_FAST_CAPACITY", value, "a number of bytes above 0"));
    settings.fast_capacity = *bytes;
  }
  if (const auto value = environment("sample_period"); !value.empty()) {
    const auto number = parse_whole(value);
    if (!number || *number == 0)
      return std::unexpected(bad_value("LBHM_SAMPLE_PERIOD", value, "a whole number above 0"));
    settings.sample_period = *number;
  }
  if (const auto value = environment("seed"); !value.empty()) {
    const auto number = parse_whole(value);
    if (!number) return std::unexpected(bad_value("LBHM_SEED", value, "a whole number"));
    settings.seed = *number;
  }
  if (const auto value = environment("managed_minimum"); !value.empty()) {
    const auto bytes = parse_bytes(value);
    if (!bytes) return std::unexpected(bad_value("LBHM_MANAGED_MINIMUM", value, "a number of bytes"));
    settings.managed_minimum = *bytes;
  }
  if (Status status = read_switch("memory_mode", settings.memory_mode); !status.ok()) return std::unexpected(status);
  if (Status status = read_switch("blocks", settings.blocks); !status.ok()) return std::unexpected(status);
  if (const auto value = environment("scaling"); !value.empty()) {
    if (value != "sizes" && value != "cosine")
      return std::unexpected(bad_value("LBHM_SCALING", value, "sizes or cosine"));
    settings.scaling = value;
  }
  if (Status status = read_region_settings(settings); !status.ok()) return std::unexpected(status);
  return settings;
}

}  // namespace lbhm
