#include "runtime/engine/guarded.h"

#include "runtime/engine/state.h"

namespace lbhm::engine {

void note_no_memory() {
  if (Engine* e = engine()) e->without_memory.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace lbhm::engine
