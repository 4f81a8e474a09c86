// What the program says itself of where its memory is: to the system, or to us (lbhm_move).
#include <string>

#include "runtime/engine/state.h"

namespace lbhm::engine {

bool bind_pages(const void* address, Bytes bytes, bool bound) {
  Engine* e = engine();
  if (!e || !e->base.placing || inside() || bytes.value == 0) return false;
  const std::uint64_t page = e->base.machine->topology().page.value;
  const auto begin = reinterpret_cast<std::uintptr_t>(address) / page * page;
  bool managed = false;
  guarded([&] {
    managed = e->objects.find_any(begin, bytes).has_value();
    e->base.machine->bind(begin, bytes, bound);
  });
  return managed;
}

void bind_by_threads() {
  Engine* e = engine();
  if (e && e->base.placing && !inside()) guarded([&] { e->base.machine->bind_by_threads(); });
}

bool move_object(const void* address, int hint) {
  start();
  Engine* e = engine();
  if (!e || !e->base.placing || inside() || current_lane) {
    set_last_error("lbhm_move: there is nothing to move here; call it outside of parallel regions, under lbhm run");
    return false;
  }
  std::string wrong = "lbhm_move: there was no memory for it";
  guarded([&] { wrong = e->memory.move_object(address, hint); });
  if (!wrong.empty()) set_last_error(wrong);
  return wrong.empty();
}

}  // namespace lbhm::engine
