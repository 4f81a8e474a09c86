#include "apps/bfs/steps.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace bfs {
namespace {

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

}  // namespace

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

}  // namespace bfs
