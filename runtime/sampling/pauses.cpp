#include "runtime/sampling/pauses.h"

#include <cerrno>

#include "runtime/sampling/armed_memory.h"
#include "runtime/sampling/watching.h"

namespace lbhm::sampling {
namespace {
constinit Pauses the_pauses;
}  // namespace

void Pauses::begin(std::uintptr_t first, std::uintptr_t end) {
  under_way_.fetch_add(1, std::memory_order_seq_cst);
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  const int error = errno;
  put_back(first, end);
  errno = error;
}

void Pauses::end() {
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  under_way_.fetch_sub(1, std::memory_order_seq_cst);
}

std::optional<Pauses::Ticket> Pauses::ticket() const {
  const Ticket now = epoch_.load(std::memory_order_seq_cst);
  if (under_way_.load(std::memory_order_seq_cst) != 0) return std::nullopt;
  return now;
}

bool Pauses::valid(Ticket ticket) const {
  return under_way_.load(std::memory_order_seq_cst) == 0 && epoch_.load(std::memory_order_seq_cst) == ticket;
}

Pauses& pauses() { return the_pauses; }

}  // namespace lbhm::sampling

namespace lbhm::watching {

using sampling::pauses;

Pause::Pause() : active_(possible()) {
  if (active_) pauses().begin();
}

Pause::Pause(const void* address, std::size_t bytes) : active_(possible()) {
  if (!active_) return;
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t end = first + bytes;
  pauses().begin(first, end < first ? ~std::uintptr_t{0} : end);
}

Pause::~Pause() {
  if (active_) pauses().end();
}

void never_again(const char* why) { pauses().for_ever(why); }

}  // namespace lbhm::watching
