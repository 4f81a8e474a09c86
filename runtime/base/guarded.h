// Part of the door of runtime/base: work of ours on a thread of the program's. No exception gets out, and handlers of
// signals see where they are.
#pragma once

#include <cstdint>
#include <exception>
#include <string_view>

#include "runtime/own_memory/inside.h"

namespace lbhm {

/// There was no memory for something of ours; the report says how often.
void note_no_memory();
/// How often that was in this process.
std::uint64_t times_without_memory();

/// Writes one line "lbhm: ..." to the standard error. No lock, no allocation: handlers of signals may call it.
void say(std::string_view sentence);

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

/// The same for an entry from the program.
template <class Work>
bool guarded(const Work& work) {
  const Inside here;
  return attempt(work);
}

}  // namespace lbhm
