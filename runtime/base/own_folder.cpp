#include "runtime/base/own_folder.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <climits>

namespace lbhm {

std::string own_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&own_folder), &info) || !info.dli_fname) return ".";
  const std::string library = info.dli_fname;
  const auto slash = library.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : library.substr(0, slash);
  return folder.ends_with("/host") ? folder + "/.." : folder;
}

std::string program_file() {
  std::array<char, PATH_MAX> path;
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "";
}

}  // namespace lbhm
