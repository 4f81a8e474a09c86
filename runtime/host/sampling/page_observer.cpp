// Accessed bits and hint faults with what this kernel offers; where it shows no bits, a page that is still armed was
// not accessed.
#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/host/sampling/accessed_bits.h"
#include "runtime/host/sampling/hint_faults.h"
#include "runtime/host/sampling/mappings.h"
#include "runtime/host/sampling/samplers.h"
#include "runtime/host/sampling/thread_buffer.h"

namespace lbhm::sampling {
namespace {

class FaultingBits final : public AccessedBits {
 public:
  FaultingBits(const std::string& root, FaultGate& gate) : pagemap_(root), gate_(gate) {}

  void scan(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) override {
    HintFaults::of_process().untouched(pages, Armed::for_accessed_bit, out);
    std::vector<std::uint64_t> entries(pages.size());
    pagemap_.read(pages, entries);
    for (std::size_t i = 0; i < pages.size(); ++i) out[i] = !out[i] && Pagemap::present(entries[i]);
    if (!clear) return;
    std::vector<std::uintptr_t> accessed;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (out[i]) accessed.push_back(pages[i]);
    }
    gate_.arm(accessed, Armed::for_accessed_bit);
  }

 private:
  Pagemap pagemap_;
  FaultGate& gate_;
};

}  // namespace

std::unique_ptr<AccessedBits> faulting_bits(const std::string& root, FaultGate& gate) {
  return std::make_unique<FaultingBits>(root, gate);
}

}  // namespace lbhm::sampling

namespace lbhm {
namespace {

using sampling::Armed;
using sampling::HintFaults;

class KernelPageObserver final : public HostPageObserver {
 public:
  /// `gate`: null where hint faults are not allowed.
  KernelPageObserver(const ObserverOptions& options, std::unique_ptr<sampling::FaultGate> gate,
                     std::unique_ptr<sampling::AccessedBits> bits)
      : options_(options), gate_(std::move(gate)), bits_(std::move(bits)) {}
  ~KernelPageObserver() override { HintFaults::of_process().disarm_all(); }

  bool sees_hint_faults() const override { return gate_ != nullptr; }

  void scan_accessed(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) override {
    bits_->scan(pages, out, clear);
  }

  void arm_hint_faults(std::span<const std::uintptr_t> pages) override {
    if (gate_) gate_->arm(pages, Armed::for_hint);
  }

  void drain_hint_faults(std::vector<HintFault>& out) override {
    HintFaults::Found found = HintFaults::of_process().drain(Armed::for_hint);
    const double offset = options_.now ? options_.now().value - static_cast<double>(sampling::monotonic_ns()) : 0;
    for (HintFault& fault : found.faults) fault.time += Nanoseconds(offset);
    std::ranges::sort(found.faults, {}, [](const HintFault& f) { return std::tuple(f.time, f.lane); });
    out.insert(out.end(), found.faults.begin(), found.faults.end());
    unrecorded_ += found.unrecorded;
    given_back_ += found.given_back;
  }

  void disarm(std::span<const std::uintptr_t> pages) override { HintFaults::of_process().disarm(pages); }
  void disarm_all() override { HintFaults::of_process().disarm_all(); }

  std::vector<std::string> remarks() override {
    std::vector<std::string> sentences;
    if (gate_ && gate_->passed_over() > 0) {
      sentences.push_back(std::to_string(gate_->passed_over()) +
                          " pages were not watched, to keep the cost of hint faults below its bound");
    }
    if (unrecorded_ > 0) {
      sentences.push_back(std::to_string(unrecorded_) + " hint faults were not noted: more than " +
                          std::to_string(HintFaults::most_records) + " came between two looks");
    }
    if (given_back_ > 0) {
      sentences.push_back(std::to_string(given_back_) +
                          " pages went unwatched: the process has as many mappings as the kernel allows; raise "
                          "/proc/sys/vm/max_map_count");
    }
    if (std::string rested = HintFaults::of_process().remark(); gate_ && !rested.empty())
      sentences.push_back(std::move(rested));
    return sentences;
  }

 private:
  ObserverOptions options_;
  std::unique_ptr<sampling::FaultGate> gate_;
  std::unique_ptr<sampling::AccessedBits> bits_;  // may refer to the gate
  std::uint64_t unrecorded_ = 0;
  std::uint64_t given_back_ = 0;
};

/// Accessed bits that the kernel keeps; hint faults of our own are what is left.
struct Kind {
  std::string_view name;
  bool automatic;  ///< tried without being asked for
  Result<std::unique_ptr<sampling::AccessedBits>> (*make)(const std::string& root);
  const char* remark;  ///< what the user should know of them
};

constexpr Kind kinds[] = {
    {"idle", true, sampling::page_idle_bits, ""},
    {"damon", false, sampling::damon_bits,
     "accessed bits are those of DAMON: of regions that the kernel chooses, within the last 100 ms"},
    {"written", false, sampling::written_bits,
     "accessed bits are those of pages that were written: reads go unseen (PAGEMAP_SCAN)"},
};

}  // namespace

std::unique_ptr<HostPageObserver> make_page_observer(const ObserverOptions& options, std::string& why) {
  const bool automatic = options.accessed == "auto";
  std::unique_ptr<sampling::FaultGate> gate;
  if (options.hint_faults || options.accessed == "faults")
    gate = std::make_unique<sampling::FaultGate>(options.most_per_second, options.lane, options.root, options.managed);
  std::unique_ptr<sampling::AccessedBits> bits;
  why.clear();
  for (const Kind& kind : kinds) {
    if (options.accessed != kind.name && !(automatic && kind.automatic)) continue;
    auto made = kind.make(options.root);
    why = made ? kind.remark : made.error().message();
    if (made) bits = std::move(*made);
  }
  if (!bits && gate && (automatic || options.accessed == "faults")) {
    bits = sampling::faulting_bits(options.root, *gate);
    why =
        "accessed bits are hint faults of our own, one for each page and scan" + (why.empty() ? "" : " (" + why + ")");
  }
  if (!bits) {
    if (automatic) why = "pages are not watched (" + why + "); LBHM_HINT_FAULTS=on does without (docs/sampling.md)";
    if (why.empty())
      why = "accessed bits: '" + options.accessed + "' is unknown; use auto, idle, damon, faults or written";
    return nullptr;
  }
  return std::make_unique<KernelPageObserver>(options, std::move(gate), std::move(bits));
}

}  // namespace lbhm
