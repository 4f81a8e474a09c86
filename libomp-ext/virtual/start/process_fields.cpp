#include "libomp-ext/virtual/start/process_fields.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace lbhm::openmp {

bool read_process_fields(std::span<std::uint64_t> fields) {
  std::array<char, 1024> text{};
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t bytes = read(file, text.data(), text.size() - 1);
  close(file);
  if (bytes <= 0) return false;
  const char* at = std::strrchr(text.data(), ')');  // ends the second field, which may contain blanks
  for (std::size_t number = 3; at != nullptr && number < fields.size(); ++number) {
    at = std::strchr(at + 1, ' ');
    if (at != nullptr) fields[number] = std::strtoull(at, nullptr, 10);
  }
  return at != nullptr;
}

}  // namespace lbhm::openmp
