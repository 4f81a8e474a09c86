// What the lbhm command asks the library.
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "emulator/emulator.h"
#include "runtime/base/settings.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/state.h"
#include "runtime/placement/placement.h"

namespace lbhm::engine {

const char* policies_json() {
  static const std::string text = [] {
    auto list = nlohmann::ordered_json::array();
    for (const PolicyEntry& policy : policy_table())
      list.push_back({{"name", policy.name}, {"sentence", policy.sentence}});
    return list.dump();
  }();
  return text.c_str();
}

const char* settings_json() {
  static const std::string text = [] {
    auto list = nlohmann::ordered_json::array();
    for (const Setting& s : settings_table())
      list.push_back({{"name", s.name},
                      {"environment", s.environment},
                      {"default", s.default_value},
                      {"unit", s.unit},
                      {"sentence", s.sentence}});
    return list.dump();
  }();
  return text.c_str();
}

namespace {

/// One for all: thread-local data lie on stacks of threads, and a second string would move what programs have there.
const char* until_next_call(const Status& status) {
  thread_local std::string complaint;
  complaint = status.ok() ? "" : status.message();
  return complaint.c_str();
}

}  // namespace

const char* machine_complaint(const char* path) { return until_next_call(check_machine_file(path)); }

const char* start_complaint() {
  try {
    return until_next_call(try_start());
  } catch (const std::exception&) { return ""; }  // no memory to look: the program itself will say so
}

}  // namespace lbhm::engine
