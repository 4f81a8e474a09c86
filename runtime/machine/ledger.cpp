#include "runtime/machine/ledger.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "runtime/machine/ledger_table.h"

namespace lbhm::host {

struct Ledger::State {
  LedgerTable* table = nullptr;  ///< null: no memory even for our own
  pid_t process = getpid();
  LedgerRecord* own = nullptr;  ///< null: all are in use

  std::chrono::steady_clock::time_point buried;
  std::atomic<std::int64_t> impatient_until{0};  ///< steady_clock, in its own units
  std::atomic<std::uint64_t> misses{0};

  bool usable() const { return table && own && process == getpid(); }

  /// Without a record this process is given nothing of limited tiers: `why` says so, and what to do.
  void join(const std::string& name, std::string& why) {
    const LedgerLock lock(*table);
    if (!lock) {
      why = name + " is locked by another process: this one is given no fast memory; run it again";
      return;
    }
    bury_the_dead(*table);
    for (LedgerRecord& record : table->record) {
      if (record.process != 0) continue;
      record = {.process = process, .started = start_of(process), .bytes = {}};
      own = &record;
      return;
    }
    why = name + " has no place for one more process (" + std::to_string(LedgerTable::records) +
          " are in it): this one is given no fast memory; run fewer at one time";
  }

  /// Looks at every process, so not often.
  void bury() {
    const auto now = std::chrono::steady_clock::now();
    if (now - buried < std::chrono::milliseconds(100)) return;
    buried = now;
    bury_the_dead(*table);
  }

  std::uint64_t sum(std::size_t tier) const {
    std::uint64_t all = 0;
    for (const LedgerRecord& record : table->record)
      if (record.process != 0) all += record.bytes[tier];
    return all;
  }
};

/// The lock of the table. Who has waited for it in vain does not wait again for a while.
class Ledger::Turn {
 public:
  explicit Turn(State& state) : lock_(*state.table, patience(state)) {
    if (lock_) return;
    ++state.misses;
    state.impatient_until = (std::chrono::steady_clock::now() + std::chrono::seconds(1)).time_since_epoch().count();
  }
  explicit operator bool() const { return static_cast<bool>(lock_); }

 private:
  static std::chrono::milliseconds patience(const State& state) {
    const bool impatient = std::chrono::steady_clock::now().time_since_epoch().count() < state.impatient_until;
    return std::chrono::milliseconds(impatient ? 0 : 100);
  }

  LedgerLock lock_;
};

std::unique_ptr<Ledger> Ledger::open(const std::string& folder, const std::string& name, std::string& why) {
  auto state = std::make_unique<State>();
  if (!name.empty()) state->table = map_table(folder + "/" + name, why);
  if (!state->table) {
    void* const memory = mmap(nullptr, sizeof(LedgerTable), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) state->table = static_cast<LedgerTable*>(memory);
    if (state->table) make_table(*state->table);
  }
  if (state->table) state->join(folder + "/" + name, why);
  return std::unique_ptr<Ledger>(new Ledger(std::move(state)));
}

Ledger::Ledger(std::unique_ptr<State> state) : state_(std::move(state)) {}

Ledger::~Ledger() {
  if (state_->usable()) {
    const LedgerLock lock(*state_->table);
    if (lock) *state_->own = {};
  }
  if (state_->table) munmap(state_->table, sizeof(LedgerTable));
}

Bytes Ledger::take(TierId tier, Bytes wanted, Bytes capacity) {
  if (!state_->usable() || tier.value >= most_tiers) return Bytes(0);
  const Turn lock(*state_);
  if (!lock) return Bytes(0);
  std::uint64_t all = state_->sum(tier.value);
  if (all + wanted.value > capacity.value) {  // somebody who has died may be in the way
    state_->bury();
    all = state_->sum(tier.value);
  }
  const Bytes granted(std::min(wanted.value, capacity.value - std::min(all, capacity.value)));
  state_->own->bytes[tier.value] += granted.value;
  return granted;
}

void Ledger::settle(const Amounts& own) {
  if (!state_->usable()) return;
  const Turn lock(*state_);
  if (!lock) return;
  std::ranges::transform(own, state_->own->bytes.begin(), &Bytes::value);
}

Bytes Ledger::taken(TierId tier) {
  if (!state_->usable() || tier.value >= most_tiers) return Bytes(0);
  const Turn lock(*state_);
  return lock ? Bytes(state_->sum(tier.value)) : Bytes(0);
}

std::uint64_t Ledger::misses() const { return state_->misses; }

}  // namespace lbhm::host
