// A PAPI of the tests: what the processor behind it can do.
#pragma once

#include <map>
#include <set>
#include <string>

struct FakePapi {
  std::map<std::string, long long> events;  ///< that the processor has, and what they count
  std::set<std::string> never;              ///< events that no set takes
  int counters = 4;                         ///< events of a set that takes no turns
  bool can_take_turns = true;
  bool threads = true;
  int version = 0;                 ///< 0: the one asked for
  const char* disabled = nullptr;  ///< why the component of the processor is off
  bool component = true;           ///< there is such a component
  int sets = 0;                    ///< that were made and not destroyed
  int registered = 0;              ///< threads
};

extern FakePapi fake_papi;
