#include "runtime/machine/ledger_table.h"

#include <signal.h>

#include <cerrno>
#include <limits>
#include <sstream>

#include "runtime/machine/sysfs.h"

namespace lbhm::host {

std::uint64_t LedgerTable::sum(std::size_t tier) const {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < used; ++i) {
    if (record[i].process != 0 && __builtin_add_overflow(all, record[i].bytes[tier], &all))
      return std::numeric_limits<std::uint64_t>::max();
  }
  return all;
}

std::optional<std::size_t> LedgerTable::enter(const LedgerRecord& fresh) {
  std::size_t place = 0;
  while (place < used && record[place].process != 0) ++place;
  if (place == records) return std::nullopt;
  if (place == used) ++used;
  record[place] = fresh;
  return place;
}

void LedgerTable::bury_the_dead(const LedgerRecord& own) {
  const auto lives = [](const LedgerRecord& one) {
    const std::uint64_t started = start_of(static_cast<pid_t>(one.process));
    return started != 0 && started == one.started;
  };
  if (!lives(own)) return;
  for (std::size_t i = 0; i < used; ++i) {
    if (record[i].process != 0 && !lives(record[i])) record[i] = {};
  }
  while (used > 0 && record[used - 1].process == 0) --used;
}

std::uint64_t start_of(pid_t process) {
  const auto line = process > 0 ? Sysfs().text("proc/" + std::to_string(process) + "/stat") : std::nullopt;
  if (!line) return process > 0 && (kill(process, 0) == 0 || errno == EPERM) ? 1 : 0;  // no /proc here
  const auto name_ends = line->rfind(')');                                             // the name may hold anything
  if (name_ends == std::string::npos) return 0;
  std::istringstream fields(line->substr(name_ends + 1));
  std::string field;
  for (int number = 3; number <= 22; ++number) fields >> field;
  return fields ? std::strtoull(field.c_str(), nullptr, 10) : 0;
}

}  // namespace lbhm::host
