#include <cinttypes>

#include "libomp-ext/allocators/allocate.h"
#include "libomp-ext/allocators/allocator_table.h"
#include "libomp-ext/allocators/target_memory.h"

namespace lbhm::allocators {
namespace {

Handle refuse(const Sentence& reason) {
  const auto sentence = Sentence::format("omp_init_allocator: %s; no allocator was made", reason.text.data());
  say(sentence);
  engine::set_last_error(sentence.text.data());
  return null_handle;
}

bool exists(Handle handle) { return is_predefined(handle) || find_allocator(handle) != nullptr; }

}  // namespace

Handle init_allocator(Handle space, int count, const omp_alloctrait_t* traits) {
  const auto parsed = parse_traits(space, count, traits);
  if (!parsed) return refuse(parsed.error());
  if (parsed->fallback == Fallback::allocator && !exists(parsed->fallback_allocator)) {
    return refuse(
        Sentence::format("trait fb_data: %#" PRIx64 " is no allocator, or was destroyed", parsed->fallback_allocator));
  }
  Handle target = null_handle;
  if (is_target(space)) {
    target = make_target_allocator(*parsed);
    if (target == null_handle) return null_handle;  // as libomp does, without a word
  }
  const Handle handle = add_allocator(*parsed, target);
  if (handle != null_handle) return handle;
  if (target != null_handle) destroy_target_allocator(target);
  return refuse(Sentence::format("%" PRIu32 " allocators are in use; destroy some", table_slots));
}

void destroy_allocator(Handle handle) {
  if (handle == null_handle || is_predefined(handle)) return;
  const Allocator* allocator = find_allocator(handle);
  const Handle target = allocator == nullptr ? null_handle : allocator->target;
  if (!remove_allocator(handle)) {
    say_limited(
        Sentence::format("omp_destroy_allocator: %#" PRIx64 " is no allocator, or was destroyed before", handle));
  } else if (target != null_handle) {
    destroy_target_allocator(target);
  }
}

void choose_default_allocator(Handle handle, int gtid) {
  if (handle == null_handle || exists(handle)) return set_default_allocator(handle, gtid);
  say_limited(Sentence::format("omp_set_default_allocator: %#" PRIx64 " is no allocator, or was destroyed; the default"
                               " stays as it is",
                               handle));
}

}  // namespace lbhm::allocators
