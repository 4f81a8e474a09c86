#include "runtime/machine/ledger.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>

#include "runtime/machine/ledger_file.h"
#include "runtime/machine/ledger_table.h"
#include "runtime/machine/memory_calls.h"

namespace lbhm::host {
namespace {

using Words = std::array<std::uint64_t, Ledger::most_tiers>;  // bytes, as they are in the file

/// What is taken of a large tier is taken with so much on top, and given back as late: a program that allocates and
/// frees asks the file once. Of a small tier every byte may matter to somebody else.
constexpr std::uint64_t on_top_of(Bytes capacity) { return capacity.value >= (1ull << 30) ? 2ull << 20 : 0; }

}  // namespace

struct Ledger::State {
  pid_t process = getpid();
  std::string file;         ///< "": this process's own table is all there is
  bool given_none = false;  ///< no place in the file, or no lock

  mutable std::mutex lock;  ///< of what follows
  LedgerRecord own{.process = process, .started = start_of(process), .bytes = {}};
  Words used{};  ///< what this process has; own.bytes is what the others are told
  /// By tier, as the last take had it. Of a tier without a limit nobody takes, and nobody needs to know exactly.
  Words on_top = [] {
    Words words{};
    words.fill(on_top_of(Bytes(~0ull)));
    return words;
  }();
  std::array<bool, most_tiers> limited{};
  std::optional<std::size_t> place;  ///< of our record; nothing: it is not entered yet
  LedgerTable table{};
  std::string remark;
  std::chrono::steady_clock::time_point buried, impatient_until;
  std::atomic<std::uint64_t> misses{0};

  /// Not in a child of a fork, where another thread of the parent may hold the lock for ever.
  bool usable() const { return !given_none && process == getpid(); }
  bool shared() const { return !file.empty(); }

  std::uint64_t spare(std::size_t tier) const { return own.bytes[tier] - std::min(own.bytes[tier], used[tier]); }

  /// What the others should be told.
  Words told() const {
    Words words = own.bytes;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::uint64_t blur = limited[i] ? 0 : on_top[i];
      if (words[i] + blur < used[i]) words[i] = used[i] + blur;
      if (words[i] > used[i] + 2 * on_top[i]) words[i] = used[i] + on_top[i];
    }
    return words;
  }

  bool entered() const { return place && *place < table.used && table.record[*place].same_process(own); }

  /// From now on this process counts for itself. Why not is said once.
  void go_on_alone(const std::string& why) {
    remark = why;
    file.clear();
    table.used = 0;
    place = table.enter(own);
  }
};

/// Under State::lock: a look at the table that nobody else has at the same time; our record is in it. Who has waited
/// for it in vain does not wait again for a while.
class Ledger::Turn {
 public:
  explicit Turn(State& state) : state_(state), has_it_(!state.shared() || look()) {}
  explicit operator bool() const { return has_it_; }

  /// Looks at every process, so not often.
  void bury() {
    const auto now = std::chrono::steady_clock::now();
    if (!state_.shared() || now - state_.buried < std::chrono::milliseconds(100)) return;
    state_.buried = now;
    state_.table.bury_the_dead(state_.own);
    if (!file_->write(state_.table)) alone();
  }

  /// The others are told these amounts from now on.
  void put(const Words& bytes) {
    state_.own.bytes = bytes;
    state_.table.record[*state_.place] = state_.own;
    if (state_.shared() && !file_->write(state_.table, *state_.place)) alone();
  }

  /// Our record is nobody's from now on.
  void leave() {
    state_.table.record[*state_.place] = {};
    if (state_.shared()) (void)file_->write(state_.table, *state_.place);
  }

 private:
  std::chrono::milliseconds patience() const {
    return std::chrono::milliseconds(std::chrono::steady_clock::now() < state_.impatient_until ? 0 : 100);
  }
  /// False: not this time.
  bool look() {
    file_.emplace(state_.file, patience());
    // No descriptor was left: for a member that may change, to a new one it is said.
    if (file_->state() == LedgerFile::State::busy && (state_.place || file_->why().empty())) return missed();
    if (file_->state() != LedgerFile::State::held || !file_->read(state_.table)) return alone();
    if (!state_.entered()) return enter();
    state_.table.record[*state_.place] = state_.own;  // whatever somebody has written there
    return true;
  }
  bool missed() {
    ++state_.misses;
    state_.impatient_until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    return false;
  }
  bool alone() {
    state_.go_on_alone(file_->why());
    return true;
  }
  /// The first time, or again where somebody has truncated or removed the file.
  bool enter() {
    if (state_.place)
      state_.remark = state_.file + " was truncated or removed by somebody: what processes have was entered again";
    state_.table.bury_the_dead(state_.own);
    state_.place = state_.table.enter(state_.own);
    if (!state_.place) return false;
    return file_->write(state_.table) || alone();
  }

  const KeepErrno keep_;
  State& state_;
  std::optional<LedgerFile> file_;
  const bool has_it_;
};

std::unique_ptr<Ledger> Ledger::open(const std::string& folder, const std::string& name, std::string& why) {
  auto state = std::make_unique<State>();
  if (name.empty()) {
    state->go_on_alone("");
    return std::unique_ptr<Ledger>(new Ledger(std::move(state)));
  }
  const std::string file = state->file = folder + "/" + name;
  if (const Turn first(*state); !first) {
    state->given_none = true;
    why = state->misses > 0 ? file + " is locked by another process: this one is given no fast memory; run it again"
                            : file + " has no place for one more process (" + std::to_string(LedgerTable::records) +
                                  " are in it): this one is given no fast memory; run fewer at one time";
  }
  if (!state->remark.empty()) why = std::exchange(state->remark, "");
  return std::unique_ptr<Ledger>(new Ledger(std::move(state)));
}

Ledger::Ledger(std::unique_ptr<State> state) : state_(std::move(state)) {}

Ledger::~Ledger() {
  if (!state_->usable() || !state_->shared()) return;
  if (Turn turn(*state_); turn) turn.leave();
}

Bytes Ledger::take(TierId tier, Bytes wanted, Bytes capacity) {
  if (!state_->usable() || tier.value >= most_tiers) return Bytes(0);
  State& state = *state_;
  const std::lock_guard guard(state.lock);
  const std::size_t i = tier.value;
  state.limited[i] = true;
  state.on_top[i] = on_top_of(capacity);
  std::uint64_t spare = state.spare(i);
  if (spare < wanted.value) {
    Turn turn(state);
    if (!turn) return Bytes(0);
    const std::uint64_t missing = wanted.value - spare;
    const auto left = [&] { return capacity.value - std::min(state.table.sum(i), capacity.value); };
    if (left() < missing) turn.bury();  // somebody who has died may be in the way
    Words told = state.own.bytes;
    const std::uint64_t more = std::min(missing > ~state.on_top[i] ? missing : missing + state.on_top[i], left());
    told[i] += more;
    spare += more;
    turn.put(told);
  }
  const Bytes granted(std::min(wanted.value, spare));
  state.used[i] += granted.value;
  return granted;
}

void Ledger::settle(const Amounts& own) {
  if (!state_->usable()) return;
  const std::lock_guard guard(state_->lock);
  std::ranges::transform(own, state_->used.begin(), &Bytes::value);
  const Words told = state_->told();
  if (told == state_->own.bytes) return;
  if (Turn turn(*state_); turn) turn.put(told);
}

Bytes Ledger::taken(TierId tier) {
  if (!state_->usable() || tier.value >= most_tiers) return Bytes(0);
  const std::lock_guard guard(state_->lock);
  const Turn turn(*state_);
  return turn ? Bytes(state_->table.sum(tier.value) - state_->spare(tier.value)) : Bytes(0);
}

std::uint64_t Ledger::misses() const { return state_->misses; }

std::string Ledger::remark() const {
  if (!state_->usable()) return "";
  const std::lock_guard guard(state_->lock);
  return state_->remark;
}

}  // namespace lbhm::host
