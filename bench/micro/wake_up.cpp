// What a wake-up of MEMTIS's kernel threads takes on this computer by how much memory is managed, when nothing changes.
// "asked": the kernel is asked for every page; "kept": as LB-HM does it. Prints JSON: milliseconds by GiB, the median.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/micro/node_machine.h"
#include "runtime/pages/page_tracker.h"
#include "runtime/placement/daemons/memtis_daemon.h"

namespace {

using namespace lbhm;

constexpr std::size_t object_bytes = 64u << 20;
constexpr int repetitions = 11;

class Context : public PolicyContext {
 public:
  explicit Context(std::size_t gibibytes) : machine_({0}, {}) {
    for (std::size_t i = 0; i < (gibibytes << 30) / object_bytes; ++i) {
      void* const address = machine_.reserve(Bytes(object_bytes), machine_.topology().page).value();
      std::memset(address, 1, object_bytes);
      Object object;
      object.address = reinterpret_cast<std::uintptr_t>(address);
      object.bytes = Bytes(object_bytes);
      if (!registry_.add(object)) std::abort();
      blocks_.push_back(address);
      objects_.push_back({.address = object.address, .bytes = object.bytes, .name = {}});
    }
    std::ranges::sort(objects_, {}, &PlacedObject::address);
  }
  ~Context() override {
    for (void* const block : blocks_) machine_.release(block, Bytes(object_bytes));
  }
  Machine& machine() override { return machine_; }
  std::vector<PlacedObject> objects() override { return objects_; }
  MoveReport migrate(const MigrationPlan& /*plan*/) override { return {}; }

 protected:
  bench::NodeMachine machine_;
  ObjectRegistry registry_;

 private:
  std::vector<PlacedObject> objects_;
  std::vector<void*> blocks_;
};

class KeptContext final : public Context {
 public:
  using Context::Context;
  void where(std::span<const std::uintptr_t> pages, std::span<TierId> out) override {
    tracker_.where(registry_, pages, out);
  }

 private:
  PageTracker tracker_{machine_};
};

template <class Kind>
double wake_up_ms(std::size_t gibibytes) {
  Kind context(gibibytes);
  placement::HotPages pages;
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    pages.update(context, {}, 1);
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
    if (i > 1) times.push_back(spent.count());  // the first ones learn what there is
  }
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  std::printf("{");
  for (int i = 1; i < argc; ++i) {
    const std::size_t gibibytes = std::stoul(argv[i]);
    std::printf("%s\"%s\": {\"asked\": %.2f, \"kept\": %.2f}", i > 1 ? ", " : "", argv[i],
                wake_up_ms<Context>(gibibytes), wake_up_ms<KeptContext>(gibibytes));
  }
  std::printf("}\n");
}
