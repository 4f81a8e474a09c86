// Work of the engine on a thread of the program's: no exception gets out, and handlers of signals see where they are.
#pragma once

#include <exception>

#include "runtime/own_memory/inside.h"

namespace lbhm::engine {

/// There was no memory for something of the engine's; the report says how often.
void note_no_memory();

/// False: there was no memory, and the work was given up on its way. For parts of what is guarded already.
template <class Work>
bool attempt(const Work& work) {
  try {
    work();
    return true;
  } catch (const std::exception&) {
    note_no_memory();
    return false;
  }
}

/// The same for an entry of the engine.
template <class Work>
bool guarded(const Work& work) {
  const Inside here;
  return attempt(work);
}

}  // namespace lbhm::engine
