// What the program says itself of its memory: where it is to be, to the system or to us (lbhm_move), and how much.
#include <unistd.h>

#include <string>

#include "runtime/engine/state.h"
#include "runtime/own_memory/own_memory.h"

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

bool duties_rest() {
  Engine* e = engine();
  bool rest = false;
  if (e && !inside() && !silent_process.load() && e->process == getpid())
    guarded([&] { rest = e->base.machine->duties_rest(); });
  return rest;
}

/// The namespace may be one that has no room for threads; then intervals go on passing.
void duties_go_on() {
  guarded([] { static_cast<void>(engine()->base.machine->begin_duties()); });
}

void limit_addresses(Bytes most) {
  if (silent_process.load()) return;
  own_memory::give_up_addresses();
  if (Engine* e = engine() ? engine() : parents_engine.load()) e->base.machine->limit_addresses(most);
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
