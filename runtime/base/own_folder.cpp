#include "runtime/base/own_folder.h"

#include <dlfcn.h>

namespace lbhm {

std::string own_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&own_folder), &info) || !info.dli_fname) return ".";
  const std::string library = info.dli_fname;
  const auto slash = library.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : library.substr(0, slash);
  return folder.ends_with("/host") ? folder + "/.." : folder;
}

}  // namespace lbhm
