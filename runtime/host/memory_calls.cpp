#include "runtime/host/memory_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>

#include "runtime/host/modules.h"
#include "runtime/own_memory/inside.h"

namespace lbhm::host {
namespace {

/// Null where libnuma could not be opened.
struct Libnuma {
  decltype(&::mbind) bind = nullptr;
  decltype(&::get_mempolicy) policy = nullptr;
  decltype(&::move_pages) move = nullptr;
  std::string why{};
};

const Libnuma& libnuma() {
  static const Libnuma opened = [] {
    const KeepErrno keep;
    Libnuma library;
    void* const handle = open_library("libnuma.so.1");
    const auto find = [&](auto& into, const char* name) {
      if (handle) into = reinterpret_cast<std::remove_reference_t<decltype(into)>>(dlsym(handle, name));
    };
    find(library.bind, "mbind");
    find(library.policy, "get_mempolicy");
    find(library.move, "move_pages");
    if (!library.bind || !library.policy || !library.move) {
      const char* const why = dlerror();
      library = {};
      library.why = why ? why : "it is not the libnuma that we know";
    }
    return library;
  }();
  return opened;
}

/// Calls `function` with errno as a negative result; the program's errno stays. Inside: what is bound here is not the
/// program's word (libomp-ext/signals/system_calls.cpp).
template <class Function, class... Arguments>
long call(Function function, Arguments... arguments) {
  if (!function) return -ENOSYS;
  const Inside here;
  const KeepErrno keep;
  const long result = function(arguments...);
  return result < 0 ? -static_cast<long>(errno) : result;
}

// Bits of an entry: Documentation/admin-guide/mm/pagemap.rst.
constexpr std::uint64_t present = std::uint64_t{1} << 63;
constexpr std::uint64_t swapped = std::uint64_t{1} << 62;  // set for pages under migration, too

/// Entries asked for at once: 4 KiB of them.
constexpr std::size_t most_entries = 512;

void read_run(int file, std::uintptr_t first_page, std::span<bool> out) {
  std::array<std::uint64_t, most_entries> entries;
  const std::size_t wanted = out.size() * sizeof(entries[0]);
  const ssize_t got = pread(file, entries.data(), wanted, static_cast<off_t>(first_page * sizeof(entries[0])));
  const std::size_t known = got < 0 ? 0 : static_cast<std::size_t>(got) / sizeof(entries[0]);
  for (std::size_t i = 0; i < known; ++i) out[i] = (entries[i] & (present | swapped)) != 0;
}

struct PolicyChoice {
  int policy;
  bool first_node_only;  ///< MPOL_PREFERRED takes one node
};

/// The policy wanted, then what older kernels have in its place.
std::span<const PolicyChoice> choices(Spread spread, bool one_node) {
  static constexpr PolicyChoice nearest[] = {{MPOL_PREFERRED_MANY, false}, {MPOL_PREFERRED, true}};
  static constexpr PolicyChoice bind[] = {{MPOL_BIND, false}};
  static constexpr PolicyChoice interleave[] = {{MPOL_INTERLEAVE, false}};
  static constexpr PolicyChoice weighted[] = {{policy_weighted_interleave, false}, {MPOL_INTERLEAVE, false}};
  if (spread == Spread::bind) return bind;
  if (spread == Spread::nearest || one_node) return nearest;
  if (spread == Spread::weighted) return weighted;
  return interleave;
}

Status refused(long error) {
  const int number = static_cast<int>(-error);
  const std::string call = std::string("mbind failed (") + std::strerror(number) + ")";
  if (number == EFAULT)
    return {StatusCode::not_found, call + ": this memory is not mapped; configure only live objects"};
  if (number == ENOMEM)
    return {StatusCode::no_memory, call + ": memory is in too many ranges; raise vm.max_map_count (sysctl)"};
  return {StatusCode::unavailable,
          call +
              ": new memory appears where the kernel puts it; allow mbind (in containers: the capability "
              "SYS_NICE or a seccomp profile with it), or name all nodes as one tier by LBHM_TIERS: nothing is placed "
              "then"};
}

}  // namespace

Status open_libnuma() {
  if (libnuma().bind) return {};
  return {StatusCode::unavailable,
          "libnuma.so.1 cannot be used (" + libnuma().why + "): nothing is placed; install the package libnuma1"};
}

long bind_memory(std::uintptr_t address, std::size_t bytes, int policy, const NodeMask* nodes, unsigned flags) {
  return call(libnuma().bind, reinterpret_cast<void*>(address), bytes, policy, nodes ? nodes->words() : nullptr,
              nodes ? NodeMask::limit : 0, flags);
}

long allowed_nodes(NodeMask& nodes) {
  return call(libnuma().policy, nullptr, nodes.words(), most_nodes, nullptr, MPOL_F_MEMS_ALLOWED);
}

long policy_at(std::uintptr_t address, int& policy, NodeMask& nodes) {
  return call(libnuma().policy, &policy, nodes.words(), most_nodes, reinterpret_cast<void*>(address), MPOL_F_ADDR);
}

long move_pages(std::size_t count, void* const* pages, const int* nodes, int* status, int flags) {
  return call(libnuma().move, 0, count, const_cast<void**>(pages), nodes, status, flags);
}

int node_of_this_thread() {
  unsigned cpu = 0;
  unsigned node = 0;
  const KeepErrno keep;
  return getcpu(&cpu, &node) == 0 ? static_cast<int>(node) : 0;
}

void* map_aligned(Bytes bytes, Bytes page, Bytes alignment, int flags, Bytes front) {
  const std::uint64_t slack = (alignment > page ? alignment.value - page.value : 0) + front.value;
  if (bytes.value > std::numeric_limits<std::uint64_t>::max() - slack) return nullptr;
  void* const memory =
      mmap(nullptr, bytes.value + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  // What is too much before and behind the aligned part goes back.
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t aligned = (begin + front.value + alignment.value - 1) / alignment.value * alignment.value;
  const std::uintptr_t before = aligned - front.value - begin, behind = begin + slack - aligned;
  char* const kept = static_cast<char*>(memory) + (aligned - begin);
  if (before > 0) munmap(memory, before);
  if (behind > 0) munmap(kept + bytes.value, behind);
  return kept;
}

void have_contents(std::span<const std::uintptr_t> pages, std::span<bool> out) {
  std::ranges::fill(out, false);
  const int before = errno;
  // Opened each time: programs may close descriptors that they do not know.
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    const auto page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    for (std::size_t at = 0; at < pages.size();) {
      const std::size_t run = run_length(pages.subspan(at, std::min(pages.size() - at, most_entries)), page_bytes);
      read_run(file, pages[at] / page_bytes, out.subspan(at, run));
      at += run;
    }
    close(file);
  }
  errno = before;
}

std::optional<Spread> parse_spread(std::string_view text) {
  if (text == "nearest") return Spread::nearest;
  if (text == "bind") return Spread::bind;
  if (text == "interleave") return Spread::interleave;
  if (text == "weighted") return Spread::weighted;
  return std::nullopt;
}

Status place_on(std::uintptr_t address, Bytes bytes, std::span<const int> nodes, Spread spread) {
  long result = -EINVAL;
  for (const PolicyChoice& choice : choices(spread, nodes.size() == 1)) {
    const NodeMask mask(choice.first_node_only ? nodes.first(1) : nodes);
    result = bind_memory(address, bytes.value, choice.policy, &mask);
    if (result != -EINVAL) break;  // EINVAL: this kernel does not know the policy
  }
  return result == 0 ? Status() : refused(result);
}

}  // namespace lbhm::host
