// The functions of papi.h that the module calls.
#include "fake_papi.h"

#include <papi.h>

#include <cstdio>
#include <vector>

FakePapi fake_papi;

namespace {

struct Set {
  bool turns = false;
  bool runs = false;
  std::vector<std::string> events;
};
std::map<int, Set> sets;
PAPI_component_info_t component;

bool there(const std::string& event) { return fake_papi.events.contains(event); }

}  // namespace

extern "C" {

int PAPI_library_init(int version) { return fake_papi.version == 0 ? version : fake_papi.version; }
char* PAPI_strerror(int) {
  static char text[] = "Error of the fake";
  return text;
}
int PAPI_thread_init(unsigned long (*name)()) { return fake_papi.threads && name() != 0 ? PAPI_OK : PAPI_ENOSUPP; }
int PAPI_multiplex_init() { return PAPI_OK; }
int PAPI_get_component_index(const char* name) {
  return fake_papi.component && std::string(name) == "perf_event" ? 3 : PAPI_ENOCMP;
}
const PAPI_component_info_t* PAPI_get_component_info(int index) {
  component = {};
  component.disabled = fake_papi.disabled ? PAPI_EPERM : 0;
  std::snprintf(component.disabled_reason, sizeof component.disabled_reason, "%s",
                fake_papi.disabled ? fake_papi.disabled : "");
  return index == 3 ? &component : nullptr;
}
int PAPI_event_name_to_code(const char* name, int* code) {
  *code = there(name) ? 1 : 0;
  return there(name) || std::string(name).starts_with("PAPI_") ? PAPI_OK : PAPI_ENOEVNT;
}
int PAPI_query_event(int code) { return code == 1 ? PAPI_OK : PAPI_ENOEVNT; }
int PAPI_create_eventset(int* set) {
  static int last = 0;
  *set = ++last;
  sets[*set] = {};
  ++fake_papi.sets;
  return PAPI_OK;
}
int PAPI_assign_eventset_component(int, int index) { return index == 3 ? PAPI_OK : PAPI_ENOCMP; }
int PAPI_set_multiplex(int set) {
  sets[set].turns = fake_papi.can_take_turns;
  return fake_papi.can_take_turns ? PAPI_OK : PAPI_ENOSUPP;
}
int PAPI_add_named_event(int set, const char* event) {
  Set& to = sets[set];
  if (!there(event) || fake_papi.never.contains(event)) return PAPI_ENOEVNT;
  if (!to.turns && to.events.size() >= static_cast<std::size_t>(fake_papi.counters)) return PAPI_ECNFLCT;
  to.events.emplace_back(event);
  return PAPI_OK;
}
int PAPI_start(int set) {
  sets[set].runs = true;
  return PAPI_OK;
}
int PAPI_read(int set, long long* values) {
  if (!sets[set].runs) return PAPI_ENOTRUN;
  for (const std::string& event : sets[set].events) *values++ = fake_papi.events.at(event);
  return PAPI_OK;
}
int PAPI_stop(int set, long long* values) {
  const int result = PAPI_read(set, values);
  sets[set].runs = false;
  return result;
}
int PAPI_cleanup_eventset(int set) { return sets[set].runs ? PAPI_EISRUN : PAPI_OK; }
int PAPI_destroy_eventset(int* set) {
  fake_papi.sets -= static_cast<int>(sets.erase(*set));
  *set = PAPI_NULL;
  return PAPI_OK;
}
int PAPI_register_thread() {
  ++fake_papi.registered;
  return PAPI_OK;
}
int PAPI_unregister_thread() {
  --fake_papi.registered;
  return PAPI_OK;
}

}  // extern "C"
