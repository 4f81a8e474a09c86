// Part of the door of runtime/base: a place for data of ours that would grow with the run, off the process's memory.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/files.h"

namespace lbhm {

/// A file without a name in TMPDIR or /tmp; it goes with the process. Nothing of the program's is ever written to: a
/// descriptor that the program closed and was given again counts as lost. Not thread-safe.
class ScratchFile {
 public:
  ScratchFile() = default;
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// False: there is no file (any more), or no room in it; what was appended before is kept as far as it can be.
  bool append(std::string_view text);
  /// All that was appended. Errors: unavailable.
  Result<std::string> content() const;

 private:
  bool open();

  int file_ = -1;
  bool tried_ = false;
  FileIdentity identity_;
  std::uint64_t bytes_ = 0;
};

}  // namespace lbhm
