// Door of emulator/: a machine with several memory tiers in virtual time, fed by instrumented programs.
// What the compiler plugin and the emulator agree on stands in lbhm/instrumentation.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/status.h"
#include "runtime/machine/machine.h"

namespace lbhm {

struct EmulatorOptions {
  std::optional<Bytes> fast_capacity;  ///< of tier 0, instead of the preset's
  bool sampling = true;                ///< false: no samples are taken, and none are paid for
  bool load_counts = true;             ///< false: a thread's loads under way are counted once it wants its events
  std::uint64_t sample_period = 0;     ///< 0: the preset's
  std::uint64_t touch_period = 0;      ///< one touched line in so many is sampled, too (Machine::touches); 0: none
  std::uint64_t seed = 1;              ///< decides which accesses of a lane are sampled
  std::uint64_t other_clock = 0;       ///< not 0: a variant in which lanes differ in speed
  bool memory_mode = false;            ///< tier 0 is a direct-mapped cache in front of tier 1; pages live in tier 1
  bool contention = true;              ///< false: the memory serves everybody at once, however much is asked for
  std::string page_counts{};           ///< "": none; else the file of exact counts (schema lbhm.page-counts/2)
};

/// `preset` is a name ("optane") looked up in `preset_directory` and then among the user's own machine files
/// ($XDG_DATA_HOME/lbhm/machines, without it ~/.local/share/lbhm/machines), or the path of a machine file (it has a
/// '/'). One emulated machine a process. Errors: not_found, malformed (names the file, the key and what was expected),
/// invalid_argument (a capacity below a page, memory_mode with one tier or
/// with page_counts), busy, unavailable (the file of counts cannot be made).
Result<std::unique_ptr<Machine>> make_emulated_machine(std::string_view preset, std::string_view preset_directory,
                                                       const EmulatorOptions& options);

/// False in the library for hosts alone (lib/host), whose OpenMP has real time only.
bool can_emulate();

/// As engine::sleep_in_order, set_between_quanta and when_instrumented.
void sleep_in_order(const Rousing& rousing);
void set_between_quanta(std::atomic<std::uint8_t>& byte);
void when_instrumented(void (*call)());

/// Whether a machine file (a path with a '/') is one that make_emulated_machine takes. Errors: as there.
Status check_machine_file(std::string_view path);

}  // namespace lbhm
