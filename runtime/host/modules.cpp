#include "runtime/host/modules.h"

#include <dlfcn.h>
#include <unistd.h>

#include "runtime/own_memory/no_fork.h"

namespace lbhm::host {

void* open_library(const char* path) {
  const NoFork whole;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

Result<void*> open_module(const std::string& folder, const char* file, const char* entry, const char* package) {
  const std::string path = folder + "/" + file;
  void* module = open_library(path.c_str());
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
