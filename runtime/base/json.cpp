#include "runtime/base/json.h"

#include <nlohmann/json.hpp>

#include "runtime/base/json_limits.h"
#include "runtime/base/printable.h"
#include "runtime/own_memory/own_memory.h"

namespace lbhm {
namespace {

/// What the parser says, without the names of its own exceptions; a text may be long that it quotes.
std::string reason(std::string_view said) {
  constexpr std::string_view place = "parse error at ";
  constexpr std::size_t longest = 160;
  if (const auto bracket = said.find("] "); bracket != std::string_view::npos) said.remove_prefix(bracket + 2);
  if (said.starts_with(place)) said.remove_prefix(place.size());
  return printable(said.substr(0, longest)) + (said.size() > longest ? "..." : "");
}

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.empty()) return failure(StatusCode::malformed, "it is not valid JSON (it is empty)");
  if (std::string beyond = files::beyond_limits(text, limits); !beyond.empty())
    return failure(StatusCode::malformed, std::move(beyond));
  const own_memory::Reserve reserve;
  try {
    auto json = nlohmann::json::parse(text);
    if (!reserve.drawn()) return json;
    return failure(StatusCode::no_memory, "there is no memory for it; raise the limit of address space (ulimit -v)");
  } catch (const nlohmann::json::exception& error) {
    return failure(StatusCode::malformed, "it is not valid JSON, or was cut short (" + reason(error.what()) + ")");
  }
}

}  // namespace lbhm
