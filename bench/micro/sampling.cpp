// What a sampler costs a memory-bound program: the same work without and with it, in turn, by the processor time of the
// thread. Prints JSON: seconds of both, samples taken and lost.
//
// The work: a sum over an array (stream) and as many loads and stores at random places of it. For the sampler of page
// faults the array is mapped anew for each round, without huge pages: only then are there faults.
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "runtime/host/sampling/samplers.h"

namespace {

using lbhm::LaneId;

constexpr std::size_t array_bytes = std::size_t{64} << 20;
const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct Array {
  Array()
      : words(static_cast<std::uint64_t*>(
            mmap(nullptr, array_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    if (words == MAP_FAILED) std::exit(1);
    madvise(words, array_bytes, MADV_NOHUGEPAGE);
  }
  ~Array() { munmap(words, array_bytes); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  std::uint64_t* words;
};

/// Calls `look` now and then, as the runtime looks at its samples at intervals: rings need not hold a whole round.
/// Returns something that depends on all of the work.
template <class Look>
std::uint64_t work(Array& array, const Look& look) {
  constexpr std::size_t count = array_bytes / sizeof(std::uint64_t), parts = 8;
  std::uint64_t sum = 0;
  std::minstd_rand random(1);
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t i = part * count / parts; i < (part + 1) * count / parts; ++i) sum += array.words[i] += i;
    look();
  }
  for (std::size_t i = 0; i < count / 8; ++i) array.words[(random() * std::uint64_t{2654435761}) % count] += sum;
  return sum;
}

struct Result {
  double without = 0;
  double with = 0;
  std::uint64_t samples = 0;
  std::uint64_t lost = 0;
};

/// What is measured: begin() before the work of a round, end() behind it, and how much came of it. Both are part of the
/// price.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual bool fresh_pages() const { return false; }
  virtual void begin(const Array&) = 0;
  virtual void look(Result&) {}
  virtual void end(Result& result) = 0;
};

class BySampler final : public Subject {
 public:
  BySampler(std::unique_ptr<lbhm::ThreadSampler> sampler, double period, bool fresh)
      : sampler_(std::move(sampler)), period_(period), fresh_(fresh) {
    sampler_->lane_begins(LaneId(0));
    sampler_->set_period(lbhm::AccessCount(0));
  }
  bool fresh_pages() const override { return fresh_; }
  void begin(const Array&) override { sampler_->set_period(lbhm::AccessCount(period_)); }
  void look(Result& result) override {
    std::vector<lbhm::AccessSample> samples;
    result.lost += sampler_->drain(samples);
    result.samples += samples.size();
  }
  void end(Result& result) override {
    look(result);
    sampler_->set_period(lbhm::AccessCount(0));
  }

 private:
  std::unique_ptr<lbhm::ThreadSampler> sampler_;
  double period_;
  bool fresh_;
};

/// Hint faults, or accessed bits, of one page in `period`, spread over the array.
class ByObserver final : public Subject {
 public:
  ByObserver(std::unique_ptr<lbhm::HostPageObserver> observer, bool hints, std::size_t period)
      : observer_(std::move(observer)), hints_(hints), period_(period) {}

  void begin(const Array& array) override {
    pages_.clear();
    const auto first = reinterpret_cast<std::uintptr_t>(array.words);
    for (std::size_t at = 0; at < array_bytes; at += period_ * page_bytes) pages_.push_back(first + at);
    bits_ = std::make_unique<bool[]>(pages_.size());
    if (hints_) {
      observer_->arm_hint_faults(pages_);
    } else {
      observer_->scan_accessed(pages_, {bits_.get(), pages_.size()}, true);
    }
  }
  void end(Result& result) override {
    if (hints_) {
      std::vector<lbhm::HintFault> faults;
      observer_->drain_hint_faults(faults);
      result.samples += faults.size();
    } else {
      observer_->scan_accessed(pages_, {bits_.get(), pages_.size()}, false);
      for (std::size_t i = 0; i < pages_.size(); ++i) result.samples += bits_[i];
    }
    observer_->disarm_all();
  }

 private:
  std::unique_ptr<lbhm::HostPageObserver> observer_;
  bool hints_;
  std::size_t period_;
  std::vector<std::uintptr_t> pages_;
  std::unique_ptr<bool[]> bits_;
};

/// Exit status 3: it does not work here, which the caller leaves out.
[[noreturn]] void unavailable(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(3);
}

std::unique_ptr<Subject> make_subject(const std::string& kind, std::size_t period) {
  std::string why;
  if (kind.starts_with("bits-") || kind == "hints") {
    lbhm::ObserverOptions options;
    options.accessed = kind == "hints" ? "faults" : kind.substr(5);
    options.most_per_second = 1e12;  // the bound is not what is measured here
    auto observer = lbhm::make_page_observer(options, why);
    if (!observer) unavailable(why);
    return std::make_unique<ByObserver>(std::move(observer), kind == "hints", period);
  }
  lbhm::SamplerOptions options;
  options.kind = kind;
  options.period = lbhm::AccessCount(static_cast<double>(period));
  options.most_per_second = 1e12;
  auto sampler = lbhm::make_sampler(options, why);
  if (!sampler) unavailable(sampler.error().message());
  if (!*sampler) unavailable(why);
  return std::make_unique<BySampler>(std::move(*sampler), static_cast<double>(period), kind == "faults");
}

/// Processor seconds of one round; `result`: null for the round without the sampler.
double timed_round(Subject& subject, Array& kept, Result* result) {
  const bool fresh = subject.fresh_pages();
  const double begin = thread_seconds();
  const auto mapped = fresh ? std::make_unique<Array>() : nullptr;
  Array& array = fresh ? *mapped : kept;
  if (result) subject.begin(array);
  volatile std::uint64_t sink = work(array, [&] {
    if (result) subject.look(*result);
  });
  (void)sink;
  if (result) subject.end(*result);
  return thread_seconds() - begin;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("Usage: bench-sampling pebs|ibs|spe|faults|hints|bits-idle|bits-faults|bits-written PERIOD ROUNDS\n",
               stderr);
    return 2;
  }
  const auto period = std::strtoul(argv[2], nullptr, 10);
  const auto rounds = std::strtoul(argv[3], nullptr, 10);
  if (period == 0 || rounds == 0) {
    std::fputs("bench-sampling: PERIOD and ROUNDS must be 1 or more\n", stderr);
    return 2;
  }
  const auto subject = make_subject(argv[1], period);
  Array kept;
  work(kept, [] {});
  Result result;
  for (unsigned long round = 0; round < rounds; ++round) {
    result.without += timed_round(*subject, kept, nullptr);
    result.with += timed_round(*subject, kept, &result);
  }
  std::printf("{\"without\": %.9f, \"with\": %.9f, \"samples\": %llu, \"lost\": %llu}\n", result.without, result.with,
              static_cast<unsigned long long>(result.samples), static_cast<unsigned long long>(result.lost));
  return 0;
}
