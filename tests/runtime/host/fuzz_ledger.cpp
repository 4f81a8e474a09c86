// libFuzzer target: whatever is in the ledger's file, before and while processes use it, they go on, are given no more
// than there is, and know what they have.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "runtime/host/ledger.h"

namespace {

using lbhm::Bytes;
using lbhm::MiB;
using lbhm::host::Ledger;

constexpr lbhm::TierId fast(0);
constexpr Bytes capacity = MiB(10);

/// Removed at the end, so it lives longer than other statics.
const std::string& folder() {
  static const auto* const made = [] {
    auto* const name = new std::string("/dev/shm/lbhm-fuzz-XXXXXX");
    if (!mkdtemp(name->data())) std::abort();
    std::atexit([] {
      unlink((folder() + "/ledger").c_str());
      rmdir(folder().c_str());
    });
    return name;
  }();
  return *made;
}

void put(std::span<const std::uint8_t> content) {
  const int file = open((folder() + "/ledger").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || write(file, content.data(), content.size()) != static_cast<ssize_t>(content.size())) std::abort();
  close(file);
}

void expect(bool so) {
  if (!so) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const std::uint8_t> all(data + 1, size - 1);
  const std::size_t cut = all.size() * data[0] / 255;  // what is there first, and what comes later
  put(all.first(cut));
  std::string why;
  const auto first = Ledger::open(folder(), "ledger", why);
  const auto second = Ledger::open(folder(), "ledger", why);
  const Bytes got = first->take(fast, MiB(6), capacity);
  expect(got <= MiB(6));
  expect(second->take(fast, MiB(20), capacity) <= capacity);
  put(all.subspan(cut));
  expect(first->take(fast, MiB(20), capacity) <= capacity - got);
  first->settle({MiB(1)});
  const Bytes taken = first->taken(fast);
  expect(taken >= MiB(1) || first->misses() > 0 || got == Bytes(0));
  second->settle({});
  return 0;
}
