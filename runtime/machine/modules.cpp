#include "runtime/machine/modules.h"

#include <dlfcn.h>
#include <unistd.h>

namespace lbhm::host {

std::string own_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&own_folder), &info) || !info.dli_fname) return ".";
  const std::string library = info.dli_fname;
  const auto slash = library.rfind('/');
  return slash == std::string::npos ? "." : library.substr(0, slash);
}

Result<void*> open_module(const std::string& folder, const char* file, const char* entry, const char* package) {
  const std::string path = folder + "/" + file;
  // Local, and all symbols now: what the module needs stays its own affair, and what is missing shows here.
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* function = module ? dlsym(module, entry) : nullptr;
  if (function) return function;
  const char* why = dlerror();
  const std::string remedy = std::string("; install the package ") + package;
  // It is built with the library where what it is built with is installed.
  const bool missing = access(path.c_str(), F_OK) != 0;
  return failure(StatusCode::unavailable, std::string(file) + " cannot be used (" + (why ? why : "it is empty") + ")" +
                                              remedy + (missing ? ", and build LB-HM again" : ""));
}

}  // namespace lbhm::host
