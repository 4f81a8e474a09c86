// What the program says itself of where its memory is, handed to the machine.
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

}  // namespace lbhm::engine
