#include "tests/compiler/blocks/block_counters_view.h"

#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "lbhm/block_counts.h"

namespace lbhm::test {
namespace {

Counter parse_counter(std::stringstream& line) {
  Counter counter;
  const std::map<std::string, std::uint64_t*> fields{
      {"count", &counter.count}, {"per_call", &counter.per_call},
      {"bytes", &counter.bytes}, {"depth", &counter.depth},
      {"flags", &counter.flags}, {"first", &counter.first},
      {"last", &counter.last},   {"instructions", &counter.instructions}};
  for (std::string word; line >> word;) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    if (key == "function") counter.function = value;
    if (const auto field = fields.find(key); field != fields.end()) *field->second = std::stoull(value);
  }
  return counter;
}

}  // namespace

std::uint64_t Counters::bytes(const std::string& function) const {
  std::uint64_t sum = 0;
  for (const Counter& each : of(function)) sum += each.count * each.bytes;
  return sum;
}

std::uint64_t Counters::calls(const std::string& function) const {
  for (const Counter& each : of(function)) {
    if ((each.flags & LBHM_BLOCK_ENTRY) != 0) return each.count;
  }
  return 0;
}

std::vector<Counter> Counters::of(const std::string& function) const {
  std::vector<Counter> found;
  for (const Counter& each : all) {
    if (each.function == function) found.push_back(each);
  }
  return found;
}

Counters count_program(const std::string& command) {
  const Output output = run(command);
  EXPECT_EQ(output.status, 0) << command << "\n" << output.text;
  Counters counters;
  std::stringstream stream(output.text);
  for (std::string each; std::getline(stream, each);) {
    std::stringstream line(each);
    std::string kind, id;
    line >> kind;
    if (kind == "counter") counters.all.push_back(parse_counter(line));
    if (kind == "module" && line >> id) counters.modules.push_back(id.substr(3));
  }
  return counters;
}

Counters count(const std::string& plugin, const std::string& arguments, const std::vector<std::string>& sources) {
  Workshop workshop;
  const std::string flags =
      "-fpass-plugin=" + plugin + " -pthread -lstdc++ " + arguments + " " + block_recorder_flags();
  const std::string program = workshop.compile("program", flags, sources);
  return program.empty() ? Counters{} : count_program(program);
}

std::string block_recorder_flags() { return LBHM_BLOCK_RECORDER " -Wl,-rpath," LBHM_RECORDER_FOLDER; }

}  // namespace lbhm::test
