// liblbhm-papi.so: counts events by PAPI. It is a library of its own, so that LB-HM runs where PAPI is not installed.
#include <fcntl.h>
#include <papi.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <new>

#include "runtime/host/modules.h"

namespace lbhm::host {

struct CounterSet {
  int events = PAPI_NULL;                ///< PAPI's event set
  int place[most_counter_events] = {};   ///< of each event among the set's values; -1: not counted
  int count = 0;                         ///< events asked for
  long long values[most_counter_events]  ///< as PAPI gives them
      = {};
};

namespace {

int processor_component = 0;  // of PAPI: who counts the events of a core

/// PAPI 7.0 ends the whole program (err(3)) when a file of /sys is there and cannot be opened. Null: none of that kind.
const char* why_papi_would_end_us() {
  static constexpr const char* file =
      "/sys/devices/system/cpu/cpu0/topology/thread_siblings";  // the first that it reads
  constexpr int most = 4;  // files that it has open at one time (an assumption: a folder, a file in it, and some more)
  if (access(file, F_OK) != 0) return nullptr;
  int files[most];
  int opened = 0;
  while (opened < most && (files[opened] = open(file, O_RDONLY | O_CLOEXEC)) >= 0) ++opened;
  for (int i = 0; i < opened; ++i) close(files[i]);
  if (opened == most) return nullptr;
  return opened > 0 ? "PAPI needs more open files; raise their limit, ulimit -n"
                    : "PAPI needs to read /sys/devices/system/cpu; allow that, or more open files, ulimit -n";
}

const char* begin() {
  if (const char* why = why_papi_would_end_us()) return why;
  const int version = PAPI_library_init(PAPI_VER_CURRENT);
  if (version != PAPI_VER_CURRENT) return version < 0 ? PAPI_strerror(version) : "PAPI has another version";
  if (PAPI_thread_init([] { return static_cast<unsigned long>(pthread_self()); }) != PAPI_OK)
    return "PAPI does not support threads here";
  PAPI_multiplex_init();  // without it many events cannot be counted at one time: the set is smaller then
  processor_component = PAPI_get_component_index("perf_event");
  if (processor_component < 0) return "PAPI was built without perf_event";
  const PAPI_component_info_t* processor = PAPI_get_component_info(processor_component);
  if (processor && processor->disabled) return processor->disabled_reason;
  return nullptr;
}

int can_count(const char* event) {
  int code = 0;
  return PAPI_event_name_to_code(event, &code) == PAPI_OK && PAPI_query_event(code) == PAPI_OK;
}

void destroy(CounterSet& set) {
  PAPI_cleanup_eventset(set.events);
  PAPI_destroy_eventset(&set.events);
  set.events = PAPI_NULL;
}

enum class Way : std::uint8_t {
  all,    ///< all events at one time
  turns,  ///< all that can be counted at all, by turns
  some    ///< the first ones, as many as there are counters
};

/// Counting begins. False: that is not possible.
bool count_events(CounterSet& set, const char* const* events, Way way) {
  if (PAPI_create_eventset(&set.events) != PAPI_OK) return false;
  bool good = way != Way::turns || (PAPI_assign_eventset_component(set.events, processor_component) == PAPI_OK &&
                                    PAPI_set_multiplex(set.events) == PAPI_OK);
  int added = 0;
  for (int i = 0; good && i < set.count; ++i) {
    const bool counted = PAPI_add_named_event(set.events, events[i]) == PAPI_OK;
    set.place[i] = counted ? added++ : -1;
    good = counted || way != Way::all;
  }
  if (good && added > 0 && PAPI_start(set.events) == PAPI_OK) return true;
  destroy(set);
  return false;
}

void stop(CounterSet* set) {
  PAPI_stop(set->events, set->values);
  destroy(*set);
  std::free(set);
  PAPI_unregister_thread();
}

CounterSet* start(const char* const* events, int count, unsigned char* counted, int* turns) {
  // Not by operator new: that is the program's here.
  void* const memory = count <= most_counter_events ? std::malloc(sizeof(CounterSet)) : nullptr;
  if (!memory) return nullptr;
  auto* const set = new (memory) CounterSet;
  set->count = count;
  PAPI_register_thread();
  bool counting = false;
  for (const Way way : {Way::all, Way::turns, Way::some}) {
    *turns = way == Way::turns;
    counting = count_events(*set, events, way);
    if (counting) break;
  }
  if (!counting) {
    std::free(set);
    PAPI_unregister_thread();
    return nullptr;
  }
  for (int i = 0; i < count; ++i) counted[i] = set->place[i] >= 0;
  return set;
}

int read(CounterSet* set, long long* values) {
  if (PAPI_read(set->events, set->values) != PAPI_OK) return 1;
  for (int i = 0; i < set->count; ++i) {
    if (set->place[i] >= 0) values[i] = set->values[set->place[i]];
  }
  return 0;
}

}  // namespace
}  // namespace lbhm::host

extern "C" __attribute__((visibility("default"))) const lbhm::host::CounterModule* lbhm_papi_v1() {
  using namespace lbhm::host;
  static constexpr CounterModule module{begin, can_count, start, read, stop};
  return &module;
}
