// migration MIB ROUNDS: what a page costs to move, by pages a call: move_pages(2) alone, and the runtime's way (a plan
// that carry_out gives to a PageMover), which also tells what became of each page. Where the process may use two memory
// nodes, pages are copied from one to the other and back; with a single node a move finds every page in place.
// Prints JSON; each figure is nanoseconds a page, one for each round.
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/micro/node_machine.h"
#include "runtime/host/memory_calls.h"
#include "runtime/migration/migration.h"

namespace lbhm::bench {
namespace {

constexpr std::size_t batches[] = {1, 16, 64, 256, 1024, 4096, 16384, 65536};
/// Single pages take too long to move all of them in each round.
constexpr std::size_t most_calls = 2048;

using Figures = std::map<std::string, std::vector<double>>;  // by pages a call
struct Ways {
  std::map<std::string, Figures> by_name;
  void add(const std::string& way, std::size_t batch, double ns) { by_name[way][std::to_string(batch)].push_back(ns); }
};

std::vector<int> nodes_of_process() {
  host::NodeMask mask;
  std::vector<int> nodes;
  if (host::allowed_nodes(mask) < 0) return {0};
  for (int node = 0; static_cast<std::size_t>(node) < host::most_nodes; ++node)
    if (mask.has(node)) nodes.push_back(node);
  return nodes;
}

/// Touched, and in small pages: this is about 4 KiB pages, whatever the system's policy on huge ones.
std::vector<std::uintptr_t> touched_pages(std::size_t bytes, std::size_t page) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {};
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  std::memset(memory, 1, bytes);
  std::vector<std::uintptr_t> pages;
  for (std::size_t at = 0; at < bytes; at += page) pages.push_back(reinterpret_cast<std::uintptr_t>(memory) + at);
  return pages;
}

template <class Work>
double ns_a_page(std::size_t pages, const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  return took.count() / static_cast<double>(pages);
}

/// The calls alone, without a look at what they answer. No node: they only ask.
double raw(std::span<const std::uintptr_t> pages, std::size_t batch, int node) {
  const std::vector<int> target(batch, node);
  std::vector<int> status(batch);
  return ns_a_page(pages.size(), [&] {
    for (std::size_t at = 0; at < pages.size(); at += batch) {
      const std::size_t count = std::min(batch, pages.size() - at);
      host::move_pages(count, reinterpret_cast<void* const*>(pages.data() + at),
                       node == host::no_node ? nullptr : target.data(), status.data());
    }
  });
}

class Comparison {
 public:
  explicit Comparison(std::vector<std::uintptr_t> pages)
      : nodes_(nodes_of_process()), pages_(std::move(pages)), copies_(nodes_.size() > 1) {}

  void round(std::size_t number) {
    for (const std::size_t batch : batches) {
      if (batch > pages_.size()) continue;
      const auto some = std::span(pages_).first(std::min(pages_.size(), batch * most_calls));
      // Every way moves in both directions over the rounds.
      here_ = number % 2;
      raw(some, batch, nodes_[there()]);  // everything is where the first one begins
      here_ = there();
      ways_.add("raw_query", batch, raw(some, batch, host::no_node));
      ways_.add("raw_move", batch, raw(some, batch, nodes_[there()]));
      here_ = there();
      for (const unsigned threads : {1u, 2u}) {
        ways_.add(threads == 1 ? "engine" : "engine_2_threads", batch, engine(some, batch, threads));
        here_ = there();
      }
    }
  }

  nlohmann::ordered_json json() const {
    return {{"nodes", nodes_},        {"copies", copies_}, {"page_bytes", sysconf(_SC_PAGESIZE)},
            {"pages", pages_.size()}, {"lost", lost_},     {"ns_a_page", ways_.by_name}};
  }

 private:
  std::size_t there() const { return copies_ ? 1 - here_ : 0; }

  double engine(std::span<const std::uintptr_t> pages, std::size_t batch, unsigned threads) {
    NodeMachine machine(nodes_, {.batch_pages = batch, .threads = threads});
    const Bytes page = machine.topology().page;
    const TierId to(static_cast<std::uint8_t>(there()));
    const MigrationPlan plan{.moves = {{pages[0], page * pages.size(), to}}};
    MoveReport report;
    const double ns = ns_a_page(pages.size(), [&] { report = carry_out(machine, plan, {}, {.batch_pages = batch}); });
    if (report.failed > Bytes(0) || (copies_ && report.moved != page * pages.size())) ++lost_;
    return ns;
  }

  std::vector<int> nodes_;
  std::vector<std::uintptr_t> pages_;
  bool copies_;
  std::size_t here_ = 0;  // index into nodes_
  std::size_t lost_ = 0;  // runs of ours in which a page stayed
  Ways ways_;
};

}  // namespace
}  // namespace lbhm::bench

int main(int count, char** words) {
  const long mebibytes = count == 3 ? std::atol(words[1]) : 0, rounds = count == 3 ? std::atol(words[2]) : 0;
  if (mebibytes < 1 || rounds < 1) {
    std::fprintf(stderr, "usage: bench-migration MIB ROUNDS (both at least 1)\n");
    return 2;
  }
  auto pages = lbhm::bench::touched_pages(static_cast<std::size_t>(mebibytes) << 20,
                                          static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
  if (pages.empty()) {
    std::fprintf(stderr, "bench-migration: there are no %ld MiB of memory; ask for fewer\n", mebibytes);
    return 1;
  }
  lbhm::bench::Comparison comparison(std::move(pages));
  for (long round = 0; round < rounds; ++round) comparison.round(static_cast<std::size_t>(round));
  std::puts(comparison.json().dump(1).c_str());
}
