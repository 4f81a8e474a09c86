#include "runtime/base/settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "runtime/base/environment.h"

namespace lbhm {
namespace {

constexpr std::array kTable{
    Setting{"machine", "LBHM_MACHINE", "host", "name or path",
            "The machine to run on: host, the name of a preset, or the path of a machine file."},
    Setting{"policy", "LBHM_POLICY", "lbhm", "name", "The placement policy."},
    Setting{"without", "LBHM_WITHOUT", "none", "names, with commas",
            "Parts that policy lbhm does without, to see what they bring (docs/policies.md)."},
    Setting{"fast_capacity", "LBHM_FAST_CAPACITY", "the machine's", "bytes (K, M, G)",
            "How much of the fastest tier may be used."},
    Setting{"presets", "LBHM_PRESETS", "beside the library", "path", "The folder in which presets are looked up."},
    Setting{"report", "LBHM_REPORT", "none", "path", "Where the run report is written at the end of the program."},
    Setting{"sample_period", "LBHM_SAMPLE_PERIOD", "the machine's", "accesses",
            "One access in so many is sampled by policies that sample."},
    Setting{"seed", "LBHM_SEED", "1", "whole number", "Which of the first accesses is the first sample."},
    Setting{"managed_minimum", "LBHM_MANAGED_MINIMUM", "4096", "bytes (K, M, G)",
            "Smaller objects are not managed: they come from malloc, or from the tier that they name."},
    Setting{"memory_mode", "LBHM_MEMORY_MODE", "off", "on or off",
            "Emulated machines: the fastest tier is a cache that the hardware keeps in front of the next one."},
    Setting{"patterns", "LBHM_PATTERNS", "the program's own", "path",
            "A file of lbhm patterns --json whose access patterns take the place of the program's own."},
    Setting{"alpha", "LBHM_ALPHA", "none", "path",
            "A file of lbhm machine alpha: the main-memory accesses of stencils on this machine."},
    Setting{"model", "LBHM_MODEL", "the machine's", "analytic or path",
            "The function f that predicts times on a mix of memories: the formula, or a model of lbhm train."},
    Setting{"scaling", "LBHM_SCALING", "sizes", "sizes or cosine",
            "How the work of a new input follows from the sizes of its objects: our rule, or the paper's."},
    Setting{"fast_share", "LBHM_FAST_SHARE", "0.5", "0 to 1",
            "Policy scatter: how large a share of the pages is in the fastest tier."},
    Setting{"pace", "LBHM_PACE", "1", "factor",
            "Policies that act at intervals: a factor on their intervals; 0.5 makes them twice as quick."},
    Setting{"region_executions", "LBHM_REGION_EXECUTIONS", "1000", "executions",
            "So many executions of a code region by a thread are measured; later ones are only counted."},
    Setting{"blocks", "LBHM_BLOCKS", "off", "on or off",
            "The run report tells how often each basic block ran (docs/blocks.md)."},
    Setting{"profile", "LBHM_PROFILE", "none", "path",
            "What lbhm profile measured: the times of the program's basic blocks on this machine."},
    Setting{"page_counts", "LBHM_PAGE_COUNTS", "none", "path",
            "Emulated machines: where exact counts of every page and task are written (docs/oracle.md)."},
    Setting{"contention", "LBHM_CONTENTION", "on", "on or off",
            "Emulated machines: off serves everybody at once, however much of a memory is asked for."},
    Setting{"placement", "LBHM_PLACEMENT", "none", "path",
            "Policy oracle: the file that says which pages are in which memory when (docs/oracle.md)."},
    Setting{"tiers", "LBHM_TIERS", "as found", "nodes",
            "Machine host: the memory nodes of each tier, the fastest first, as in 2,3/0,1, or a file of lbhm machine "
            "measure (docs/real-machines.md)."},
    Setting{"spread", "LBHM_SPREAD", "nearest", "nearest, bind, interleave or weighted",
            "Machine host: how the pages of a tier of several nodes lie on them."},
    Setting{"huge_pages", "LBHM_HUGE_PAGES", "kernel", "kernel, on or off",
            "Machine host: whether managed objects from 2 MiB are in huge pages, or as the kernel has it."},
    Setting{"small_objects", "LBHM_SMALL_OBJECTS", "what is free", "bytes (K, M, G), 0: none",
            "Machine host: how much of each tier is for objects that are smaller than managed ones and name a tier."},
    Setting{"sampler", "LBHM_SAMPLER", "auto", "auto, pebs, ibs, spe, hints, faults or none",
            "Machine host: where access samples come from; auto takes the best that works here, but not hints."},
    Setting{"accessed", "LBHM_ACCESSED", "auto", "auto, idle, damon, faults or written",
            "Machine host: how policies learn which pages were accessed; auto is idle, or else faults if "
            "LBHM_HINT_FAULTS is on (docs/sampling.md)."},
    Setting{"hint_faults", "LBHM_HINT_FAULTS", "off", "on or off",
            "Machine host: policies may forbid pages until they are touched; system calls on managed memory may then "
            "fail inside of parallel regions (docs/sampling.md)."},
    Setting{"move_time", "LBHM_MOVE_TIME", "100", "ms, 0: no limit",
            "Machine host: LB_HM_config moves pages for so long at most; the rest moves beside the program."},
};

const Setting& setting_of(std::string_view name) { return *std::ranges::find(kTable, name, &Setting::name); }

std::string_view value_of(std::string_view name) {
  const char* value = environment(std::string(setting_of(name).environment).c_str());
  return value ? value : "";
}

Status bad_value(std::string_view variable, std::string_view value, std::string_view expected) {
  return Status(StatusCode::invalid_argument, std::string(variable) + "=" + std::string(value) + " is not " +
                                                  std::string(expected) + "; correct it or unset it");
}

std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool read = error == std::errc() && end == text.data() + text.size();
  return read ? std::optional(number) : std::nullopt;
}

std::optional<double> parse_share(std::string_view text) {
  const auto share = parse_number(text);
  return share && *share >= 0 && *share <= 1 ? share : std::nullopt;
}

std::optional<double> parse_pace(std::string_view text) {
  const auto pace = parse_number(text);
  return pace && *pace >= 0.001 && *pace <= 1000 ? pace : std::nullopt;
}

/// Up to a day: more is no limit, and 0 says so.
std::optional<double> parse_milliseconds(std::string_view text) {
  const auto time = parse_number(text);
  return time && *time >= 0 && *time <= 86'400'000 ? time : std::nullopt;
}

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
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

namespace {

std::optional<Bytes> parse_size(std::string_view text) {
  const auto bytes = parse_bytes(text);
  return bytes ? std::optional(*bytes) : std::nullopt;
}

template <class T>
std::optional<T> above_zero(std::optional<T> value) {
  return value && *value > T(0) ? value : std::nullopt;
}

std::optional<bool> parse_switch(std::string_view text) {
  if (text == "on") return true;
  if (text == "off") return false;
  return std::nullopt;
}

std::optional<std::string> parse_scaling(std::string_view text) {
  return text == "sizes" || text == "cosine" ? std::optional(std::string(text)) : std::nullopt;
}

std::optional<std::string> parse_spread(std::string_view text) {
  const bool known = text == "nearest" || text == "bind" || text == "interleave" || text == "weighted";
  return known ? std::optional(std::string(text)) : std::nullopt;
}

std::optional<std::string> parse_accessed(std::string_view text) {
  constexpr std::string_view ways[] = {"auto", "idle", "damon", "faults", "written"};
  return std::ranges::find(ways, text) != std::end(ways) ? std::optional(std::string(text)) : std::nullopt;
}

std::optional<std::string> parse_huge_pages(std::string_view text) {
  return text == "kernel" || text == "on" || text == "off" ? std::optional(std::string(text)) : std::nullopt;
}

/// Leaves `into` as it is where the variable is not set. `parse` gives nothing for what is not `expected`.
template <class T, class Parse>
Status read(std::string_view name, const char* expected, Parse parse, T& into) {
  const std::string_view value = value_of(name);
  if (value.empty()) return {};
  const auto parsed = parse(value);
  if (!parsed) return bad_value(setting_of(name).environment, value, expected);
  into = *parsed;
  return {};
}

std::optional<std::string> any_text(std::string_view text) { return std::string(text); }

}  // namespace

Result<Settings> read_settings() {
  Settings s;
  const auto positive_size = [](std::string_view text) { return above_zero(parse_size(text)); };
  const auto positive_whole = [](std::string_view text) { return above_zero(parse_whole(text)); };
  for (const Status& status : {
           read("machine", "a name", any_text, s.machine),
           read("policy", "a name", any_text, s.policy),
           read("without", "names", any_text, s.without),
           read("presets", "a path", any_text, s.presets),
           read("report", "a path", any_text, s.report),
           read("patterns", "a path", any_text, s.patterns),
           read("alpha", "a path", any_text, s.alpha),
           read("model", "a path", any_text, s.model),
           read("profile", "a path", any_text, s.profile),
           read("page_counts", "a path", any_text, s.page_counts),
           read("contention", "on or off", parse_switch, s.contention),
           read("placement", "a path", any_text, s.placement),
           read("sampler", "a name", any_text, s.sampler),
           read("accessed", "auto, idle, damon, faults or written", parse_accessed, s.accessed),
           read("hint_faults", "on or off", parse_switch, s.hint_faults),
           read("tiers", "nodes", any_text, s.tiers),
           read("spread", "nearest, bind, interleave or weighted", parse_spread, s.spread),
           read("huge_pages", "kernel, on or off", parse_huge_pages, s.huge_pages),
           read("fast_capacity", "a number of bytes above 0", positive_size, s.fast_capacity),
           read("small_objects", "a number of bytes", parse_size, s.small_objects),
           read("sample_period", "a whole number above 0", positive_whole, s.sample_period),
           read("seed", "a whole number", parse_whole, s.seed),
           read("managed_minimum", "a number of bytes", parse_size, s.managed_minimum),
           read("memory_mode", "on or off", parse_switch, s.memory_mode),
           read("blocks", "on or off", parse_switch, s.blocks),
           read("scaling", "sizes or cosine", parse_scaling, s.scaling),
           read("fast_share", "a number from 0 to 1", parse_share, s.fast_share),
           read("move_time", "a number of milliseconds, 0 for no limit", parse_milliseconds, s.move_time),
           read("pace", "a number from 0.001 to 1000", parse_pace, s.pace),
           read("region_executions", "a whole number", parse_whole, s.region_executions),
       }) {
    if (!status.ok()) return std::unexpected(status);
  }
  return s;
}

}  // namespace lbhm
