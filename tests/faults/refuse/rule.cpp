#include "tests/faults/refuse/rule.h"

#include <sys/syscall.h>

#include <cerrno>
#include <charconv>
#include <string_view>
#include <utility>

namespace refuse {
namespace {

constexpr Call known_calls[] = {
    {"move_pages", SYS_move_pages, -1, -1},
    {"mbind", SYS_mbind, -1, -1},
    {"set_mempolicy", SYS_set_mempolicy, -1, -1},
    {"get_mempolicy", SYS_get_mempolicy, -1, -1},
    {"perf_event_open", SYS_perf_event_open, -1, -1},
    {"userfaultfd", SYS_userfaultfd, -1, -1},
    {"mmap", SYS_mmap, -1, 1},
    {"munmap", SYS_munmap, -1, 1},
    {"madvise", SYS_madvise, -1, 1},
    {"mprotect", SYS_mprotect, -1, 1},
    {"ioctl", SYS_ioctl, -1, -1},
    {"clone3", SYS_clone3, -1, -1},
    {"clone", SYS_clone, -1, -1},
    {"pwrite64", SYS_pwrite64, -1, -1},
    {"openat", SYS_openat, 1, -1},
    {"newfstatat", SYS_newfstatat, 1, -1},
    {"faccessat", SYS_faccessat, 1, -1},
    {"faccessat2", SYS_faccessat2, 1, -1},
    {"readlinkat", SYS_readlinkat, 1, -1},
    {"statx", SYS_statx, 1, -1},
#ifdef SYS_open  // calls that newer architectures do not have
    {"open", SYS_open, 0, -1},
    {"stat", SYS_stat, 0, -1},
    {"access", SYS_access, 0, -1},
    {"readlink", SYS_readlink, 0, -1},
#endif
};

constexpr std::pair<std::string_view, int> known_errors[] = {
    {"EPERM", EPERM},   {"ENOSYS", ENOSYS}, {"ENOMEM", ENOMEM}, {"EBUSY", EBUSY},
    {"EMFILE", EMFILE}, {"ENOENT", ENOENT}, {"EACCES", EACCES}, {"EINVAL", EINVAL},
    {"EAGAIN", EAGAIN}, {"ENODEV", ENODEV}, {"ENOSPC", ENOSPC},
};

int error_number(std::string_view name) {
  for (const auto& [known, number] : known_errors)
    if (known == name) return number;
  return 0;
}

/// "N" or "N-M".
bool parse_numbers(std::string_view text, Rule& rule) {
  const char* const end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, rule.last);
  if (read.ptr == end || *read.ptr != '-') return read.ptr == end;
  rule.first = rule.last;
  read = std::from_chars(read.ptr + 1, end, rule.last);
  return read.ptr == end;
}

}  // namespace

std::optional<Rule> parse_rule(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) return std::nullopt;
  Rule rule;
  rule.error = error_number(std::string_view(text).substr(equals + 1));
  std::string left = text.substr(0, equals);
  if (const std::size_t sharp = left.rfind('#'); sharp != std::string::npos) {
    if (!parse_numbers(std::string_view(left).substr(sharp + 1), rule)) return std::nullopt;
    left.resize(sharp);
  }
  const std::size_t colon = left.find(':');
  rule.call = left.substr(0, colon);
  if (colon != std::string::npos) rule.what = left.substr(colon + 1);
  if (rule.error == 0 || calls_of(rule).empty()) return std::nullopt;
  return rule;
}

std::vector<Call> calls_of(const Rule& rule) {
  std::vector<Call> calls;
  for (const Call& call : known_calls)
    if (rule.call == call.name || (rule.call == "path" && call.path_argument >= 0)) calls.push_back(call);
  return calls;
}

}  // namespace refuse
