// Part of the door of runtime/base: environment variables.
#pragma once

#include <sys/auxv.h>

#include <cstdlib>

namespace lbhm {

/// True where the process may do more than whoever started it (set-uid, file capabilities; AT_SECURE in getauxval(3)).
/// LB-HM keeps out of such processes: no setting is read, no file written, no handler installed.
inline bool privileged() { return getauxval(AT_SECURE) != 0; }

/// A variable that whoever started the process may decide about; null if it is not set, and in privileged processes.
inline const char* environment(const char* name) { return secure_getenv(name); }

}  // namespace lbhm
