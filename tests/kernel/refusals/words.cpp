#include "refusals/words.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace kernel_test {
namespace {

const std::string mark = "lbhm: ";

std::string stripped(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> parts(const std::string& text, char separator) {
  std::vector<std::string> found;
  std::istringstream fields(text);
  for (std::string field; std::getline(fields, field, separator);)
    if (!stripped(field).empty() || separator == '|') found.push_back(stripped(field));
  return found;
}

}  // namespace

std::vector<Expected> expected_words(const std::string& file) {
  std::vector<Expected> table;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> columns = parts(line, '|');
    if (line.starts_with('#') || columns.size() != 4 || columns[0] == "host") continue;
    Expected row{.rules = parts(columns[1], ' '), .settings = {}, .words = {}};
    for (const std::string& setting : parts(columns[2], ' '))
      row.settings[setting.substr(0, setting.find('='))] = setting.substr(setting.find('=') + 1);
    row.never_called = columns[3] == "never called";
    if (!row.never_called && columns[3] != "nothing is off") row.words = parts(columns[3], ';');
    table.push_back(std::move(row));
  }
  return table;
}

std::set<std::string> sentences_of(const Outcome& done) {
  std::set<std::string> sentences;
  std::istringstream lines(done.output);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(mark)) sentences.insert(line.substr(mark.size()));
  if (done.report.is_object())
    for (const std::string sentence : done.report["remarks"]) sentences.insert(sentence);
  std::erase_if(sentences, [](const std::string& sentence) { return sentence.find("slowed down") != sentence.npos; });
  return sentences;
}

std::string sentence_with(const std::set<std::string>& sentences, const std::vector<std::string>& words) {
  for (const std::string& sentence : sentences) {
    const auto holds = [&](const std::string& word) { return sentence.find(word) != std::string::npos; };
    if (std::ranges::all_of(words, holds)) return sentence;
  }
  return "";
}

std::string own_output(const Outcome& done) {
  std::string own;
  std::istringstream lines(done.output);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with(mark)) own += line + '\n';
  return own;
}

}  // namespace kernel_test
