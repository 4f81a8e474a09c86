#include "runtime/host/hardware_counters.h"

#include <dlfcn.h>
#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <set>
#include <utility>

#include "runtime/base/own_folder.h"
#include "runtime/host/machine_threads.h"
#include "runtime/host/modules.h"
#include "runtime/own_memory/no_fork.h"

namespace lbhm::host {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// What the calling thread is counted by. Whatever ends first, the thread or the Counters, the other one is safe.
struct Mine {
  ~Mine() { leave(); }
  void leave() {
    if (on_leave && process.still()) on_leave(*this);
    on_leave = nullptr;
    owner.reset();
    thread.reset();
  }

  std::shared_ptr<void> owner;
  std::shared_ptr<ThreadCounters> thread;
  void (*on_leave)(Mine&) = nullptr;
  OwnProcess process;
};

thread_local Mine mine;

}  // namespace

ThreadCounters::ThreadCounters(const CounterModule& module, const EventChoice& choice)
    : module_(module), choice_(choice) {
  std::vector<const char*> names;
  names.reserve(choice.events.size());
  for (const std::string& event : choice.events) names.push_back(event.c_str());
  if (names.empty() || names.size() > counted_.size()) return;
  set_ = module.start(names.data(), static_cast<int>(names.size()), counted_.data(), &turns_);
  read();
}

EventCounts ThreadCounters::read() {
  std::array<long long, most_counter_events> values{};
  if (!set_ || module_.read(set_, values.data()) != 0) return last();
  const std::scoped_lock guard(lock_);
  for (const ChosenCount& chosen : choice_.counts) {
    double sum = 0;
    bool counted = true;
    for (const int event : chosen.events) {
      const auto index = static_cast<std::size_t>(event);
      counted = counted && counted_[index] != 0;
      sum += static_cast<double>(values[index]);
    }
    // Events that take turns are scaled by the time they had, so a later estimate may be the smaller one.
    if (counted) last_.*chosen.count = std::max(last_.*chosen.count, sum);
  }
  return last_;
}

std::vector<std::string> ThreadCounters::left_out() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; set_ && i < choice_.events.size(); ++i) {
    if (!counted_[i]) names.push_back(choice_.events[i]);
  }
  return names;
}

void ThreadCounters::stop() {
  read();
  if (set_) module_.stop(set_);
  set_ = nullptr;
}

EventCounts ThreadCounters::last() const {
  const std::scoped_lock guard(lock_);
  return last_;
}

struct Counters::State {
  /// Once. Throws std::bad_alloc.
  void begin_with(const CounterModule* opened) {
    module = opened;
    if (!module) return;
    if (const char* why = module->begin()) {
      remarks.push_back(std::string("hardware events cannot be counted here (") + why +
                        "); predictions go without them; lbhm doctor says more");
      module = nullptr;
      return;
    }
    choice = choose_events([this](const char* event) { return module->can_count(event) != 0; });
    if (!choice.missing.empty())
      remarks.push_back("hardware events that this processor cannot count: " + listed(choice.missing) +
                        "; the model is given them as missing");
  }

  void open() {
    const NoFork whole;  // PAPI opens libraries, too
    // Event sets of two users disturb each other: PAPI runs one at a time in a thread.
    if (dlsym(RTLD_DEFAULT, "PAPI_library_init")) {
      remarks.emplace_back("the program uses PAPI itself: the counters are left to it, and none are read for it");
      return;
    }
    const auto entry = open_module(own_folder(), "liblbhm-papi.so", counter_module_entry, "libpapi7.0");
    if (entry)
      begin_with(reinterpret_cast<CounterModuleEntry>(*entry)());
    else
      remarks.push_back("hardware events are not counted: " + entry.error().message());
  }

  /// The calling thread is counted from now on, unless the module refuses it. Throws std::bad_alloc.
  std::shared_ptr<ThreadCounters> begin() {
    auto thread = std::make_shared<ThreadCounters>(*module, choice);
    const std::scoped_lock guard(lock);
    refused += !thread->counting();
    turns = turns || thread->takes_turns();
    for (const std::string& event : thread->left_out()) left_out.insert(event);
    if (thread->counting()) threads.push_back(thread);
    return thread;
  }

  /// A thread has ended: what it counted remains in the sum.
  void end(const std::shared_ptr<ThreadCounters>& thread) {
    thread->stop();
    const std::scoped_lock guard(lock);
    if (std::erase(threads, thread) == 0) return;
    if (any_ended) ended += thread->last();
    if (!std::exchange(any_ended, true)) ended = thread->last();
  }

  std::mutex opening;
  std::atomic<bool> wanted = false;  // then these three stay as they are:
  const CounterModule* module = nullptr;
  EventChoice choice;
  std::vector<std::string> remarks;
  std::mutex lock;  // of all below
  std::vector<std::shared_ptr<ThreadCounters>> threads;
  EventCounts ended;
  bool any_ended = false;
  bool turns = false;
  std::set<std::string> left_out;  // events
  int refused = 0;
};

Counters::Counters() : state_(std::make_shared<State>()) {}

Counters::Counters(const CounterModule* module) : Counters() {
  state_->begin_with(module);
  state_->wanted = true;
}

Counters::~Counters() = default;

void Counters::want() {
  if (!state_->wanted.load(std::memory_order_acquire)) {
    const std::scoped_lock guard(state_->opening);
    if (!state_->wanted) {
      try {
        state_->open();
      } catch (const std::bad_alloc&) { state_->choice = {}; }
      state_->wanted.store(true, std::memory_order_release);
    }
  }
  thread_begins();
}

void Counters::thread_begins() {
  if (!state_->wanted.load(std::memory_order_acquire)) return;
  if (state_->choice.counts.empty() || mine.owner == state_) return;
  mine.leave();
  try {
    mine.thread = state_->begin();
  } catch (const std::bad_alloc&) { return; }
  mine.owner = state_;
  mine.process.note();
  mine.on_leave = [](Mine& leaving) { static_cast<State*>(leaving.owner.get())->end(leaving.thread); };
}

EventCounts Counters::of_thread() { return mine.owner == state_ ? mine.thread->read() : no_counts(); }

std::optional<EventCounts> Counters::of_all() {
  if (!state_->wanted.load(std::memory_order_acquire) || state_->choice.counts.empty()) return std::nullopt;
  const std::scoped_lock guard(state_->lock);
  std::optional<EventCounts> sum;
  if (state_->any_ended) sum = state_->ended;
  for (const auto& thread : state_->threads) {
    if (sum) *sum += thread->last();
    if (!sum) sum = thread->last();
  }
  return sum;
}

std::vector<std::string> Counters::remarks() const {
  if (!state_->wanted.load(std::memory_order_acquire)) return {};
  std::vector<std::string> all = state_->remarks;
  const std::scoped_lock guard(state_->lock);
  if (state_->turns)
    all.emplace_back("there are more hardware events than counters: they take turns, and counts are scaled estimates");
  if (!state_->left_out.empty())
    all.push_back("hardware events for which no counter was left: " +
                  listed({state_->left_out.begin(), state_->left_out.end()}) + "; the model is given them as missing");
  if (state_->refused > 0)
    all.push_back("hardware events of " + std::to_string(state_->refused) +
                  " threads could not be counted: another profiler may hold the counters, or the limit of open files "
                  "is reached (ulimit -n)");
  return all;
}

}  // namespace lbhm::host
