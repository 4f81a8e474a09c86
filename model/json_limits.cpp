#include "model/json_limits.h"

namespace lbhm::model {

std::string beyond_limits(std::string_view text) {
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
    if (c == ',') ++values;
    if (levels > most_levels) return "it is nested deeper than " + std::to_string(most_levels) + " levels";
    if (values > most_values) return "it has more than " + std::to_string(most_values) + " values";
  }
  return {};
}

}  // namespace lbhm::model
