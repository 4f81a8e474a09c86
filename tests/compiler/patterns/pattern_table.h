// Compiles small loops with the plugin and reads their patterns back from the object file.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/compiler/compiled_program.h"

namespace lbhm::test {

using Table = std::set<std::string>;

/// A loop: the source of one function, its name, and its accesses as "a: stream 8 read". In place of the stride stand
/// the offsets of a stencil and the step where that is no constant.
struct Loop {
  std::string function;
  std::string source;
  Table table;
  Table may = {};  ///< what is there at some levels only: reads that the optimiser saves, or does in front of a loop
};

/// The texts in the file's section, none if it has none.
std::vector<nlohmann::json> read_patterns(const std::string& file);

std::string line_of(const nlohmann::json& nest, const nlohmann::json& access);

/// By function, names demangled and without parameters; outlined ones by that from which they are taken.
std::map<std::string, Table> tables_of(const std::vector<nlohmann::json>& modules);

/// Writes the loops into one file, behind `head`, compiles it with these flags and compares. `language`: "c", "cpp".
void expect_tables(const std::vector<Loop>& loops, const std::string& flags, const std::string& language,
                   const std::string& head = "");

/// Compiles the source and returns its only text.
nlohmann::json patterns_of(const std::string& source, const std::string& flags, const std::string& language = "c");

/// Optimisation levels and debug information with which patterns are to be the same.
std::vector<std::string> flag_sets();

}  // namespace lbhm::test
