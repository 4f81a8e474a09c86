// Independent sets and matchings: Luby's sets, colours by random priorities, pairs of heaviest neighbours, Karp and
// Sipser's rule, Hopcroft and Karp's phases with Konig's cover as the proof, an auction, greedy set cover.
// Source: Luby, SIAM J. Computing 15, 1986; Jones, Plassmann, SIAM J. Sci. Comput. 14, 1993; Manne, Bisseling, PPAM
// 2007; Karp, Sipser, FOCS 1981; Hopcroft, Karp, SIAM J. Computing 2, 1973; Bertsekas, Annals of OR 14, 1988.
#include <algorithm>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Node = std::uint32_t;
using Nodes = std::vector<Node>;
using Marks = std::vector<std::uint8_t>;
constexpr Node none = ~Node{0};

struct Graph {
  Nodes begin, to;
  Node nodes() const { return static_cast<Node>(begin.size() - 1); }
};

/// Task i can be done by 1 to 6 workers, most of them nearby. Left and right side have the same size.
CORPUS_REGION Graph make_tasks(Node count, corpus::Random& random) {
  Graph g{Nodes{0}, Nodes{}};
  for (Node task = 0; task < count; ++task) {
    for (Node k = 1 + random.below(6); k > 0; --k)
      g.to.push_back(random.below(4) ? (task + random.below(2000)) % count : random.below(count / 2));
    g.begin.push_back(static_cast<Node>(g.to.size()));
  }
  return g;
}

CORPUS_REGION Graph transposed(const Graph& g) {
  Graph t{Nodes(g.begin.size()), Nodes(g.to.size())};
  for (const Node to : g.to) ++t.begin[to];
  std::partial_sum(t.begin.begin(), t.begin.end(), t.begin.begin());
  for (Node node = g.nodes(); node-- > 0;)
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) t.to[--t.begin[g.to[k]]] = node;
  return t;
}

/// Both directions in one list for each node.
CORPUS_REGION Graph merged(const Graph& a, const Graph& b) {
  Graph g{a.begin, Nodes(a.to.size() + b.to.size())};
  for (std::size_t node = 0; node < g.begin.size(); ++node) g.begin[node] += b.begin[node];
#pragma omp parallel for
  for (Node node = 0; node < g.nodes(); ++node) {
    Node k = g.begin[node];
    for (Node i = a.begin[node]; i < a.begin[node + 1]; ++i) g.to[k++] = a.to[i];
    for (Node i = b.begin[node]; i < b.begin[node + 1]; ++i) g.to[k++] = b.to[i];
  }
  return g;
}

/// Nodes that have the highest priority among undecided neighbours (state 0) become candidates.
CORPUS_REGION void choose(const Graph& g, const Marks& state, std::uint64_t round, Marks& chosen) {
#pragma omp parallel for
  for (Node node = 0; node < g.nodes(); ++node) {
    const std::uint64_t mine = corpus::random_bits(round, node);
    bool best = state[node] == 0;
    for (Node k = g.begin[node]; best && k < g.begin[node + 1]; ++k)
      best = state[g.to[k]] != 0 || g.to[k] == node || corpus::random_bits(round, g.to[k]) < mine;
    chosen[node] = best;
  }
}

/// 1: in the set, 2: a neighbour is. Returns how many are undecided.
CORPUS_REGION std::size_t decide(const Graph& g, const Marks& chosen, Marks& state) {
  std::size_t open = 0;
#pragma omp parallel for reduction(+ : open)
  for (Node node = 0; node < g.nodes(); ++node) {
    if (state[node] != 0) continue;
    if (chosen[node]) state[node] = 1;
    for (Node k = g.begin[node]; state[node] == 0 && k < g.begin[node + 1]; ++k)
      if (chosen[g.to[k]]) state[node] = 2;
    open += state[node] == 0;
  }
  return open;
}

/// Is it independent, and could no other node be added?
CORPUS_REGION bool maximal(const Graph& g, const Marks& state) {
  std::size_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (Node node = 0; node < g.nodes(); ++node) {
    std::size_t members = 0;
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) members += g.to[k] != node && state[g.to[k]] == 1;
    wrong += (state[node] == 1) == (members > 0);
  }
  return wrong == 0;
}

/// Whoever has the highest priority among neighbours without a colour takes the smallest free one.
CORPUS_REGION std::size_t colour_some(const Graph& g, const Nodes& priority, const Marks& colours, Marks& next) {
  std::size_t done = 0;
#pragma omp parallel for reduction(+ : done)
  for (Node node = 0; node < g.nodes(); ++node) {
    next[node] = colours[node];
    if (colours[node] != 0) continue;
    std::uint64_t used = 1;
    bool first = true;
    for (Node k = g.begin[node]; first && k < g.begin[node + 1]; ++k) {
      first = g.to[k] == node || colours[g.to[k]] != 0 || priority[g.to[k]] < priority[node];
      used |= std::uint64_t{1} << (colours[g.to[k]] & 63);
    }
    if (!first) continue;
    while (used >> next[node] & 1) ++next[node];
    ++done;
  }
  return done;
}

/// Every free node points at its heaviest edge to a free neighbour.
CORPUS_REGION void point(const Graph& g, const Nodes& mate, Nodes& favourite) {
#pragma omp parallel for
  for (Node node = 0; node < g.nodes(); ++node) {
    favourite[node] = none;
    if (mate[node] != none) continue;
    std::uint64_t most = 0;
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) {
      if (mate[g.to[k]] != none || g.to[k] == node) continue;
      const std::uint64_t weight = corpus::random_bits(std::min(node, g.to[k]), std::max(node, g.to[k]));
      if (weight > most) most = weight, favourite[node] = g.to[k];
    }
  }
}

CORPUS_REGION std::size_t marry(const Nodes& favourite, Nodes& mate) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (Node node = 0; node < mate.size(); ++node)
    if (favourite[node] != none && favourite[favourite[node]] == node) mate[node] = favourite[node], ++count;
  return count;
}

struct Matching {
  Nodes of_task, of_worker;
};

/// Tasks that have one free worker left are served first, then any.
CORPUS_REGION std::size_t karp_sipser(const Graph& tasks, const Graph& workers, Matching& m) {
  Nodes left(tasks.nodes()), single;
  std::size_t count = 0;
  for (Node task = 0; task < tasks.nodes(); ++task) {
    left[task] = tasks.begin[task + 1] - tasks.begin[task];
    if (left[task] == 1) single.push_back(task);
  }
  for (Node next = 0; next < tasks.nodes() || !single.empty();) {
    const Node task = single.empty() ? next++ : single.back();
    if (!single.empty()) single.pop_back();
    if (m.of_task[task] != none) continue;
    for (Node k = tasks.begin[task]; k < tasks.begin[task + 1]; ++k) {
      const Node worker = tasks.to[k];
      if (m.of_worker[worker] != none) continue;
      m.of_worker[worker] = task, m.of_task[task] = worker, ++count;
      for (Node i = workers.begin[worker]; i < workers.begin[worker + 1]; ++i)
        if (--left[workers.to[i]] == 1) single.push_back(workers.to[i]);
      break;
    }
  }
  return count;
}

/// Distances of tasks from free ones along alternating paths. Is there a free worker at the end of one?
CORPUS_REGION bool layers(const Graph& g, const Matching& m, Nodes& depth) {
  Nodes queue;
  for (Node task = 0; task < g.nodes(); ++task) {
    depth[task] = m.of_task[task] == none ? 0 : none;
    if (depth[task] == 0) queue.push_back(task);
  }
  bool found = false;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (Node k = g.begin[queue[i]]; k < g.begin[queue[i] + 1]; ++k) {
      const Node next = m.of_worker[g.to[k]];
      found = found || next == none;
      if (next != none && depth[next] == none) depth[next] = depth[queue[i]] + 1, queue.push_back(next);
    }
  return found;
}

/// Turns a path over if it finds one. cursor: the arcs that were not tried yet.
bool augment(const Graph& g, Node task, Nodes& depth, Nodes& cursor, Matching& m) {
  while (cursor[task] < g.begin[task + 1]) {
    const Node worker = g.to[cursor[task]++], next = m.of_worker[worker];
    if (next != none && (depth[next] != depth[task] + 1 || !augment(g, next, depth, cursor, m))) continue;
    m.of_task[task] = worker, m.of_worker[worker] = task;
    return true;
  }
  return false;
}

CORPUS_REGION std::size_t augment_all(const Graph& g, Nodes& depth, Matching& m) {
  Nodes cursor(g.begin.begin(), g.begin.end() - 1);
  std::size_t count = 0;
  for (Node task = 0; task < g.nodes(); ++task)
    if (m.of_task[task] == none) count += augment(g, task, depth, cursor, m);
  return count;
}

/// Konig: tasks that no alternating path reaches, and workers that one does. None if an edge is not covered.
CORPUS_REGION std::size_t cover(const Graph& g, const Matching& m, const Nodes& depth) {
  std::size_t size = 0, uncovered = 0;
#pragma omp parallel for reduction(+ : size, uncovered)
  for (Node task = 0; task < g.nodes(); ++task) {
    const Node served = m.of_worker[task];
    size += depth[task] == none;
    size += served != none && depth[served] != none;
    for (Node k = g.begin[task]; k < g.begin[task + 1]; ++k) {
      const Node other = m.of_worker[g.to[k]];
      uncovered += depth[task] != none && (other == none || depth[other] == none);
    }
  }
  return uncovered == 0 ? size : none;
}

/// Tasks bid for the worker of most value after the price; who is outbid bids again. Stops after so many bids.
CORPUS_REGION std::size_t auction(const Graph& g, Nodes& price, Nodes& owner, std::size_t bids) {
  Nodes queue(g.nodes());
  std::iota(queue.begin(), queue.end(), 0u);
  for (std::size_t i = 0; i < queue.size() && i < bids; ++i) {
    const Node task = queue[i];
    std::int64_t best = -1, second = -1;
    Node chosen = none;
    for (Node k = g.begin[task]; k < g.begin[task + 1]; ++k) {
      const std::int64_t value = 1000 + (task ^ g.to[k]) % 100 - std::int64_t{price[g.to[k]]};
      if (value > best)
        second = best, best = value, chosen = g.to[k];
      else
        second = std::max(second, value);
    }
    if (chosen == none) continue;  // too dear, all of them
    price[chosen] += static_cast<Node>(best - second + 1);
    if (owner[chosen] != none) queue.push_back(owner[chosen]);
    owner[chosen] = task;
  }
  return owner.size() - static_cast<std::size_t>(std::count(owner.begin(), owner.end(), none));
}

/// Workers in the order of how many open tasks they could do; stale counts are put back.
CORPUS_REGION std::size_t set_cover(const Graph& workers, Marks& done) {
  std::vector<Nodes> buckets(256);
  for (Node w = 0; w < workers.nodes(); ++w)
    buckets[std::min<Node>(255, workers.begin[w + 1] - workers.begin[w])].push_back(w);
  std::size_t used = 0;
  for (std::size_t level = buckets.size() - 1; level > 0; --level)
    for (; !buckets[level].empty();) {
      const Node w = buckets[level].back();
      buckets[level].pop_back();
      std::size_t open = 0;
      for (Node k = workers.begin[w]; k < workers.begin[w + 1]; ++k) open += !done[workers.to[k]];
      if (open < level) {
        buckets[open].push_back(w);
        continue;
      }
      for (Node k = workers.begin[w]; k < workers.begin[w + 1]; ++k) done[workers.to[k]] = 1;
      ++used;
    }
  return used;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Node count = input.pick<Node>(24'000, 40'000);
  const Graph tasks = make_tasks(count, random), workers = transposed(tasks), both = merged(tasks, workers);
  Marks state(count), chosen(count), colours(count), next(count), done(count);
  for (std::uint64_t round = 0;; ++round) {
    choose(both, state, round, chosen);
    if (decide(both, chosen, state) == 0) break;
  }
  bool right = maximal(both, state);
  Nodes priority(count), mate(count, none), favourite(count), depth(count), price(count), owner(count, none);
  for (Node node = 0; node < count; ++node) priority[node] = static_cast<Node>(random.next() >> 32);
  while (colour_some(both, priority, colours, next) > 0) colours.swap(next);
  std::size_t pairs = 0, size = 0, before = 1;
  for (; before > 0; pairs += before) {
    point(both, mate, favourite);
    before = marry(favourite, mate);
  }
  Matching m{Nodes(count, none), Nodes(count, none)};
  size = karp_sipser(tasks, workers, m);
  while (layers(tasks, m, depth)) size += augment_all(tasks, depth, m);
  right = right && cover(tasks, m, depth) == size;
  const std::size_t sold = auction(tasks, price, owner, 3 * count);
  const std::size_t used = set_cover(workers, done);
  right = right && sold <= size && used <= count && std::count(done.begin(), done.end(), 0) == 0;
  return {.checksum = static_cast<double>(pairs + size + sold + used + colours[count / 2]), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
