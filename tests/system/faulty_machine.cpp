// The machine table of liblbhm-faulty.so: the machine that was asked for, with one fault of the operating system.
// LBHM_FAULT is one of: move=EBUSY, move=ENOMEM, move=EPERM, move=EFAULT, reserve=ENOMEM, samples=lost.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "runtime/engine/machines/machine_table.h"

namespace lbhm {

namespace real {
Result<std::unique_ptr<Machine>> make_machine(const Settings& settings, const MachineUse& use);
}

namespace {

class LossySamples final : public SampleSource {
 public:
  explicit LossySamples(SampleSource& inner) : inner_(inner) {}
  AccessCount period() const override { return inner_.period(); }
  /// Nine of ten are lost.
  std::uint64_t drain(std::vector<AccessSample>& out) override {
    std::vector<AccessSample> all;
    std::uint64_t lost = inner_.drain(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i % 10 == 0)
        out.push_back(all[i]);
      else
        ++lost;
    }
    return lost;
  }

 private:
  SampleSource& inner_;
};

class FaultyMachine final : public Machine {
 public:
  FaultyMachine(std::unique_ptr<Machine> inner, std::string fault)
      : inner_(std::move(inner)), fault_(std::move(fault)) {
    if (fault_ == "samples=lost" && inner_->samples()) lossy_ = std::make_unique<LossySamples>(*inner_->samples());
  }

  const Topology& topology() const override { return inner_->topology(); }
  Result<void*> reserve(Bytes bytes, Bytes alignment) override {
    if (fault_ == "reserve=ENOMEM") return failure(StatusCode::no_memory, "reserve was made to fail");
    return inner_->reserve(bytes, alignment);
  }
  Result<void*> reserve_for_lane(Bytes bytes, Bytes alignment, LaneId lane) override {
    return inner_->reserve_for_lane(bytes, alignment, lane);
  }
  void release(void* address, Bytes bytes) override { inner_->release(address, bytes); }
  void adopt(std::uintptr_t address, Bytes bytes) override { inner_->adopt(address, bytes); }
  void disown(std::uintptr_t address, Bytes bytes) override { inner_->disown(address, bytes); }
  Status prefer(std::uintptr_t address, Bytes bytes, std::span<const TierId> order) override {
    return inner_->prefer(address, bytes, order);
  }
  Status prefer_default(std::span<const TierId> order) override { return inner_->prefer_default(order); }
  Status prefer_unmanaged(std::span<const TierId> order) override { return inner_->prefer_unmanaged(order); }
  std::vector<PageRange> unmanaged() override { return inner_->unmanaged(); }
  void where(std::span<const std::uintptr_t> pages, std::span<TierId> out) override { inner_->where(pages, out); }
  void move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) override {
    if (fault_ == "move=EBUSY") return (void)std::ranges::fill(out, PageStatus::busy);
    if (fault_ == "move=ENOMEM") return (void)std::ranges::fill(out, PageStatus::full);
    if (fault_ == "move=EPERM") return (void)std::ranges::fill(out, PageStatus::denied);
    if (fault_ == "move=EFAULT") return (void)std::ranges::fill(out, PageStatus::unmapped);
    inner_->move(pages, to, out);
  }
  Nanoseconds move_time(Bytes bytes, TierId from, TierId to) const override {
    return inner_->move_time(bytes, from, to);
  }
  Bytes room(TierId tier) override { return inner_->room(tier); }
  Bytes peak_footprint() override { return inner_->peak_footprint(); }
  Status every(Nanoseconds interval, std::function<void()> duty) override {
    return inner_->every(interval, std::move(duty));
  }
  Status begin_duties() override { return inner_->begin_duties(); }
  void rest_while(std::function<bool()> idle) override { inner_->rest_while(std::move(idle)); }
  void wake() override { inner_->wake(); }
  void fall_silent() override { inner_->fall_silent(); }
  Execution& execution() override { return inner_->execution(); }
  SampleSource* samples() override { return lossy_ ? lossy_.get() : inner_->samples(); }
  EventCounts events() override { return inner_->events(); }
  std::vector<AccessCount> accesses() override { return inner_->accesses(); }
  std::vector<std::string> remarks() override { return inner_->remarks(); }

 private:
  std::unique_ptr<Machine> inner_;
  std::string fault_;
  std::unique_ptr<LossySamples> lossy_;
};

}  // namespace

Result<std::unique_ptr<Machine>> make_machine(const Settings& settings, const MachineUse& use) {
  auto machine = real::make_machine(settings, use);
  const char* fault = std::getenv("LBHM_FAULT");
  if (!machine || !fault) return machine;
  return std::make_unique<FaultyMachine>(std::move(*machine), fault);
}

}  // namespace lbhm

// The table of the product, under another name.
#define make_machine real::make_machine
#include "runtime/engine/machines/machine_table.cpp"  // NOLINT(bugprone-suspicious-include): under another name
