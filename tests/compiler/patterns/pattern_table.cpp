#include "tests/compiler/patterns/pattern_table.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace lbhm::test {
namespace {

std::string write_source(const Workshop& workshop, const std::string& text, const std::string& language) {
  std::string path = workshop.path("loops." + language);
  std::ofstream(path) << text;
  return path;
}

/// "name(int, double*)" and "name.omp_outlined" without what follows.
std::string plain_name(const nlohmann::json& nest) {
  std::string name = nest["name"];
  name = std::regex_replace(name, std::regex("^(void|double|int|long|float) "), "");
  return name.substr(0, name.find_first_of("(.<"));
}

std::string joined(const Table& lines) {
  std::string text;
  for (const std::string& line : lines) text += "    " + line + "\n";
  return text;
}

/// Without debug information: no names of bases, and steps and offsets in other words.
std::string without_names(const std::string& line) {
  static const std::set<std::string> known{"stream",  "strided", "stencil", "transpose", "read",  "write", "gather",
                                           "scatter", "chase",   "fixed",   "unknown",   "input", "by",    "sometimes"};
  std::istringstream words(line.substr(line.find(": ") + 2));
  std::string text, word;
  words >> text;
  while (words >> word) {
    const bool number = word.find_first_not_of("-0123456789") == std::string::npos;
    const bool plain = known.contains(word) || (number && !text.ends_with("step"));
    if (text.starts_with("stencil") && !known.contains(word)) continue;
    if (plain)
      text += " " + word;
    else if (!text.ends_with("step"))
      text += " step";
  }
  return text;
}

Table without_names(const Table& lines) {
  Table shorter;
  for (const std::string& line : lines) shorter.insert(without_names(line));
  return shorter;
}

void expect_table(const Loop& loop, Table found, bool names) {
  if (!names) found = without_names(found);
  Table wanted = names ? loop.table : without_names(loop.table);
  Table allowed = names ? loop.may : without_names(loop.may);
  Table missing, surplus;
  std::ranges::set_difference(wanted, found, std::inserter(missing, missing.end()));
  allowed.insert(wanted.begin(), wanted.end());
  std::ranges::set_difference(found, allowed, std::inserter(surplus, surplus.end()));
  EXPECT_TRUE(missing.empty() && surplus.empty()) << loop.source << "\n  expected:\n"
                                                  << joined(wanted) << "  found:\n"
                                                  << joined(found);
}

}  // namespace

std::vector<nlohmann::json> read_patterns(const std::string& file) {
  const std::string dump = file + ".patterns";
  std::vector<nlohmann::json> modules;
  if (run("objcopy --dump-section lbhm_patterns=" + dump + " " + file + " /dev/null").status != 0) return modules;
  std::ifstream stream(dump, std::ios::binary);
  for (std::string text; std::getline(stream, text, '\0');) {
    if (!text.empty()) modules.push_back(nlohmann::json::parse(text));
  }
  return modules;
}

std::string line_of(const nlohmann::json& nest, const nlohmann::json& access) {
  const std::string kind = access["kind"];
  std::string line = kind;
  if (access.contains("order")) line += " " + access["order"].get<std::string>();
  if (kind == "stencil") {
    for (const auto& offset : access["offsets"]) line += " " + offset.get<std::string>();
    if (access["input_dependent"]) line += " by input";
  } else if (access.contains("step")) {
    line += " " + access["step"].get<std::string>();
  } else if (kind == "stream" || kind == "strided") {
    line += " " + access["stride"].dump();
  }
  if (access.contains("advance")) line += " " + access["advance"].get<std::string>();
  line += access["write"] ? " write" : " read";
  for (const auto& base : nest["bases"]) {
    if (base["number"] == access["base"]) return base["name"].get<std::string>() + ": " + line;
  }
  return "no such base: " + line;
}

std::map<std::string, Table> tables_of(const std::vector<nlohmann::json>& modules) {
  std::map<std::string, Table> tables;
  for (const auto& module : modules) {
    for (const auto& nest : module["nests"]) {
      for (const auto& access : nest["accesses"]) tables[plain_name(nest)].insert(line_of(nest, access));
    }
  }
  return tables;
}

void expect_tables(const std::vector<Loop>& loops, const std::string& flags, const std::string& language,
                   const std::string& head) {
  Workshop workshop;
  std::string text = head + "\n";
  for (const Loop& loop : loops) text += loop.source + "\n";
  const std::string file =
      workshop.compile("loops.o", plugin_flag() + " -c -fopenmp " + flags, {write_source(workshop, text, language)});
  if (file.empty()) return;
  const bool names = flags.find("-g") != std::string::npos;
  auto tables = tables_of(read_patterns(file));
  for (const Loop& loop : loops) expect_table(loop, tables[loop.function], names);
}

nlohmann::json patterns_of(const std::string& source, const std::string& flags, const std::string& language) {
  Workshop workshop;
  const std::string file =
      workshop.compile("loops.o", plugin_flag() + " -c -fopenmp " + flags, {write_source(workshop, source, language)});
  auto modules = file.empty() ? std::vector<nlohmann::json>{} : read_patterns(file);
  EXPECT_EQ(modules.size(), 1U);
  return modules.empty() ? nlohmann::json::object() : modules.front();
}

std::vector<std::string> flag_sets() { return {"-O1 -g", "-O2 -g", "-O3 -g", "-O2", "-O3 -march=x86-64-v3"}; }

}  // namespace lbhm::test
