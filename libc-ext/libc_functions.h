// Ways to glibc's malloc family that do not lead by malloc's own names, and what is found in their place.
#pragma once

namespace lbhm::heap {

/// How many objects are loaded.
unsigned loaded_objects();
/// `handle` was loaded with RTLD_DEEPBIND, and calls glibc's functions as the first ones that it finds: from now on it
/// asks first whose a block is. It and what it needs are those behind the first `known` objects.
void bind_checked(void* handle, unsigned known);

}  // namespace lbhm::heap
