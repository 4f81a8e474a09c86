#include "runtime/engine/input_files.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace lbhm::engine {
namespace {

Result<std::string> content_of(const std::string& path, const std::string& setting) {
  std::ifstream file(path);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (!file || file.bad())
    return failure(StatusCode::not_found, setting + "=" + path + " cannot be read (" + std::strerror(errno) +
                                              "); correct the path or unset it");
  return content;
}

}  // namespace

Status read_patterns_file(const std::string& path, PatternCatalog& catalog) {
  if (path.empty()) return {};
  const auto content = content_of(path, "LBHM_PATTERNS");
  if (!content) return content.error();
  if (Status status = catalog.add_file(*content, path); !status.ok())
    return Status(status.code(), "LBHM_PATTERNS=" + path + ": " + status.message());
  return {};
}

}  // namespace lbhm::engine
