#include "runtime/machine/node_policy.h"

#include <cstring>
#include <string>

#include "runtime/machine/memory_calls.h"

namespace lbhm::host {
namespace {

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
