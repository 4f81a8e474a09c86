#include "runtime/machines/share_folder.h"

#include <dlfcn.h>

namespace lbhm {

std::string share_folder(const std::string& name) {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&share_folder), &info) || !info.dli_fname) return ".";
  const std::string library = info.dli_fname;
  const auto slash = library.rfind('/');
  return (slash == std::string::npos ? std::string(".") : library.substr(0, slash)) + "/../share/lbhm/" + name;
}

}  // namespace lbhm
