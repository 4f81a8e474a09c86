// Before main: writes to the file FAULTS_PROOF whether LB-HM is in the process and its tool is the one that libomp
// finds. Without this a comparison would pass where LB-HM never came in.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace {

bool lies_in_lbhm(const void* address) {
  Dl_info info{};
  return address && dladdr(address, &info) && std::strstr(info.dli_fname, "/liblbhm.so");
}

[[gnu::constructor]] void write_proof() {
  const char* file = std::getenv("FAULTS_PROOF");
  if (!file) return;
  const bool tool = lies_in_lbhm(dlsym(RTLD_DEFAULT, "ompt_start_tool"));
  const bool allocators = lies_in_lbhm(dlsym(RTLD_DEFAULT, "omp_alloc"));
  const char* text = tool && allocators ? "in" : tool || allocators ? "half" : "out";
  const int out = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (out < 0) return;
  (void)!write(out, text, std::strlen(text));
  close(out);
  unsetenv("FAULTS_PROOF");  // programs that this one starts prove nothing
}

}  // namespace
