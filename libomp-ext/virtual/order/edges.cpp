#include "libomp-ext/virtual/order/edges.h"

#include <array>
#include <atomic>
#include <bit>

#include "runtime/base/chance.h"
#include "runtime/engine/engine.h"

namespace lbhm::openmp {
namespace {

constinit std::atomic<bool> begun{false};

/// The latest clock of those who brought it. Neither lock nor memory, for handlers and children may come here. Names
/// beyond these take the place of others, whose edges are lost.
struct Edge {
  std::atomic<EdgeName> name{0};
  std::atomic<double> clock{0};
};
constinit std::array<Edge, 4096> edges{};
constexpr std::size_t probes = 8;

Edge* find(EdgeName name, bool make) {
  const std::size_t start = finalised(name);
  for (std::size_t i = 0; i < probes; ++i) {
    Edge& edge = edges[(start + i) % edges.size()];
    EdgeName found = edge.name.load();
    if (found == 0 && make && edge.name.compare_exchange_strong(found, name)) found = name;
    if (found == name) return &edge;
  }
  if (!make) return nullptr;
  Edge& edge = edges[start % edges.size()];
  edge.name.store(name);
  edge.clock.store(0);
  return &edge;
}

}  // namespace

Nanoseconds clock_here() { return engine::virtual_now(Nanoseconds(0)).value_or(Nanoseconds(0)); }

void not_before(Nanoseconds clock) {
  const Nanoseconds now = clock_here();
  if (now > Nanoseconds(0) && now < clock) engine::virtual_now(clock - now);
}

void threads_begin() { begun.store(true, std::memory_order_relaxed); }
bool has_threads() { return begun.load(std::memory_order_relaxed); }

void brings(EdgeName what) {
  if (!has_threads() || !engine::keeps_virtual_time()) return;
  const double clock = clock_here().value;
  std::atomic<double>& latest = find(what, true)->clock;
  double known = latest.load();
  while (known < clock && !latest.compare_exchange_weak(known, clock)) {}
}

void got(EdgeName what) {
  if (!has_threads() || !engine::keeps_virtual_time()) return;
  if (const Edge* edge = find(what, false)) not_before(Nanoseconds(edge->clock.load()));
}

std::optional<Nanoseconds> brought(EdgeName what) {
  const Edge* edge = find(what, false);
  const double clock = edge ? edge->clock.load() : 0;
  return clock > 0 ? std::optional(Nanoseconds(clock)) : std::nullopt;
}

void forget(EdgeName what) {
  if (Edge* edge = find(what, false)) edge->clock.store(0);
}

}  // namespace lbhm::openmp
