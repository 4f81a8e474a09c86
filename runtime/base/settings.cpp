#include "runtime/base/settings.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "runtime/base/environment.h"

namespace lbhm {
namespace {

// Parsers: nothing for what the setting cannot be.

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool read = error == std::errc() && end == text.data() + text.size();
  return read ? std::optional(number) : std::nullopt;
}

std::optional<std::string> any_text(std::string_view text) { return std::string(text); }

std::optional<std::uint64_t> whole(std::string_view text) { return parse<std::uint64_t>(text); }

std::optional<Bytes> size(std::string_view text) {
  const auto bytes = parse_bytes(text);
  return bytes ? std::optional(*bytes) : std::nullopt;
}

std::optional<bool> on_or_off(std::string_view text) {
  if (text != "on" && text != "off") return std::nullopt;
  return text == "on";
}

template <auto parser>
auto above_zero(std::string_view text) {
  auto value = parser(text);
  if (value && !(*value > std::remove_cvref_t<decltype(*value)>(0))) value = std::nullopt;
  return value;
}

template <double least, double most>
std::optional<double> between(std::string_view text) {
  const auto number = parse<double>(text);
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

template <const auto& words>
std::optional<std::string> one_of(std::string_view text) {
  return std::ranges::find(words, text) != words.end() ? std::optional(std::string(text)) : std::nullopt;
}

constexpr std::array<std::string_view, 2> scalings{"sizes", "cosine"};
constexpr std::array<std::string_view, 3> phase_finders{"off", "on", "regions"};
constexpr std::array<std::string_view, 2> base_profiles{"samples", "bits"};
constexpr std::array<std::string_view, 4> strategies{"traits", "first-come", "described", "patterns"};
constexpr std::array<std::string_view, 3> site_choosers{"thermos", "hotset", "knapsack"};
constexpr std::array<std::string_view, 4> spreads{"nearest", "bind", "interleave", "weighted"};
constexpr std::array<std::string_view, 3> huge_pages{"kernel", "on", "off"};
constexpr std::array<std::string_view, 7> samplers{"auto", "pebs", "ibs", "spe", "hints", "faults", "none"};
constexpr std::array<std::string_view, 5> accessed_ways{"auto", "idle", "damon", "faults", "written"};
constexpr std::array<std::string_view, 4> heaps{"auto", "mimalloc", "memkind", "none"};
/// Below a page objects would waste most of theirs; above a GiB few programs have any.
std::optional<Bytes> heap_size(std::string_view text) {
  const auto bytes = size(text);
  return bytes && *bytes >= Bytes(4096) && *bytes <= Bytes(1 << 30) ? bytes : std::nullopt;
}

/// Later ones do not fit into nanoseconds of 64 bits once the program has run for some decades.
std::optional<std::uint64_t> second_since_1970(std::string_view text) {
  const auto second = whole(text);
  return second && *second <= 8'000'000'000 ? second : std::nullopt;
}

constexpr double a_day = 86'400'000;  // ms; more is no limit, and 0 says so

/// False, and the member as it was: the parser does not take the text.
template <auto member, auto parser>
bool into(std::string_view text, Settings& settings) {
  const auto value = parser(text);
  if (value) settings.*member = *value;
  return value.has_value();
}

/// A setting: what users read of it, where its value goes and by which parser, and what that expects.
struct Row {
  Setting shown;
  bool (*read)(std::string_view text, Settings& settings);
  std::string_view expected;
};

constexpr std::array table{
    Row{{"machine", "LBHM_MACHINE", "host", "name or path",
         "The machine to run on: host, the name of a preset, or the path of a machine file."},
        into<&Settings::machine, any_text>,
        "a name"},
    Row{{"policy", "LBHM_POLICY", "lbhm", "name", "The placement policy."},
        into<&Settings::policy, any_text>,
        "a name"},
    Row{{"without", "LBHM_WITHOUT", "no part", "names, with commas",
         "Parts that a policy does without, to see what they bring (docs/policies.md)."},
        into<&Settings::without, any_text>,
        "names"},
    Row{{"fast_capacity", "LBHM_FAST_CAPACITY", "the machine's", "bytes (K, M, G)",
         "How much of the fastest tier may be used."},
        into<&Settings::fast_capacity, above_zero<size>>,
        "a number of bytes above 0"},
    Row{{"presets", "LBHM_PRESETS", "beside the library", "path", "The folder in which presets are looked up."},
        into<&Settings::presets, any_text>,
        "a path"},
    Row{{"report", "LBHM_REPORT", "none", "path", "Where the run report is written at the end of the program."},
        into<&Settings::report, any_text>,
        "a path"},
    Row{{"sample_period", "LBHM_SAMPLE_PERIOD", "the machine's", "accesses",
         "One access in so many is sampled by policies that sample."},
        into<&Settings::sample_period, above_zero<whole>>,
        "a whole number above 0"},
    Row{{"seed", "LBHM_SEED", "1", "whole number", "Decides which accesses are sampled."},
        into<&Settings::seed, whole>,
        "a whole number"},
    Row{{"managed_minimum", "LBHM_MANAGED_MINIMUM", "4096", "bytes (K, M, G)",
         "Smaller objects are not managed: they come from malloc, or from the tier that they name."},
        into<&Settings::managed_minimum, size>,
        "a number of bytes"},
    Row{{"memory_mode", "LBHM_MEMORY_MODE", "off", "on or off",
         "Emulated machines: the fastest tier is a cache that the hardware keeps in front of the next one."},
        into<&Settings::memory_mode, on_or_off>,
        "on or off"},
    Row{{"patterns", "LBHM_PATTERNS", "the program's own", "path",
         "A file of lbhm patterns --json whose access patterns take the place of the program's own."},
        into<&Settings::patterns, any_text>,
        "a path"},
    Row{{"alpha", "LBHM_ALPHA", "none", "path",
         "A file of lbhm machine alpha: the main-memory accesses of stencils on this machine."},
        into<&Settings::alpha, any_text>,
        "a path"},
    Row{{"model", "LBHM_MODEL", "the formula", "analytic, shipped or path",
         "What predicts times on a mix of memories: the formula, the machine's model, or one of lbhm train."},
        into<&Settings::model, any_text>,
        "a path"},
    Row{{"scaling", "LBHM_SCALING", "sizes", "sizes or cosine",
         "How the work of a new input follows from the sizes of its objects: our rule, or the paper's."},
        into<&Settings::scaling, one_of<scalings>>,
        "sizes or cosine"},
    Row{{"base_profile", "LBHM_BASE_PROFILE", "samples", "samples or bits",
         "Policy merchandiser: how the accesses of a phase's first instance are counted, by samples or by accessed "
         "bits, as the paper does (docs/policies.md)."},
        into<&Settings::base_profile, one_of<base_profiles>>,
        "samples or bits"},
    Row{{"fast_share", "LBHM_FAST_SHARE", "0.5", "0 to 1",
         "Policy scatter: how large a share of the pages is in the fastest tier."},
        into<&Settings::fast_share, between<0.0, 1.0>>,
        "a number from 0 to 1"},
    Row{{"pace", "LBHM_PACE", "1", "factor",
         "Policies that act at intervals: a factor on their intervals; 0.5 makes them twice as quick."},
        into<&Settings::pace, between<0.001, 1000.0>>,
        "a number from 0.001 to 1000"},
    Row{{"allocation_strategy", "LBHM_ALLOCATION_STRATEGY", "traits", "traits, first-come, described or patterns",
         "Where objects begin of which neither the program nor the policy says it (docs/allocators.md)."},
        into<&Settings::allocation_strategy, one_of<strategies>>,
        "traits, first-come, described or patterns"},
    Row{{"sicm_chooser", "LBHM_SICM_CHOOSER", "thermos", "thermos, hotset or knapsack",
         "Policy sicm: how sites are chosen for fast memory (docs/sicm.md)."},
        into<&Settings::sicm_chooser, one_of<site_choosers>>,
        "thermos, hotset or knapsack"},
    Row{{"sicm_piece", "LBHM_SICM_PIECE", "whole sites", "bytes (K, M, G), 0: whole sites",
         "Policy sicm: sites are taken apart into pieces of so many bytes, in steps of 64K, each for itself."},
        into<&Settings::sicm_piece, size>,
        "a number of bytes"},
    Row{{"sicm_keep", "LBHM_SICM_KEEP", "1", "0 to 1",
         "Policy sicm: the share of what was sampled so far that still counts after an interval; 1 forgets nothing."},
        into<&Settings::sicm_keep, between<0.0, 1.0>>,
        "a number from 0 to 1"},
    Row{{"region_executions", "LBHM_REGION_EXECUTIONS", "1000", "executions",
         "So many executions of a code region by a thread are measured; later ones are only counted."},
        into<&Settings::region_executions, whole>,
        "a whole number"},
    Row{{"blocks", "LBHM_BLOCKS", "off", "on or off",
         "The run report tells how often each basic block ran (docs/blocks.md)."},
        into<&Settings::blocks, on_or_off>,
        "on or off"},
    Row{{"profile", "LBHM_PROFILE", "none", "path",
         "What lbhm profile measured: the times of the program's basic blocks on this machine."},
        into<&Settings::profile, any_text>,
        "a path"},
    Row{{"page_counts", "LBHM_PAGE_COUNTS", "none", "path",
         "Emulated machines: where exact counts of every page and task are written (docs/oracle.md)."},
        into<&Settings::page_counts, any_text>,
        "a path"},
    Row{{"uses", "LBHM_USES", "none", "path",
         "Where it is written what objects were used for, by phase (lbhm profile)."},
        into<&Settings::uses, any_text>,
        "a path"},
    Row{{"touch_period", "LBHM_TOUCH_PERIOD", "2003", "touches",
         "With LBHM_USES: one touched line in so many is sampled, at the cost of a sample."},
        into<&Settings::touch_period, above_zero<whole>>,
        "a whole number above 0"},
    Row{{"contention", "LBHM_CONTENTION", "on", "on or off",
         "Emulated machines: off serves everybody at once, however much of a memory is asked for."},
        into<&Settings::contention, on_or_off>,
        "on or off"},
    Row{{"find_phases", "LBHM_FIND_PHASES", "off", "off, on or regions",
         "Programs that never call LB_HM_config: find their iteration in the sequence of parallel regions and plan for "
         "it (docs/using.md). regions: a phase is a region that is another one than the last (docs/h2m.md)."},
        into<&Settings::find_phases, one_of<phase_finders>>,
        "off, on or regions"},
    Row{{"placement", "LBHM_PLACEMENT", "none", "path",
         "Policies oracle, h2m-*, lbhm-offline and sicm-offline: the file that says which pages are in which memory "
         "when (docs/oracle.md, docs/h2m.md). Policy lbhm: where objects begin."},
        into<&Settings::placement, any_text>,
        "a path"},
    Row{{"tiers", "LBHM_TIERS", "as found", "nodes",
         "Machine host: the memory nodes of each tier, the fastest first, as in 2,3/0,1, or a file of lbhm machine "
         "measure (docs/real-machines.md)."},
        into<&Settings::tiers, any_text>,
        "nodes"},
    Row{{"spread", "LBHM_SPREAD", "nearest", "nearest, bind, interleave or weighted",
         "Machine host: how the pages of a tier of several nodes lie on them."},
        into<&Settings::spread, one_of<spreads>>,
        "nearest, bind, interleave or weighted"},
    Row{{"huge_pages", "LBHM_HUGE_PAGES", "kernel", "kernel, on or off",
         "Machine host: whether managed objects from 2 MiB are in huge pages, or as the kernel has it."},
        into<&Settings::huge_pages, one_of<huge_pages>>,
        "kernel, on or off"},
    Row{{"small_objects", "LBHM_SMALL_OBJECTS", "what is free", "bytes (K, M, G), 0: none",
         "Machine host: how much of each tier is for objects that are smaller than managed ones and name a tier."},
        into<&Settings::small_objects, size>,
        "a number of bytes"},
    Row{{"heap", "LBHM_HEAP", "auto", "auto, mimalloc, memkind or none",
         "Machine host: which allocator divides a tier into small objects; auto takes mimalloc, or else memkind "
         "(docs/allocators.md)."},
        into<&Settings::heap, one_of<heaps>>,
        "auto, mimalloc, memkind or none"},
    Row{{"heap_minimum", "LBHM_HEAP_MINIMUM", "64K", "bytes (K, M, G)",
         "With lbhm run --heap: blocks of malloc of so many bytes and more are objects (docs/using.md)."},
        into<&Settings::heap_minimum, heap_size>,
        "a number of bytes from 4K to 1G"},
    Row{{"arena_minimum", "LBHM_ARENA_MINIMUM", "4M, emulated machines 64K", "bytes (K, M, G), 0: never",
         "With lbhm run --heap: a place that has asked for so many bytes in smaller blocks, by all threads together, "
         "gets pages of its own for those that follow, which are objects (docs/using.md)."},
        into<&Settings::arena_minimum, size>,
        "a number of bytes"},
    Row{{"sampler", "LBHM_SAMPLER", "auto", "auto, pebs, ibs, spe, hints, faults or none",
         "Machine host: where access samples come from; auto takes the best that works here, but not hints."},
        into<&Settings::sampler, one_of<samplers>>,
        "auto, pebs, ibs, spe, hints, faults or none"},
    Row{{"accessed", "LBHM_ACCESSED", "auto", "auto, idle, damon, faults or written",
         "Machine host: how policies learn which pages were accessed; auto is idle, or else faults if "
         "LBHM_HINT_FAULTS is on (docs/sampling.md)."},
        into<&Settings::accessed, one_of<accessed_ways>>,
        "auto, idle, damon, faults or written"},
    Row{{"hint_faults", "LBHM_HINT_FAULTS", "off", "on or off",
         "Machine host: policies may forbid pages until they are touched; system calls on managed memory may then "
         "fail inside of parallel regions (docs/sampling.md)."},
        into<&Settings::hint_faults, on_or_off>,
        "on or off"},
    Row{{"move_time", "LBHM_MOVE_TIME", "100", "ms, 0: no limit",
         "Machine host: LB_HM_config moves pages for so long at most; the rest moves beside the program."},
        into<&Settings::move_time, between<0.0, a_day>>,
        "a number of milliseconds, 0 for no limit"},
    Row{{"heap_padding", "LBHM_HEAP_PADDING", "0", "bytes (K, M, G)",
         "Emulated machines: so much of the program's heap is taken before main, so that its blocks lie elsewhere; "
         "times depend a little on that."},
        into<&Settings::heap_padding, size>,
        "a number of bytes"},
    Row{{"other_clock", "LBHM_OTHER_CLOCK", "0", "0, or a variant",
         "Emulated machines: the clocks that programs read run now faster, now slower, and each lane computes and "
         "reaches memory at a speed of its own. By such runs lbhm compare finds what of a program's output follows "
         "from times or from the order of threads."},
        into<&Settings::other_clock, whole>,
        "0, or the number of a variant"},
    Row{{"clock_begin", "LBHM_CLOCK_BEGIN", "the real time", "seconds since 1970",
         "Emulated machines: what the clocks of the wall show when the program first asks. lbhm gives all runs of a "
         "command the same, so that random numbers which begin with the date are the same in each."},
        into<&Settings::clock_begin, second_since_1970>,
        "a number of seconds since 1970, up to 8000000000"},
};

constexpr auto shown = [] {
  std::array<Setting, table.size()> settings;
  std::ranges::transform(table, settings.begin(), &Row::shown);
  return settings;
}();

Status bad_value(const Row& row, std::string_view value) {
  return Status(StatusCode::invalid_argument, std::string(row.shown.environment) + "=" + std::string(value) +
                                                  " is not " + std::string(row.expected) + "; correct it or unset it");
}

}  // namespace

std::span<const Setting> settings_table() { return shown; }

Result<Settings> read_settings() {
  Settings settings;
  for (const Row& row : table) {
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): a literal of the table
    const char* const value = environment(row.shown.environment.data());
    if (value && *value && !row.read(value, settings)) return std::unexpected(bad_value(row, value));
  }
  return settings;
}

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

}  // namespace lbhm
