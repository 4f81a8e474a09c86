#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/base/file_calls.h"
#include "runtime/base/files.h"

namespace lbhm {
namespace {

std::unexpected<Status> unreadable(const std::string& why) {
  return failure(StatusCode::not_found, "cannot be read (" + why + ")");
}

Result<std::string> content_of(int file, std::size_t expected, Bytes most) {
  const std::string too_large = "it is larger than " + std::to_string(most.value >> 20) + " MiB";
  if (expected > most.value) return failure(StatusCode::malformed, too_large);
  std::string content(expected + 1, '\0');  // one more, so that the end shows without growing
  std::size_t filled = 0;
  for (;;) {
    const ssize_t part = ::read(file, content.data() + filled, content.size() - filled);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return unreadable(std::strerror(errno));
    filled += static_cast<std::size_t>(part);
    if (filled > most.value) return failure(StatusCode::malformed, too_large);
    if (part == 0) break;
    if (filled == content.size()) content.resize(filled + std::max<std::size_t>(filled, MiB(1).value / 16));
  }
  content.resize(filled);
  return content;
}

}  // namespace

Result<std::string> read_file(const std::string& path, Bytes most) {
  struct stat about{};
  // Looked at before it is opened: to open a device can already do something.
  if (::stat(path.c_str(), &about) != 0) return unreadable(std::strerror(errno));
  if (!S_ISREG(about.st_mode)) return unreadable("it is " + files::kind_of(about.st_mode) + ", not a file");
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return unreadable(std::strerror(errno));
  auto content = ::fstat(file, &about) != 0 ? unreadable(std::strerror(errno))
                 : !S_ISREG(about.st_mode)  ? unreadable("it is " + files::kind_of(about.st_mode) + ", not a file")
                                            : content_of(file, static_cast<std::size_t>(about.st_size), most);
  ::close(file);
  return content;
}

}  // namespace lbhm
