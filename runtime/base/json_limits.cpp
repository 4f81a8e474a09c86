#include "runtime/base/json_limits.h"

namespace lbhm::files {

std::string beyond_limits(std::string_view text, const JsonLimits& limits) {
  int levels = 0;
  std::size_t values = 1;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;  // the next one is no quotation mark
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') ++levels;
    if (c == ']' || c == '}') --levels;
    if (c == ',' || c == '[' || c == '{') ++values;
    if (levels > limits.levels) return "it is nested deeper than " + std::to_string(limits.levels) + " levels";
    if (values > limits.values) return "it has more than " + std::to_string(limits.values) + " values";
    if (levels < 0) break;  // no parser gets beyond this
  }
  return {};
}

}  // namespace lbhm::files
