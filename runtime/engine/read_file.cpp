#include "runtime/engine/read_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

namespace lbhm::engine {

Result<std::string> read_file(const std::string& path, Bytes most) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string content;
  std::vector<char> part(MiB(1).value);
  while (file) {
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    content.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (content.size() > most.value)
      return failure(StatusCode::malformed, "it is larger than " + std::to_string(most.value >> 20) + " MiB");
  }
  if (!file.is_open() || file.bad())
    return failure(StatusCode::not_found, std::string("cannot be read (") + std::strerror(errno) + ")");
  return content;
}

}  // namespace lbhm::engine
