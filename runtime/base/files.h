// Door of runtime/base: the one way in which files that users name are read and written.
// For JSON see json.h, for what may go to a terminal printable.h, for environment variables environment.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/status.h"
#include "runtime/base/units.h"

namespace lbhm {

/// What is in a regular file, at most `most` bytes. Never waits for a pipe or a device: they are refused, unopened.
/// Errors, sentences without the file's name: not_found (there is none, it may not be read, it is no regular file),
/// malformed (there is more).
Result<std::string> read_file(const std::string& path, Bytes most);

/// What a descriptor leads to; all 0: nothing.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileIdentity&) const = default;
};
FileIdentity identity_of(int descriptor);

/// A file that the program's user wants from us.
///   "-" and /dev/stdout      are the standard output, /dev/fd/N is descriptor N: written to where they stand
///   devices and pipes        are written to as they are, and never waited for longer than `patience`
///   everything else          appears whole at close(), in place of what was there, or not at all; of a link, in place
///                            of what it leads to
/// Raw system calls only: it may be used in a process that is about to end. Writing raises no signal.
class OutputFile {
 public:
  static constexpr int patience = 5000;  ///< milliseconds

  OutputFile() = default;
  ~OutputFile();  ///< what was not closed does not appear
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Errors: unavailable, a sentence without the path (like those below): "it is a folder, ...".
  Status open(const std::string& path);
  /// Trouble shows at close().
  void write(const void* data, std::size_t bytes);
  /// Errors: unavailable.
  Status close();

 private:
  Status open_fresh(const std::string& path);
  Status open_as_it_is(const std::string& path, bool follow);
  Status take_descriptor(int descriptor);
  Status remember();
  bool still_ours() const { return identity_of(file_) == identity_; }
  void discard();

  int file_ = -1;
  int folder_ = -1;        // of a file that appears at close()
  bool borrowed_ = false;  // a descriptor of the program: not closed
  bool may_wait_ = false;
  int error_ = 0;  // of the first write that failed
  FileIdentity identity_;
  FileIdentity folder_identity_;
  std::string name_;   // in folder_
  std::string fresh_;  // until then
};

/// The whole content at once. Errors: as OutputFile.
Status write_file(const std::string& path, std::string_view content);

/// What the descriptors lead to now, so that nothing of ours is written to a file that gets their numbers later.
/// Before it was called, every descriptor may be written to.
void remember_descriptors();

}  // namespace lbhm
