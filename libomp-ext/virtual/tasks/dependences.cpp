#include "libomp-ext/virtual/tasks/dependences.h"

#include <algorithm>
#include <ranges>

#include "libomp-ext/virtual/tasks/scheduler.h"

namespace lbhm::tasks {
namespace {

void wait_for(Node& node, const std::pmr::vector<Node*>& others) {
  for (Node* other : others) {
    if (other == &node || other->finished) continue;
    if (std::ranges::find(other->successors, &node) != other->successors.end()) continue;
    other->successors.push_back(&node);
    ++node.references;
    ++node.blockers;
  }
}

void keep(std::pmr::vector<Node*>& list, Node& node) {
  if (std::ranges::find(list, &node) != list.end()) return;
  list.push_back(&node);
  ++node.references;
}

void forget(std::pmr::vector<Node*>& list) {
  for (Node* node : list) release(node);
  list.clear();
}

}  // namespace

Dependences::~Dependences() {
  for (Address& address : addresses_ | std::views::values) {
    forget(address.last);
    forget(address.before);
  }
  forget(everything_.last);
  forget(everything_.before);
}

void Dependences::add(Node& node, const Depend& depend, bool remember) {
  if ((depend.kind & depend_all) != 0) {
    for (Address& address : addresses_ | std::views::values) add_to(address, node, 0, remember);
    return add_to(everything_, node, 0, remember);
  }
  const auto [found, fresh] = addresses_.try_emplace(depend.address);
  Address& address = found->second;
  if (fresh) {
    address.kind = everything_.kind;
    for (Node* other : everything_.last) keep(address.last, *other);
  }
  const bool shares = (depend.kind & 7) == depend_in || (depend.kind & depend_set) != 0;
  add_to(address, node, shares ? depend.kind : 0, remember);
}

void Dependences::add_to(Address& address, Node& node, std::uint8_t kind, bool remember) {
  const bool joins = kind != 0 && kind == address.kind && !address.last.empty();
  wait_for(node, joins ? address.before : address.last);
  if (!remember) return;
  if (!joins) {
    forget(address.before);
    address.before.swap(address.last);
    address.kind = kind;
  }
  keep(address.last, node);
}

}  // namespace lbhm::tasks
