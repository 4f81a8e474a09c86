#include "tests/compiler/compiled_program.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <cstdio>
#include <filesystem>
#include <sstream>

namespace lbhm::test {
namespace {

const std::string repository = LBHM_REPOSITORY;

Lines parse_lines(const std::string& text) {
  Lines lines;
  std::stringstream stream(text);
  for (std::string number; std::getline(stream, number, ',');) lines.insert(std::stoull(number));
  return lines;
}

std::set<std::string> parse_names(const std::string& text) {
  std::set<std::string> names;
  std::stringstream stream(text);
  for (std::string name; std::getline(stream, name, ',');) names.insert(name);
  return names;
}

/// "key=value" words after the first ones of a line.
std::map<std::string, std::string> parse_words(std::stringstream& line) {
  std::map<std::string, std::string> words;
  for (std::string word; line >> word;) {
    auto equals = word.find('=');
    if (equals != std::string::npos) words[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return words;
}

Recording parse(const std::string& text) {
  Recording recording;
  std::stringstream stream(text);
  for (std::string each; std::getline(stream, each);) {
    std::stringstream line(each);
    std::string kind, name;
    line >> kind;
    if (kind == "block") {
      line >> name;
      auto words = parse_words(line);
      recording.blocks[name] = {parse_lines(words["reads"]),   parse_lines(words["writes"]),
                                parse_names(words["from"]),    words["nontemporal"] == "1",
                                std::stoull(words["entries"]), std::stoull(words["sites"])};
    } else if (kind == "branch") {
      for (const auto& [names, count] : parse_words(line)) {
        for (const std::string& block : parse_names(names)) recording.branches[block] += std::stoull(count);
      }
    } else if (kind == "sums") {
      for (const auto& [key, value] : parse_words(line)) recording.sums[key] = std::stoull(value);
    }
  }
  return recording;
}

}  // namespace

Output run(const std::string& command) {
  Output output;
  FILE* pipe = popen(("(" + command + ") 2>&1").c_str(), "r");
  if (pipe == nullptr) return output;
  char part[4096];
  while (std::size_t size = std::fread(part, 1, sizeof part, pipe)) output.text.append(part, size);
  int status = pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

Workshop::Workshop() {
  std::string pattern = (std::filesystem::temp_directory_path() / "lbhm-compiler-XXXXXX").string();
  folder = mkdtemp(pattern.data()) != nullptr ? pattern : "";
}

Workshop::~Workshop() {
  std::error_code ignored;
  if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
}

std::string Workshop::compile(const std::string& output, const std::string& arguments,
                              const std::vector<std::string>& sources) {
  std::string command = "LBHM_PLUGIN_VERIFY=1 " LBHM_CLANG " -I" + repository;
  for (const std::string& source : sources) {
    bool made = source.front() == '/';
    command += made ? " " : " " + repository + "/tests/compiler/programs/";
    command += source;
  }
  command += " " + arguments + " -o " + path(output);
  Output result = run(command);
  EXPECT_EQ(result.status, 0) << command << "\n" << result.text.substr(0, 2000);
  return result.status == 0 ? path(output) : "";
}

std::string Workshop::instrument(const std::string& output, const std::string& arguments,
                                 const std::vector<std::string>& sources) {
  return compile(output, plugin_flag() + " " + arguments + " " + recorder_flags(), sources);
}

Recording record_program(const std::string& program, const std::string& argument) {
  if (program.empty()) return {};
  Output output = run(program + " " + argument);
  EXPECT_EQ(output.status, 0) << output.text;
  return parse(output.text);
}

Recording record(const std::string& arguments, const std::vector<std::string>& sources) {
  Workshop workshop;
  return record_program(workshop.instrument("program", arguments, sources));
}

Lines every(std::uint64_t first, std::uint64_t last, std::uint64_t step) {
  Lines lines;
  for (std::uint64_t line = first; line <= last; line += step) lines.insert(line);
  return lines;
}

std::string plugin_flag() { return "-fpass-plugin=" LBHM_PLUGIN; }

std::string recorder_flags() { return LBHM_RECORDER " -Wl,-rpath," LBHM_RECORDER_FOLDER; }

}  // namespace lbhm::test
