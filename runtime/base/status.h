// The one way in which rooms tell each other that something went wrong.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace lbhm {

enum class StatusCode : std::uint8_t {
  ok,
  invalid_argument,
  not_found,
  no_memory,
  permission_denied,
  busy,
  unavailable,
  malformed
};

/// The outcome of an operation. The message is one sentence: it names the setting, file or call, what was wrong with
/// it, and the remedy.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == StatusCode::ok; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  StatusCode code_ = StatusCode::ok;
  std::string message_;
};

/// A value, or the Status that says why there is none.
template <class T>
using Result = std::expected<T, Status>;

inline std::unexpected<Status> failure(StatusCode code, std::string message) {
  return std::unexpected<Status>(Status(code, std::move(message)));
}

}  // namespace lbhm
