// Door of runtime/engine: the loop in which the rooms meet, as libomp-ext sees it.
// Everything here may be called from callbacks of the OpenMP runtime: nothing throws, and on trouble the program goes
// on as if LB-HM were not there.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/base/units.h"
#include "runtime/loop/configured_objects.h"
#include "runtime/loop/memory_traits.h"
#include "runtime/machine/machine.h"
#include "runtime/phases/work_at.h"

namespace lbhm {
struct RegionInstance;
}  // namespace lbhm

namespace lbhm::engine {

/// Reads the settings and makes the machine. The first call does it; later calls return at once.
/// Called when the library is loaded if the settings name a machine: its clock then runs from the first instruction.
void start();
/// The calling thread is all that a fork(2) left in this process, a child: the engine is its parent's, and there is
/// none here from now on. (A child in which nothing of ours had begun may have one of its own.)
void leave_to_parent();
/// The calling thread is about to forbid this process system calls (seccomp(2)): the report is written, threads and
/// timers of ours end, and from here on there is no engine, as in the child of a fork.
void fall_silent();
/// That has happened: no system call of ours, not even to give memory back.
inline constinit std::atomic<bool> silent_process{false};
/// The program uses OpenMP: from now on there is something to report. (Children and shells that inherit LD_PRELOAD
/// start the engine too, and must not write a report over the program's.)
void openmp_begins();
/// True if there are tiers to place data in, or a report was asked for: only then the callbacks are needed.
bool active();
/// True if there are tiers to place data in.
bool has_tiers();
/// The engine that there is has a machine with virtual time. Read at every mutex of the program.
inline constinit std::atomic<bool> in_virtual_time{false};
/// True if the machine wants to be told of mutexes and tasks too (virtual time).
inline bool follows_all_waits() { return in_virtual_time.load(std::memory_order_acquire); }
/// The setting of that name; 0 in real time.
Bytes heap_padding();
/// The setting other_clock; 0 in real time.
std::uint64_t other_clock();
/// The setting clock_begin, in seconds since 1970. Nothing: it is not set, or time is real.
std::optional<std::uint64_t> clock_begin();
/// How many threads the emulated machine executes at a time; 0 in real time.
std::uint32_t emulated_processors();
/// True if the program's clocks are virtual: the machine keeps its own time, this is the process that it runs in
/// (children made by fork(2) live in real time), and there is something that it times: an OpenMP runtime, or code built
/// with the plugin. A shell or a helper that inherits our settings waits for the outside world, in real time.
inline constinit std::atomic<bool> something_is_timed{false};
inline bool keeps_virtual_time() { return follows_all_waits() && something_is_timed.load(std::memory_order_relaxed); }
inline void clocks_begin() { something_is_timed.store(true, std::memory_order_relaxed); }
/// The calling thread's clock, after `passing` more of it: reading a clock takes a little time, sleeping more. Nothing
/// if there is no such clock, or if the thread is about to end.
std::optional<Nanoseconds> virtual_now(Nanoseconds passing);
/// The program asked for the time as OpenMP programs do. No lock, no allocation; does not start the engine.
void note_openmp();
/// True if there is a report to write in this process. No lock, no allocation: forked children ask, too.
bool must_finish();
/// Writes the report. The first call does it.
void finish();
/// Writes the report as it is now: the program is about to become another one (exec), and goes on if that fails.
void save_report();

/// One execution of a parallel construct.
using lbhm::RegionInstance;

/// The calling thread meets a parallel construct. `code` is an address that tells it apart from others and lies in its
/// code. Null: the engine does not follow it (no memory, or nested too deeply); the calls for it are made all the same.
RegionInstance* region_begin(const void* code);
/// The calling thread executes lane `lane` of `team_size` until lane_end.
void lane_begin(RegionInstance* region, LaneId lane, std::uint32_t team_size);
void lane_end();
/// The innermost region that the calling thread began and has not ended; null if there is none.
RegionInstance* forked_region();
/// The thread that called region_begin goes on alone: forked_region() is over.
void region_end();

// Waits and order of the calling lane: as the functions of the same names in machine.h (Execution). They do nothing
// outside of lanes and in real time, but that other threads may wake lanes.
bool wait_begin(Wait kind, const void* what);
bool passed_barrier();
void wait_end(Wait kind, const void* what);
void mutex_released(const void* mutex);
bool try_mutex(const void* mutex);
bool has_mutex(const void* mutex);
void ordered_begin();
void ordered_end();
void sleep();
LaneName lane_name();
void wake(LaneName lane);
/// Of a lane between ordered_begin and ordered_end, in place of ordered_end: as sleep, for a wait that others than
/// lanes may end.
void sleep_in_order(const Rousing& rousing);
/// Sets a byte that lanes read without asking anybody. In virtual time that happens while no lane runs, so that every
/// run finds it set at the same places; for a thread outside of teams, and where there is no emulated machine, at once.
void set_between_quanta(std::atomic<std::uint8_t>& byte);
/// Calls it when the process has code that was built with the plugin: now or later, once.
void when_instrumented(void (*call)());
void tasks_changed(const RegionInstance* region, int ready, int unfinished);
/// From here on the calling lane works at the task of that name; empty: at none. Nothing outside of regions.
void work_on(std::string_view task);

// Explicit tasks. What they do is counted for their constructs, which are known by their code.
using lbhm::WorkAt;
/// True if somebody wants to know which task a lane executes.
bool follows_tasks();
/// The calling lane makes tasks of that code from now on; null: none that is known. Returns what it made before.
const void* makes_task(const void* code);
/// A new task, not begun yet: of the code that makes_task named, else of `code`.
WorkAt fresh_task(const void* code);
/// The calling lane leaves its task for another one. Returns where it is in the task that it leaves.
WorkAt go_on_with(const WorkAt& next);
/// omp_control_tool: start (true) and pause (false). What happens in a pause is in no report.
void measure(bool on);

using lbhm::MemoryTraits;

/// Memory for a managed object, page-aligned and zeroed. Null if this machine has no tiers to choose from, if the
/// object is smaller than the setting managed_minimum, or if there is no memory: take it from elsewhere then.
void* allocate_object(Bytes bytes, Bytes alignment, const MemoryTraits& traits);
/// The same for a block that the code at `caller` wants of malloc; it is called by the place that asks for it. Null
/// also where LB-HM itself, libc, the loader or an OpenMP runtime asks, and where the engine has not begun. In virtual
/// time each lane of a region has addresses and numbers of its own, so that it does not matter who comes first; lanes
/// of nested regions get none. `zeroed`: all bytes are 0; others may be those of a block that the program gave back.
void* allocate_heap_object(Bytes bytes, Bytes alignment, const void* caller, bool zeroed);
/// Gives it back. True if there is one at `address`.
bool release_heap_object(void* address);
/// Blocks of malloc of so many bytes and more may be objects: the setting of that name. Starts the engine, and from now
/// on mappings are objects, too. Larger than any block: there are no tiers, or pages are watched in a way that makes
/// system calls fail (docs/sampling.md).
Bytes heap_minimum();
/// Blocks of malloc are no objects: the program has an allocator of its own, in that file; empty: in itself. The report
/// says so.
void keeps_own_allocator(const char* file);
/// A site may have arenas for its small blocks when it has asked for so many bytes; larger than any: none has. After
/// heap_minimum(). The setting of that name, or what suits the machine.
Bytes arena_minimum();
/// The site of who asks malloc for a small block now, from the code at `caller`, if its blocks may be an arena's. Else
/// unknown: not for this caller or not now, or if there are calls, they are not readable.
SiteId site_of_small_blocks(const void* caller, CallsOnStack& calls);
/// Pages for an arena of that site, aligned to their size: an object, which release_object() gives back. Null as for
/// allocate_heap_object.
void* allocate_arena(Bytes bytes, SiteId site);
/// In virtual time: called before and after each outermost region of the thread that calls this.
void when_lanes_rest(void (*call)());
/// Lanes of the region that the calling thread is in; 1 outside of regions.
std::uint32_t team_size();
/// Mappings of so many bytes and more may be objects; larger than any: none are. No lock, no allocation.
Bytes mapping_minimum();
/// The large variables of the program and its libraries are objects from now on, and those of libraries that are gone
/// are none any more.
void follow_modules();
/// A library comes, or may have gone: follow_modules() is called before the next region or object.
void modules_change();
/// Zeroed pages for a mapping of the program's own, which the code at `caller` wants; they are an object. Null as for
/// allocate_heap_object.
void* map_object(Bytes bytes, const void* caller);
/// True, and the memory is gone, if these are the pages of one object, which the code at `caller` unmaps. Nothing of
/// ours is asked for LB-HM, libc, the loader and OpenMP runtimes, here and in the next one.
bool release_mapping(void* address, Bytes bytes, const void* caller);
/// The program is about to unmap these pages, to move them or to put others in their place: what is an object there
/// shrinks or ends. The pages stay as they are.
void end_objects(void* address, Bytes bytes, const void* caller);
/// The program is about to say where these pages are (mbind, move_pages), and from now on that holds; or, `bound`
/// false, to take it back. True: managed pages are among them, whose places may be others than the program's would be.
bool bind_pages(const void* address, Bytes bytes, bool bound);
/// A thread is about to choose where its pages appear (set_mempolicy).
void bind_by_threads();
/// From here until duties_go_on() the process has no thread of ours. False: it had none.
bool duties_rest();
void duties_go_on();
/// The process is about to have `most` bytes of addresses or of data at most (RLIMIT_AS, RLIMIT_DATA): what is only set
/// aside goes back to the kernel first.
void limit_addresses(Bytes most);
/// Memory in the tier that `hint` names (MemoryTraits::tier_hint) for a block that is no object, aligned to 16 and
/// not zeroed; for many small ones. It stays there. Null: this machine has none, or no more; take it from elsewhere
/// then.
void* allocate_block(Bytes bytes, int hint);
/// Gives back what allocate_block returned; `bytes` as they were asked for.
void release_block(void* block, Bytes bytes);
/// Moves the object that begins there to the tier that `hint` names (MemoryTraits::tier_hint) while the caller waits.
/// False, with last_error() set: it is none, there is no such tier, a lane asks, or some of it stayed.
bool move_object(const void* address, int hint);
/// True, and the memory is gone, if `address` came from allocate_object.
bool release_object(void* address);
/// Bytes asked for at allocate_object; 0 if `address` did not come from there.
Bytes object_bytes(const void* address);

using lbhm::ConfiguredObject;

/// Plans for the regions that follow. `site` is an address inside the call of LB_HM_config, `kind` what the program
/// calls the input; empty: it does not say. Returns an opaque handle, or null with last_error() set.
void* configure(const void* site, std::span<const ConfiguredObject> objects, std::string_view kind);
/// A phase begins that the program names: of all objects that there are. Inside of parallel regions nothing.
void transition(const void* site, std::string_view name);
/// Sentence about the last failure on this thread; empty if there was none.
const char* last_error();
void set_last_error(std::string_view sentence);  ///< cut after 431 bytes

/// JSON arrays of all policies ({"name","sentence"}) and settings ({"name","environment","default","unit","sentence"}).
const char* policies_json();
/// What is wrong with a machine file (a path with a '/'); empty if it is right. Until the thread's next call.
const char* machine_complaint(const char* path);
const char* settings_json();
/// What is wrong with the settings of this process, files that they name among them; empty if nothing is. Until the
/// thread's next call.
const char* start_complaint();

}  // namespace lbhm::engine
