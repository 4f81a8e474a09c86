#include "runtime/base/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>

#include "runtime/base/file_calls.h"
#include "runtime/base/status.h"

namespace lbhm::files {
namespace {

/// Where the path of an output leads.
struct OutputPlace {
  enum class Way : unsigned char {
    descriptor,  ///< of this process: written to where it stands, neither truncated nor closed
    as_it_is,    ///< a device, a pipe, something below /dev or /proc: opened and written to, never made or replaced
    fresh        ///< a file that appears whole
  };
  Way way = Way::fresh;
  int descriptor = -1;
  std::string path;     ///< without a link at its end, but for those of /proc, which are none
  bool follow = false;  ///< such a one
};

constexpr int most_links = 40;  // as the kernel

std::unexpected<Status> refusal(std::string sentence) { return failure(StatusCode::unavailable, std::move(sentence)); }

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

/// The number in /dev/fd/N and /proc/self/fd/N: opened anew, a file would be written over from its beginning.
std::optional<int> descriptor_of(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  const std::string own = "/proc/" + std::to_string(getpid()) + "/fd/";
  for (const std::string_view folder : {std::string_view("/dev/fd/"), std::string_view("/proc/self/fd/"),
                                        std::string_view("/proc/thread-self/fd/"), std::string_view(own)}) {
    if (!path.starts_with(folder)) continue;
    const std::string_view digits = path.substr(folder.size());
    int number = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size() && number >= 0) return number;
  }
  return std::nullopt;
}

bool below(std::string_view path, std::string_view folder) { return path.starts_with(folder); }

/// Nothing may be made or replaced here. (/dev/shm is a folder like any other.)
bool in_kernels_hands(std::string_view path) {
  return below(path, "/proc/") || (below(path, "/dev/") && !below(path, "/dev/shm/"));
}

/// As protected_symlinks and protected_fifos of proc(5) have it, which do not see what we do ourselves: where everybody
/// may put something under the name that we were given, only who owns the folder or the process decides.
bool planted(const std::string& path, const struct stat& about) {
  struct stat folder{};
  if (::stat(folder_of(path).c_str(), &folder) != 0) return true;
  const bool everybodys = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  return everybodys && about.st_uid != geteuid() && about.st_uid != folder.st_uid;
}

/// One link further; errno tells why not.
std::optional<std::string> followed(const std::string& path) {
  std::array<char, PATH_MAX> text;
  const ssize_t length = ::readlink(path.c_str(), text.data(), text.size());
  if (length <= 0) return std::nullopt;
  const std::string target(text.data(), static_cast<std::size_t>(length));
  return target[0] == '/' ? target : folder_of(path) + "/" + target;
}

Result<OutputPlace> place_of(const std::string& path, const struct stat* about) {
  if (about && (S_ISDIR(about->st_mode) || S_ISSOCK(about->st_mode)))
    return refusal("it is " + kind_of(about->st_mode) + ", not a file");
  if (about && S_ISBLK(about->st_mode)) return refusal("it is a device with a file system or other data on it");
  if (about && S_ISFIFO(about->st_mode) && planted(path, *about))
    return refusal("it is a pipe of another user in a folder that everybody may write to");
  const bool special = about && !S_ISREG(about->st_mode) && !S_ISLNK(about->st_mode);
  const bool kernels = in_kernels_hands(path);
  return OutputPlace{.way = special || kernels ? OutputPlace::Way::as_it_is : OutputPlace::Way::fresh,
                     .path = path,
                     .follow = about && S_ISLNK(about->st_mode)};
}

/// Errors: unavailable, a sentence without the path.
Result<OutputPlace> find_output_place(const std::string& given) {
  std::string path = given;
  for (int links = 0; links <= most_links; ++links) {
    if (const auto descriptor = descriptor_of(path))
      return OutputPlace{.way = OutputPlace::Way::descriptor, .descriptor = *descriptor, .path = path};
    struct stat about{};
    if (::lstat(path.c_str(), &about) != 0) {
      if (errno != ENOENT) return refusal(std::strerror(errno));
      return place_of(path, nullptr);
    }
    // Links of /proc are more than their text: what they lead to may have no name at all.
    if (!S_ISLNK(about.st_mode) || below(path, "/proc/")) return place_of(path, &about);
    if (planted(path, about)) return refusal("it is a link of another user in a folder that everybody may write to");
    auto next = followed(path);
    if (!next) return refusal(std::strerror(errno));
    path = std::move(*next);
  }
  return refusal(std::strerror(ELOOP));
}

}  // namespace
}  // namespace lbhm::files

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

constexpr int most_remembered = 16;

constinit std::array<FileIdentity, most_remembered> remembered;
constinit bool remembers = false;

Status trouble(const std::string& sentence) { return {StatusCode::unavailable, sentence}; }
Status trouble(int error) {
  if (error == ETIMEDOUT) return trouble("nobody takes what is written");
  if (error == EBADF) return trouble("the program has closed its descriptor");
  return trouble(std::strerror(error));
}

/// Nobody can guess it, so nobody can have put something there.
std::string unpredictable_name() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    number = static_cast<std::uint64_t>(now.tv_nsec) << 32 ^ static_cast<std::uint64_t>(getpid());
  }
  std::string name = ".lbhm-0000000000000000.tmp";
  for (std::size_t i = 6; i < 22; ++i, number >>= 4) name[i] = "0123456789abcdef"[number & 15];
  return name;
}

/// A file without a name, which goes whatever becomes of the process; -1: this file system has none.
int open_nameless(int folder) {
  if (::access("/proc/thread-self/fd", X_OK) != 0) return -1;  // a name is given by way of it
  return ::openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
}

/// The name that it gets; empty and errno if it gets none.
std::string give_a_name(int folder, int file) {
  const std::string link = "/proc/thread-self/fd/" + std::to_string(file);
  for (int tries = 0; tries < 100; ++tries) {
    std::string name = unpredictable_name();
    if (::linkat(AT_FDCWD, link.c_str(), folder, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return name;
    if (errno != EEXIST) break;
  }
  return {};
}

/// At most `patience`; errno tells why not.
bool wait_until_writable(int file) {
  pollfd poll_for{.fd = file, .events = POLLOUT, .revents = 0};
  const int ready = ::poll(&poll_for, 1, OutputFile::patience);
  if (ready == 0) errno = ETIMEDOUT;
  return ready > 0;
}

/// Written by one call, at least a byte; 0 and errno if there is trouble.
std::size_t write_some(int file, const char* at, std::size_t bytes, bool may_wait) {
  for (int tries = 0; tries < OutputFile::patience; ++tries) {
    if (may_wait && !wait_until_writable(file)) {
      if (errno == EINTR) continue;
      return 0;
    }
    // A pipe that is ready has room for PIPE_BUF, so even one that blocks does not.
    const ssize_t done = ::write(file, at, may_wait ? std::min<std::size_t>(bytes, PIPE_BUF) : bytes);
    if (done > 0) return static_cast<std::size_t>(done);
    if (done == 0) errno = EIO;
    if (done == 0 || (errno != EINTR && errno != EAGAIN)) return 0;
    if (errno == EAGAIN) ::poll(nullptr, 0, 1);
  }
  errno = ETIMEDOUT;
  return 0;
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

FileIdentity identity_of(int descriptor) {
  struct stat about{};
  return ::fstat(descriptor, &about) == 0 ? FileIdentity{about.st_dev, about.st_ino} : FileIdentity{};
}

void remember_descriptors() {
  for (int i = 0; i < most_remembered; ++i) remembered[static_cast<std::size_t>(i)] = identity_of(i);
  remembers = true;
}

OutputFile::~OutputFile() { discard(); }

/// A program may close descriptors that it does not know and be given their numbers for its own files: those stay.
void OutputFile::discard() {
  if (file_ >= 0 && !borrowed_ && still_ours()) ::close(file_);
  if (folder_ >= 0 && identity_of(folder_) == folder_identity_) {
    if (!fresh_.empty()) ::unlinkat(folder_, fresh_.c_str(), 0);
    ::close(folder_);
  }
  file_ = folder_ = -1;
  fresh_.clear();
}

Status OutputFile::remember() {
  struct stat about{};
  if (::fstat(file_, &about) != 0) return trouble(errno);
  identity_ = {about.st_dev, about.st_ino};
  may_wait_ = !S_ISREG(about.st_mode);
  return {};
}

Status OutputFile::take_descriptor(int descriptor) {
  file_ = descriptor;
  borrowed_ = true;
  if (Status status = remember(); !status.ok()) return status;
  if (!remembers) return {};
  if (descriptor >= most_remembered) return trouble("only the first 16 descriptors can be written to");
  if (remembered[static_cast<std::size_t>(descriptor)] == identity_) return {};
  return trouble("the program has put another file in place of descriptor " + std::to_string(descriptor));
}

Status OutputFile::open_as_it_is(const std::string& path, bool follow) {
  const int flags = O_WRONLY | O_TRUNC | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (follow ? 0 : O_NOFOLLOW);
  file_ = ::open(path.c_str(), flags);
  if (file_ < 0 && errno == ENXIO) return trouble("nobody reads this pipe");
  if (file_ < 0) return trouble(errno);
  return remember();
}

Status OutputFile::open_fresh(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  name_ = path.substr(slash == std::string::npos ? 0 : slash + 1);
  if (name_.empty() || name_ == "." || name_ == "..") return trouble("it is a folder, not a file");
  folder_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0 && errno == EACCES) folder_ = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0) return trouble(errno);
  folder_identity_ = identity_of(folder_);
  file_ = open_nameless(folder_);
  for (int tries = 0; tries < 100 && file_ < 0; ++tries) {
    fresh_ = unpredictable_name();
    file_ = ::openat(folder_, fresh_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file_ < 0 && errno != EEXIST && errno != EINTR) break;
  }
  if (file_ >= 0) return remember();
  fresh_.clear();
  return trouble(errno);
}

Status OutputFile::open(const std::string& path) {
  const auto place = files::find_output_place(path);
  if (!place) return place.error();
  using Way = files::OutputPlace::Way;
  if (place->way == Way::descriptor) return take_descriptor(place->descriptor);
  return place->way == Way::as_it_is ? open_as_it_is(place->path, place->follow) : open_fresh(place->path);
}

void OutputFile::write(const void* data, std::size_t bytes) {
  const files::WriteSignalsOff no_signals;
  const char* at = static_cast<const char*>(data);
  if (error_ == 0 && !still_ours()) error_ = EBADF;
  while (bytes > 0 && error_ == 0) {
    const std::size_t done = write_some(file_, at, bytes, may_wait_);
    if (done == 0) error_ = errno;
    at += done;
    bytes -= done;
  }
}

Status OutputFile::close() {
  if (error_ == 0 && !still_ours()) error_ = EBADF;
  if (folder_ >= 0 && error_ == 0 && identity_of(folder_) != folder_identity_) error_ = EBADF;
  const bool appears = error_ == 0 && folder_ >= 0;
  if (appears && fresh_.empty()) {
    fresh_ = give_a_name(folder_, file_);
    if (fresh_.empty()) error_ = errno;
  }
  if (!borrowed_ && file_ >= 0 && still_ours()) {
    if (::close(file_) != 0 && error_ == 0 && errno != EINTR) error_ = errno;
    file_ = -1;
  }
  if (appears && error_ == 0) {
    if (::renameat(folder_, fresh_.c_str(), folder_, name_.c_str()) == 0)
      fresh_.clear();
    else
      error_ = errno;
  }
  const Status status = error_ == 0 ? Status() : trouble(error_);
  discard();
  return status;
}

Status write_file(const std::string& path, std::string_view content) {
  OutputFile file;
  if (Status status = file.open(path); !status.ok()) return status;
  file.write(content.data(), content.size());
  return file.close();
}

}  // namespace lbhm
