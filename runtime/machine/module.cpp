#include "runtime/machine/module.h"

#include <dlfcn.h>

namespace lbhm::host {
namespace {

std::string folder_of_this_library() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&module_function), &info) || !info.dli_fname) return ".";
  const std::string file = info.dli_fname;
  const auto slash = file.rfind('/');
  return slash == std::string::npos ? "." : file.substr(0, slash);
}

}  // namespace

void* module_function(const char* file, const char* symbol, const char* library, const char* package,
                      std::string& why) {
  const std::string folder = folder_of_this_library();
  void* module = dlopen((folder + "/" + file).c_str(), RTLD_NOW | RTLD_LOCAL);
  // Programs that are linked with our rooms themselves (tests) stand in bin/.
  if (!module && folder.ends_with("/bin")) module = dlopen((folder + "/../lib/" + file).c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const function = module ? dlsym(module, symbol) : nullptr;
  if (!function) {
    const char* const error = dlerror();
    why = std::string(library) + " is not used (" + (error ? error : "no reason given") + "); install " + package +
          " and build LB-HM with it";
  }
  return function;
}

}  // namespace lbhm::host
