#include "runtime/base/environment.h"

#include <sys/auxv.h>

#include <cstdlib>

namespace lbhm {

bool privileged() { return getauxval(AT_SECURE) != 0; }

const char* environment(const char* name) { return secure_getenv(name); }

}  // namespace lbhm
