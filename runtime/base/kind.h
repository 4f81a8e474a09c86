// What stands under a name.
#pragma once

#include <sys/stat.h>

#include <string>

namespace lbhm::files {

inline std::string kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "a file";
}

}  // namespace lbhm::files
