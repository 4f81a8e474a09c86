#include "runtime/base/scratch_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/base/environment.h"
#include "runtime/base/file_calls.h"

namespace lbhm {
namespace {

int open_nameless(const char* folder) { return ::open(folder, O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600); }

}  // namespace

ScratchFile::~ScratchFile() {
  if (file_ >= 0 && identity_of(file_) == identity_) ::close(file_);
}

bool ScratchFile::open() {
  if (tried_) return file_ >= 0;
  tried_ = true;
  if (const char* const folder = environment("TMPDIR")) file_ = open_nameless(folder);
  if (file_ < 0) file_ = open_nameless("/tmp");
  if (file_ >= 0) identity_ = identity_of(file_);
  return file_ >= 0;
}

bool ScratchFile::append(std::string_view text) {
  if (!open() || identity_of(file_) != identity_) return false;
  const files::WriteSignalsOff no_signals;
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t now = ::pwrite(file_, text.data() + done, text.size() - done, static_cast<off_t>(bytes_ + done));
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return false;
    done += static_cast<std::size_t>(now);
  }
  bytes_ += text.size();
  return true;
}

Result<std::string> ScratchFile::content() const {
  std::string text(bytes_, '\0');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t now = identity_of(file_) == identity_
                            ? ::pread(file_, text.data() + done, text.size() - done, static_cast<off_t>(done))
                            : -1;
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return failure(StatusCode::unavailable, "what was recorded of the run cannot be read back");
    done += static_cast<std::size_t>(now);
  }
  return text;
}

}  // namespace lbhm
