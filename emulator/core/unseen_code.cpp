#include "emulator/core/unseen_code.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <optional>
#include <string_view>
#include <vector>

namespace lbhm::emulator {
namespace {

constexpr long period_ns = 1'000'000;
constexpr int longest_tick = 10;  ///< of the kernel's, in periods: it ticks 100 times a second or more often

/// The first of two that glibc keeps for itself: sigfillset and every way to block or to wait for signals leaves them
/// out, so no program is ever given one. It cancels threads with it, and takes it over from us when a program does.
constexpr int signal_number = 32;

struct Slot {
  std::atomic<std::uintptr_t> object{0};
  std::atomic<std::uint64_t> samples{0};
};
/// By object, in the order of appearance. Slot 0 is for code that no object holds.
constinit std::array<Slot, 256> slots{};
constinit std::atomic<bool> sampling{true};

void count(std::uintptr_t object, std::uint64_t samples) {
  for (Slot& slot : slots) {
    std::uintptr_t expected = 0;
    const bool found = &slot == slots.data()
                           ? object == 0
                           : slot.object.load(std::memory_order_relaxed) == object ||
                                 slot.object.compare_exchange_strong(expected, object) || expected == object;
    if (!found) continue;
    slot.samples.fetch_add(samples, std::memory_order_relaxed);
    return;
  }
}

/// Registers and program headers have addresses as numbers.
const unsigned char* code_at(std::uintptr_t address) {
  return reinterpret_cast<const unsigned char*>(address);  // NOLINT(performance-no-int-to-ptr)
}

#if defined(__x86_64__)

/// The thread came back from the kernel: that is what it spent the time on.
bool behind_system_call(std::uintptr_t at) {
  constexpr std::uintptr_t page = 4096;
  if (at % page < 2) return false;  // the bytes before may not be mapped
  const unsigned char* const code = code_at(at);
  return code[-2] == 0x0f && code[-1] == 0x05;
}

std::uintptr_t program_counter(const void* context) {
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
}

#elif defined(__aarch64__)

bool behind_system_call(std::uintptr_t at) {
  constexpr std::uint32_t svc = 0xd4000001;
  return at % 4096 >= 4 && reinterpret_cast<const std::uint32_t*>(at)[-1] == svc;
}

std::uintptr_t program_counter(const void* context) { return static_cast<const ucontext_t*>(context)->uc_mcontext.pc; }

#endif

void on_tick(int, siginfo_t* info, void* context) {
  if (EmulatorsOwnTime::here() || !sampling.load(std::memory_order_relaxed)) return;
  const int error = errno;
  const std::uintptr_t at = program_counter(context);
  const std::uintptr_t object = object_of(code_at(at));
  // The kernel rounds up to its own ticks, and says how many periods of ours each stands for. What is longer than a
  // tick passed while the thread could not be interrupted: in the kernel, or where a hypervisor let others run.
  const auto periods = static_cast<std::uint64_t>(1 + std::min(info->si_overrun, longest_tick - 1));
  if (object == 0 || !behind_system_call(at)) count(object, periods);
  errno = error;
}

/// As the kernel has it. libc's function refuses the number.
struct KernelAction {
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  void (*restorer)();
  std::uint64_t mask;
};

bool kernel_action(int number, const KernelAction* fresh, KernelAction* before) {
  return syscall(SYS_rt_sigaction, number, fresh, before, sizeof(KernelAction::mask)) == 0;
}

bool is_ours(const KernelAction& action) { return action.handler == on_tick; }

/// Sets the action by libc, at a number that nobody uses, to see how libc's handlers return to the kernel: debuggers
/// and profilers know that code.
std::optional<KernelAction> action_of_libc() {
  struct sigaction action{};
  action.sa_sigaction = on_tick;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (int number = SIGRTMAX - 7; number > SIGRTMIN; --number) {
    struct sigaction before{};
    KernelAction made{};
    if (sigaction(number, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    if (sigaction(number, &action, nullptr) != 0) continue;
    const bool read = kernel_action(number, nullptr, &made);
    sigaction(number, &before, nullptr);
    made.handler = on_tick;  // and not a sanitizer's in front of it
    if (read) return made;
  }
  return std::nullopt;
}

/// True if the signal comes to us.
bool take_signal() {
  static const bool taken = [] {
    KernelAction current{};
    if (!kernel_action(signal_number, nullptr, &current)) return false;
    if (current.handler != nullptr) return is_ours(current);
    const auto action = action_of_libc();
    return action && kernel_action(signal_number, &*action, nullptr);
  }();
  return taken;
}

bool still_ours() {
  KernelAction current{};
  return kernel_action(signal_number, nullptr, &current) && is_ours(current);
}

int name_objects(dl_phdr_info* info, std::size_t, void* data) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const std::uintptr_t object = object_of(code_at(info->dlpi_addr + segment.p_vaddr));
    for (TimeSamples& found : *static_cast<std::vector<TimeSamples>*>(data))
      if (found.object == object && object != 0) found.file = info->dlpi_name;
  }
  return 0;
}

constexpr double worth_a_remark = 0.05;             // of the time that passed in the program
constexpr std::uint64_t fewest_milliseconds = 100;  // 25 ticks of a kernel with 250 Hz: less could be chance
constexpr std::size_t named_files = 4;
constexpr std::uint64_t accesses_a_millisecond = 1'000'000;

constinit std::array<std::atomic<std::uintptr_t>, 256> instrumented{};

bool is_instrumented(std::uintptr_t object) {
  return std::ranges::any_of(instrumented, [=](const auto& known) { return known.load() == object; });
}

void keep_loaded(const void* code) {
  dl_find_object found{};
  if (_dl_find_object(const_cast<void*>(code), &found) != 0) return;
  const char* file = found.dlfo_link_map->l_name;
  if (file[0] != '\0') dlopen(file, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// What libomp opens to learn of memories: hwloc, and memkind, which reads the kernel's modules by way of libkmod.
constexpr std::array<std::string_view, 7> opened_by_libomp{"libhwloc", "libmemkind", "libdaxctl",   "libkmod",
                                                           "libudev",  "libnuma",    "libpciaccess"};

/// What the program uses to run in parallel or in virtual time is no part of it.
bool is_runtime(const TimeSamples& sampled) {
  static const std::uintptr_t ours = object_of(reinterpret_cast<const void*>(&unseen_code_remark));
  const std::string_view file = file_name(sampled.file);
  return sampled.object == ours || file == "liblbhm-heap.so" || file.starts_with("libomp") ||
         file.starts_with("libiomp5") || file.starts_with("ld-linux") || file.starts_with("linux-vdso") ||
         std::ranges::any_of(opened_by_libomp, [=](std::string_view name) { return file.starts_with(name); });
}

std::string name_of(const TimeSamples& sampled) {
  if (!sampled.file.empty()) return std::string(file_name(sampled.file));
  return sampled.object == 0 ? "code made at run time" : "the program itself or a library that was unloaded";
}

std::string listed(std::vector<TimeSamples> unseen) {
  std::ranges::sort(unseen, std::ranges::greater{}, &TimeSamples::milliseconds);
  std::string text;
  for (std::size_t i = 0; i < std::min(unseen.size(), named_files); ++i)
    text += (i == 0 ? "" : ", ") + name_of(unseen[i]) + " (" + std::to_string(unseen[i].milliseconds) + " ms)";
  return unseen.size() > named_files ? text + ", others" : text;
}

}  // namespace

void sample_time(bool on) { sampling.store(on, std::memory_order_relaxed); }

std::uintptr_t object_of(const void* code) {
  dl_find_object found{};
  if (_dl_find_object(const_cast<void*>(code), &found) != 0) return 0;
  return reinterpret_cast<std::uintptr_t>(found.dlfo_map_start);
}

namespace {

// It puts off handlers of signals until it holds none of its locks, but does not know of a signal that glibc hides.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr bool built_with_thread_sanitizer = true;
#else
constexpr bool built_with_thread_sanitizer = false;
#endif
#else
constexpr bool built_with_thread_sanitizer = false;
#endif

/// Of all threads, each plus one; 0: a free place. Those of more threads stop with them.
constinit std::array<std::atomic<int>, 1024> timers{};
constinit std::atomic<bool> stopped{false};

void note_timer(int from, int to) {
  for (auto& place : timers) {
    int expected = from;
    if (place.compare_exchange_strong(expected, to)) return;
  }
}

}  // namespace

// The system calls themselves: what libc's functions allocate would move the program's own blocks.
void ThreadTimer::start() {
  if (built_with_thread_sanitizer || id_ >= 0 || stopped.load() || !take_signal()) return;
  stack_.make();
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal_number;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  int id = -1;
  if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &id) != 0) return;
  id_ = id;
  note_timer(0, id + 1);
  const itimerspec period{.it_interval = {.tv_sec = 0, .tv_nsec = period_ns},
                          .it_value = {.tv_sec = 0, .tv_nsec = period_ns}};
  if (syscall(SYS_timer_settime, id_, 0, &period, nullptr) != 0) stop();
}

void ThreadTimer::stop() {
  if (id_ >= 0 && !stopped.load()) {
    note_timer(id_ + 1, 0);
    syscall(SYS_timer_delete, id_);
  }
  id_ = -1;
}

void stop_all_timers() {
  stopped.store(true);
  for (auto& place : timers)
    if (const int timer = place.exchange(0); timer > 0) syscall(SYS_timer_delete, timer - 1);
}

std::vector<TimeSamples> time_samples() {
  std::vector<TimeSamples> result;
  if (!still_ours()) return result;
  for (const Slot& slot : slots)
    if (const std::uint64_t samples = slot.samples.load(std::memory_order_relaxed); samples > 0)
      result.push_back({.object = slot.object.load(std::memory_order_relaxed), .file = {}, .milliseconds = samples});
  dl_iterate_phdr(name_objects, &result);
  return result;
}

void note_instrumented_code(const void* code) {
  const std::uintptr_t object = object_of(code);
  if (object == 0) return;
  for (auto& known : instrumented) {
    std::uintptr_t expected = 0;
    if (known.compare_exchange_strong(expected, object)) return keep_loaded(code);
    if (expected == object) return;
  }
}

std::string unseen_code_remark(std::span<const TimeSamples> samples) {
  std::uint64_t seen = 0;
  std::uint64_t unseen = 0;
  std::vector<TimeSamples> others;
  for (const TimeSamples& sampled : samples) {
    if (is_runtime(sampled)) continue;
    if (is_instrumented(sampled.object)) {
      seen += sampled.milliseconds;
    } else {
      unseen += sampled.milliseconds;
      others.push_back(sampled);
    }
  }
  const bool worth = static_cast<double>(unseen) > worth_a_remark * static_cast<double>(seen + unseen);
  if (!worth || unseen < fewest_milliseconds) return {};
  return "about " + std::to_string(unseen * accesses_a_millisecond) +
         " accesses were not seen: " + std::to_string(unseen) + " ms of " + std::to_string(seen + unseen) +
         " ms of processor time passed in code that was not built with the plugin: " + listed(std::move(others)) +
         "; build it with the plugin too, if it is yours (an access a nanosecond is assumed)";
}

}  // namespace lbhm::emulator
