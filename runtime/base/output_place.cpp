#include "runtime/base/output_place.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <optional>

#include "runtime/base/kind.h"

namespace lbhm::files {
namespace {

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

}  // namespace

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

}  // namespace lbhm::files
