// How allocators come and go, and which one is the default.
#include <cinttypes>
#include <span>

#include "libomp-ext/allocators/allocate.h"
#include "libomp-ext/allocators/allocator_table.h"
#include "libomp-ext/allocators/real_openmp.h"

namespace lbhm::allocators {
namespace {

Handle refuse(const Sentence& reason) {
  const auto sentence = Sentence::format("omp_init_allocator: %s; no allocator was made", reason.text.data());
  say(sentence);
  engine::set_last_error(sentence.text.data());
  return null_handle;
}

/// A machine with one memory has the tiers' spaces as far as the runtime says so.
bool is_missing(const AllocatorTraits& traits, int gtid) {
  if (!traits.names_tier() || real_openmp() == nullptr) return false;
  engine::start();
  if (engine::has_tiers()) return false;
  const Handle its_own = make_runtime_allocator(traits.space, {}, HandOn::whole, gtid);
  destroy_runtime_allocator(its_own, gtid);
  return its_own == null_handle;
}

Sentence no_fallback(Handle handle) {
  return Sentence::format("omp_init_allocator: trait fb_data: %#" PRIx64 " is no allocator, or was destroyed", handle);
}

bool exists(Handle handle) {
  return is_predefined(handle) || find_allocator(handle) != nullptr || is_made_by_runtime(handle);
}

}  // namespace

Handle init_allocator(Handle space, int count, const omp_alloctrait_t* traits, int gtid) {
  const bool openmp6 = names_more_than_5_2(space, count, traits) && knows_openmp6();
  const auto parsed = parse_traits(space, count, traits, openmp6);
  if (!parsed) return refuse(parsed.error());
  const bool falls_back = parsed->fallback == Fallback::allocator;
  if (falls_back && !exists(parsed->fallback_allocator)) say_limited(no_fallback(parsed->fallback_allocator));
  if (is_missing(*parsed, gtid)) return null_handle;  // as the runtime does, without a word
  Handle behind = null_handle;
  if (is_target(space) || is_made_by_runtime(space)) {
    const std::span list(traits, count > 0 ? static_cast<std::size_t>(count) : 0);
    // To a runtime an allocator of ours is a pointer to nowhere.
    const bool ours = falls_back && is_ours(parsed->fallback_allocator);
    behind = make_runtime_allocator(space, list, openmp6 && !ours ? HandOn::whole : HandOn::memory, gtid);
    if (behind == null_handle || (openmp6 && !ours)) return behind;
  }
  const Handle handle = add_allocator(*parsed, behind);
  if (handle != null_handle) return handle;
  if (behind != null_handle) destroy_runtime_allocator(behind);
  return refuse(Sentence::format("%" PRIu32 " allocators are in use; destroy some", table_slots));
}

void destroy_allocator(Handle handle) {
  if (handle == null_handle || is_predefined(handle)) return;
  if (is_made_by_runtime(handle)) return destroy_runtime_allocator(handle);
  const Allocator* allocator = find_allocator(handle);
  const Handle behind = allocator == nullptr ? null_handle : allocator->behind;
  if (!remove_allocator(handle)) {
    say_limited(
        Sentence::format("omp_destroy_allocator: %#" PRIx64 " is no allocator, or was destroyed before", handle));
  } else if (behind != null_handle) {
    destroy_runtime_allocator(behind);
  }
}

void choose_default_allocator(Handle handle, int gtid) {
  if (handle == null_handle || exists(handle)) return set_default_allocator(handle, gtid);
  say_limited(Sentence::format("omp_set_default_allocator: %#" PRIx64 " is no allocator, or was destroyed; the default"
                               " stays as it is",
                               handle));
}

}  // namespace lbhm::allocators
