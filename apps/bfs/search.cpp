#include "apps/bfs/search.h"

#include <omp.h>
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <vector>

#include "apps/common/mini_app.h"
#include "apps/common/placed_memory.h"

namespace bfs {
namespace {

/// What the parts found in this level and in the one before, in turns: nobody writes where others may still read.
using Counts = std::array<std::vector<Found>, 2>;

Found sum(const std::vector<Found>& parts) {
  Found all;
  for (const Found& part : parts) {
    all.vertices += part.vertices;
    all.edges += part.edges;
  }
  return all;
}

/// The parts that this thread works on: one, its own, unless the OpenMP runtime grants fewer threads than there are
/// parts.
template <class Work>
void for_own_parts(Graph& graph, Work work) {
  const auto team = static_cast<std::size_t>(omp_get_num_threads());
  for (auto i = static_cast<std::size_t>(omp_get_thread_num()); i < graph.parts.size(); i += team) work(i);
}

/// The whole search as one thread sees it.
Search search_in_step(Graph& graph, Vertex source, Counts& counts) {
  for_own_parts(graph, [&](std::size_t i) { counts[0][i] = start(graph.parts[i], graph, source); });
  Direction direction(graph);
  Search result;
  for (unsigned level = 0;; ++level) {
#pragma omp barrier
    const Found found = sum(counts[level % 2]);
    if (found.vertices == 0) return result;
    result.reached += found.vertices;
    const std::uint64_t* const frontier = graph.frontiers[level % 2].data();
    std::uint64_t* const next = graph.frontiers[(level + 1) % 2].data();
    std::vector<Found>& now = counts[(level + 1) % 2];
    if (direction.choose_bottom_up(found)) {
      ++result.bottom_up;
      for_own_parts(graph, [&](std::size_t i) { now[i] = look_up(graph.parts[i], frontier, next); });
    } else {
      ++result.top_down;
      for_own_parts(graph, [&](std::size_t i) { send(graph.parts[i], graph, frontier); });
#pragma omp barrier
      for_own_parts(graph, [&](std::size_t i) { now[i] = receive(graph, i, next); });
    }
  }
}

std::size_t first_word(const Part& part) { return part.first / word_bits; }
std::size_t last_word(const Part& part) { return (std::size_t{part.last} + word_bits - 1) / word_bits; }

constexpr std::uint64_t bit_of(Vertex vertex) { return std::uint64_t{1} << (vertex % word_bits); }

/// Calls visit(vertex) for every vertex of the part that is in the frontier, in ascending order.
template <class Visit>
void for_each_member(const Part& part, const std::uint64_t* frontier, Visit visit) {
  for (std::size_t word = first_word(part); word < last_word(part); ++word) {
    for (std::uint64_t rest = frontier[word]; rest != 0; rest &= rest - 1) {
      visit(static_cast<Vertex>(word * word_bits) + static_cast<Vertex>(std::countr_zero(rest)));
    }
  }
}

/// Calls visit(vertex, neighbour) for every edge that leaves the frontier within the part.
template <class Visit>
void for_each_edge(const Part& part, const std::uint64_t* frontier, Visit visit) {
  const Offset* const offsets = part.offsets.data();
  const Vertex* const neighbours = part.neighbours.data();
  for_each_member(part, frontier, [&](Vertex vertex) {
    const Offset end = offsets[vertex - part.first + 1];
    for (Offset i = offsets[vertex - part.first]; i < end; ++i) visit(vertex, neighbours[i]);
  });
}

std::span<const Vertex> neighbours_of(const Graph& graph, Vertex vertex) {
  const Part& part = graph.parts[graph.owner(vertex)];
  return {part.neighbours.data() + part.offsets.data()[vertex - part.first], part.degree(vertex)};
}

/// Distances from the source; `none` where there is no way.
APPS_NOT_MEASURED std::vector<Vertex> depths_from(const Graph& graph, Vertex source) {
  std::vector<Vertex> depths(graph.vertices, none);
  std::vector<Vertex> queue{source};
  depths[source] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const Vertex vertex = queue[at];
    for (const Vertex neighbour : neighbours_of(graph, vertex)) {
      if (depths[neighbour] != none) continue;
      depths[neighbour] = depths[vertex] + 1;
      queue.push_back(neighbour);
    }
  }
  return depths;
}

APPS_NOT_MEASURED Vertex right_parent(const Graph& graph, const std::vector<Vertex>& depths, Vertex vertex) {
  if (depths[vertex] == none) return none;
  if (depths[vertex] == 0) return vertex;
  const auto neighbours = neighbours_of(graph, vertex);  // ascending
  return *std::ranges::find_if(neighbours, [&](Vertex n) { return depths[n] == depths[vertex] - 1; });
}

std::string name_of(Vertex vertex) { return vertex == none ? "none" : std::to_string(vertex); }

}  // namespace

bool Direction::choose_bottom_up(const Found& found) {
  const bool goes_on = bottom_up_ && (found.vertices >= last_found_ || found.vertices > vertices_ / beta);
  // As in GAP, a bottom-up step does not find out how many edges leave its frontier.
  const std::uint64_t leaving = bottom_up_ ? 1 : found.edges;
  last_found_ = found.vertices;
  bottom_up_ = goes_on || leaving > unexplored_ / alpha;
  if (!bottom_up_) unexplored_ -= leaving;
  return bottom_up_;
}

Search search(Graph& graph, Vertex source) {
  Counts counts{std::vector<Found>(graph.parts.size()), std::vector<Found>(graph.parts.size())};
  Search result;
#pragma omp parallel num_threads(static_cast<int>(graph.parts.size()))
  {
    const Search own = search_in_step(graph, source, counts);
    if (omp_get_thread_num() == 0) result = own;
  }
  return result;
}

Found start(Part& part, Graph& graph, Vertex source) {
  std::fill_n(part.parents.data(), part.size(), none);
  std::uint64_t* const frontier = graph.frontiers[0].data();
  std::fill(frontier + first_word(part), frontier + last_word(part), 0U);
  if (source < part.first || source >= part.last) return {};
  part.parents.data()[source - part.first] = source;
  frontier[source / word_bits] = bit_of(source);
  return {1, part.degree(source)};
}

void send(Part& part, const Graph& graph, const std::uint64_t* frontier) {
  // Counted first, as before an exchange of messages between processes: then each has its place.
  std::vector<Offset>& sent = part.sent;
  std::ranges::fill(sent, Offset{0});
  for_each_edge(part, frontier, [&](Vertex, Vertex neighbour) { ++sent[graph.owner(neighbour)]; });
  std::exclusive_scan(sent.begin(), sent.end(), sent.begin(), Offset{0});
  Message* const outbox = part.outbox.data();
  for_each_edge(part, frontier,
                [&](Vertex vertex, Vertex neighbour) { outbox[sent[graph.owner(neighbour)]++] = {neighbour, vertex}; });
  // Every position has moved to where the next part's messages begin.
  std::shift_right(sent.begin(), sent.end(), 1);
  sent.front() = 0;
}

Found receive(Graph& graph, std::size_t number, std::uint64_t* next) {
  Part& part = graph.parts[number];
  Vertex* const parents = part.parents.data();
  std::fill(next + first_word(part), next + last_word(part), 0U);
  Found found;
  for (const Part& sender : graph.parts) {
    const Message* const outbox = sender.outbox.data();
    const Offset end = sender.sent[number + 1];
    for (Offset i = sender.sent[number]; i < end; ++i) {
      const Message message = outbox[i];
      if (parents[message.to - part.first] != none) continue;
      parents[message.to - part.first] = message.from;
      next[message.to / word_bits] |= bit_of(message.to);
      ++found.vertices;
      found.edges += part.degree(message.to);
    }
  }
  return found;
}

Found look_up(Part& part, const std::uint64_t* frontier, std::uint64_t* next) {
  const Offset* const offsets = part.offsets.data();
  const Vertex* const neighbours = part.neighbours.data();
  Vertex* const parents = part.parents.data();
  Found found;
  for (std::size_t word = first_word(part); word < last_word(part); ++word) {
    const auto begin = static_cast<Vertex>(word * word_bits);
    const Vertex end = std::min(begin + word_bits, part.last);
    std::uint64_t members = 0;
    for (Vertex vertex = begin; vertex < end; ++vertex) {
      const Vertex local = vertex - part.first;
      if (parents[local] != none) continue;
      for (Offset i = offsets[local]; i < offsets[local + 1]; ++i) {
        const Vertex neighbour = neighbours[i];
        if ((frontier[neighbour / word_bits] & bit_of(neighbour)) == 0) continue;
        parents[local] = neighbour;
        members |= bit_of(vertex);
        break;
      }
    }
    next[word] = members;
    found.vertices += static_cast<std::uint64_t>(std::popcount(members));
  }
  return found;
}

APPS_NOT_MEASURED std::string find_mistake(const Graph& graph, Vertex source) {
  const std::vector<Vertex> depths = depths_from(graph, source);
  for (const Part& part : graph.parts) {
    for (Vertex vertex = part.first; vertex < part.last; ++vertex) {
      const Vertex found = part.parents.data()[vertex - part.first];
      const Vertex expected = right_parent(graph, depths, vertex);
      if (found == expected) continue;
      return "the parent of vertex " + name_of(vertex) + " in the search from " + name_of(source) + " is " +
             name_of(found) + " and should be " + name_of(expected) + ".";
    }
  }
  return "";
}

APPS_NOT_MEASURED std::uint64_t checksum(const Graph& graph) {
  std::uint64_t sum = 0;
  for (const Part& part : graph.parts) {
    for (Vertex vertex = part.first; vertex < part.last; ++vertex) {
      sum += apps::mix(std::uint64_t{vertex} << 32 | part.parents.data()[vertex - part.first]);
    }
  }
  return sum;
}

}  // namespace bfs
