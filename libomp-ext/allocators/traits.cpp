#include "libomp-ext/allocators/traits.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cinttypes>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "lbhm/omp_traits.h"
#include "runtime/base/printable.h"

namespace lbhm::allocators {
namespace {

constexpr std::uint64_t standard_default = UINT64_MAX;  // omp_atv_default

bool set_alignment(std::uint64_t v, AllocatorTraits& t) {
  t.alignment = v == standard_default ? 0 : v;
  return t.alignment == 0 || std::has_single_bit(t.alignment);
}

bool set_pool_size(std::uint64_t v, AllocatorTraits& t) {
  t.pool_bytes = v == standard_default ? 0 : v;
  return true;
}

bool set_fallback(std::uint64_t v, AllocatorTraits& t) {
  switch (v) {
    case standard_default:
    case 0:
    case omp_atv_default_mem_fb:
      t.fallback = Fallback::default_memory;
      return true;
    case omp_atv_null_fb:
      t.fallback = Fallback::null;
      return true;
    case omp_atv_abort_fb:
      t.fallback = Fallback::abort;
      return true;
    case omp_atv_allocator_fb:
      t.fallback = Fallback::allocator;
      return true;
    default:  // what runtimes without assertions do
      say_limited(Sentence::format("omp_init_allocator: trait fallback: %" PRIu64 " is none of omp_atv_*_fb, and is"
                                   " taken for omp_atv_null_fb",
                                   v));
      t.fallback = Fallback::null;
      return true;
  }
}

bool set_fb_data(std::uint64_t v, AllocatorTraits& t) {
  t.fallback_allocator = v == standard_default ? null_handle : v;
  return true;
}

bool set_managed(std::uint64_t v, AllocatorTraits& t) {
  t.memory.managed = v == 1;
  return v <= 1;
}

bool set_tier_hint(std::uint64_t v, AllocatorTraits& t) {
  const auto tier = static_cast<std::int64_t>(v);
  t.memory.tier_hint = static_cast<int>(tier);
  return tier >= -1 && tier <= 254;
}

bool set_pattern(std::uint64_t v, AllocatorTraits& t) {
  switch (v) {
    case lbhm_pattern_stream:
      t.memory.pattern = PatternKind::stream;
      return true;
    case lbhm_pattern_strided:
      t.memory.pattern = PatternKind::strided;
      return true;
    case lbhm_pattern_stencil:
      t.memory.pattern = PatternKind::stencil;
      return true;
    case lbhm_pattern_random:
      t.memory.pattern = PatternKind::gather;
      return true;
    default:
      return false;
  }
}

bool set_group(std::uint64_t v, AllocatorTraits& t) {
  t.memory.group = static_cast<std::uint32_t>(v);
  return v <= INT_MAX;
}

bool set_name(std::uint64_t v, AllocatorTraits& t) {
  t.memory.name = reinterpret_cast<const char*>(v);  // NOLINT(performance-no-int-to-ptr): OpenMP's type of values
  return v != 0;
}

bool set_sensitivity(std::uint64_t v, AllocatorTraits& t) {
  t.memory.sensitivity = v == lbhm_latency ? Sensitivity::latency : Sensitivity::bandwidth;
  return v == lbhm_bandwidth || v == lbhm_latency;
}

bool set_migratable(std::uint64_t v, AllocatorTraits& t) {
  t.memory.migratable = v == 1;
  return v <= 1;
}

struct TraitRule {
  std::uint32_t key;
  const char* name;
  bool (*set)(std::uint64_t value, AllocatorTraits& traits);  ///< false: the value is not accepted
  const char* accepted;
};

constexpr TraitRule rules[] = {
    {omp_atk_alignment, "alignment", set_alignment, "a power of two"},
    {omp_atk_pool_size, "pool_size", set_pool_size, "a number of bytes"},
    {omp_atk_fallback, "fallback", set_fallback, "omp_atv_default_mem_fb, null_fb, abort_fb, allocator_fb or default"},
    {omp_atk_fb_data, "fb_data", set_fb_data, "an allocator"},
    {LBHM_ATK_MANAGED, "lbhm_managed", set_managed, "true or false"},
    {LBHM_ATK_TIER_HINT, "lbhm_tier_hint", set_tier_hint, "-1 (none) or a tier from 0 to 254"},
    {LBHM_ATK_PATTERN_HINT, "lbhm_pattern_hint", set_pattern, "lbhm_pattern_stream, strided, stencil or random"},
    {LBHM_ATK_GROUP, "lbhm_group", set_group, "a number from 0 to 2147483647"},
    {LBHM_ATK_NAME, "lbhm_name", set_name, "a string"},
    {LBHM_ATK_SENSITIVITY, "lbhm_sensitivity", set_sensitivity, "lbhm_bandwidth or lbhm_latency"},
    {LBHM_ATK_MIGRATABLE, "lbhm_migratable", set_migratable, "true or false"},
};

const TraitRule* find_rule(std::uint32_t key) {
  for (const auto& rule : rules) {
    if (rule.key == key) return &rule;
  }
  return nullptr;
}

/// What a newer program asks of an older runtime, which would end it for that: the first time.
void say_first(std::atomic<bool>& said, const char* format, std::uint64_t number) {
  if (!said.exchange(true)) say(Sentence::format(format, number));
}

/// Every number of a space is accepted, as runtimes without assertions do; those of no special memory are the default.
Handle understood(Handle space, bool openmp6) {
  static constinit std::atomic<bool> said{false};
  const bool standard = space <= omp_low_lat_mem_space;
  if (standard || is_target(space)) return space;
  if (!openmp6)
    say_first(said,
              "omp_init_allocator: the OpenMP runtime does not know memory space %" PRIu64
              " (99 is omp_default_mem_space since OpenMP 6.0); such spaces are taken for the default one",
              space);
  return 0;
}

void write_line(const char* sentence, const char* note) {
  std::array<char, 512> line;
  const int length = std::snprintf(line.data(), line.size(), "%s%s", sentence, note);
  print_line("LB-HM: ", {line.data(), static_cast<std::size_t>(length)});
}

}  // namespace

bool AllocatorTraits::names_tier() const {
  return !memory.managed &&
         (space == omp_high_bw_mem_space || space == omp_large_cap_mem_space || space == omp_low_lat_mem_space);
}

bool AllocatorTraits::placed() const { return memory.managed || names_tier(); }

bool names_more_than_5_2(Handle space, int count, const omp_alloctrait_t* traits) {
  if (space > omp_low_lat_mem_space) return true;
  const std::span list(traits, traits != nullptr && count > 0 ? static_cast<std::size_t>(count) : 0);
  return std::ranges::any_of(list, [](const auto& trait) {
    return find_rule(lbhm_trait_key(&trait)) == nullptr && !is_standard_key(lbhm_trait_key(&trait), false);
  });
}

std::expected<AllocatorTraits, Sentence> parse_traits(Handle space, int count, const omp_alloctrait_t* traits,
                                                      bool openmp6) {
  static constinit std::atomic<bool> said{false};
  if (count > 0 && traits == nullptr)
    return std::unexpected(Sentence::format("%d traits announced, but the list is null", count));
  AllocatorTraits result;
  result.space = understood(space, openmp6);
  for (int i = 0; i < count; ++i) {
    const auto key = lbhm_trait_key(&traits[i]);
    const auto* rule = find_rule(key);
    if (rule == nullptr) {
      if (!is_standard_key(key, openmp6))
        say_first(said,
                  "omp_init_allocator: the OpenMP runtime does not know trait key %" PRIu64
                  " (9 to 16 are OpenMP 6.0's); such traits are left out",
                  key);
    } else if (!rule->set(traits[i].value, result)) {
      return std::unexpected(Sentence::format("trait %d of %d, %s: value %" PRId64 " is not %s", i + 1, count,
                                              rule->name, static_cast<std::int64_t>(traits[i].value), rule->accepted));
    }
  }
  if (result.fallback == Fallback::allocator && result.fallback_allocator == null_handle) {
    return std::unexpected(
        Sentence::format("fallback is omp_atv_allocator_fb, but no trait fb_data names the allocator"));
  }
  return result;
}

Sentence Sentence::format(const char* format, ...) {
  Sentence sentence;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(sentence.text.data(), sentence.text.size(), format, arguments);
  va_end(arguments);
  return sentence;
}

void say(const Sentence& sentence) { write_line(sentence.text.data(), ""); }

void say_limited(const Sentence& sentence) {
  constexpr int limit = 20;
  static constinit std::atomic<int> shown{0};
  if (shown.load(std::memory_order_relaxed) >= limit) return;
  const int now = shown.fetch_add(1, std::memory_order_relaxed) + 1;
  if (now <= limit) write_line(sentence.text.data(), now == limit ? " (more of these are not shown)" : "");
}

void say_and_abort(const Sentence& sentence) {
  say(sentence);
  std::abort();
}

}  // namespace lbhm::allocators
