// Part of the door of runtime/base: environment variables.
#pragma once

namespace lbhm {

/// True where the process may do more than whoever started it (set-uid, file capabilities; AT_SECURE in getauxval(3)).
/// LB-HM keeps out of such processes: no setting is read, no file written, no handler installed.
bool privileged();

/// A variable that whoever started the process may decide about; null if it is not set, and in privileged processes.
const char* environment(const char* name);

}  // namespace lbhm
