// Definitions of functions in loaded objects, found without the loader's help.
//
// As dlsym(RTLD_NEXT), but these neither lock nor allocate, and call nothing that could come back to us: they may be
// asked before any constructor has run, from inside of an allocator, and in handlers of signals. Of several versions
// they take the one that programs are linked with today. They see what was loaded before our first constructor, which
// is never unloaded.
#pragma once

namespace lbhm::real {

/// What the objects behind ours define by this name, in the order in which they were loaded. Null: none does.
void* next_definition(const char* name);

/// The same of libc and libstdc++, which are in front of ours where we were loaded late (dlopen).
void* system_definition(const char* name);

}  // namespace lbhm::real
