#include "apps/common/line_reader.h"

#include <algorithm>
#include <cstddef>

#include "apps/common/mini_app.h"

namespace apps {

bool LineReader::next() {
  if (!std::getline(stream_, line_)) return false;
  ++number_;
  return true;
}

std::vector<std::string_view> LineReader::words() const {
  constexpr std::string_view blanks = " \t\r\f\v";
  std::vector<std::string_view> words;
  const std::string_view line = line_;
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(blanks, end);
  }
  return words;
}

std::vector<std::string_view> LineReader::next_words() {
  while (next()) {
    std::vector<std::string_view> found = words();
    if (!found.empty() && found.front().front() != '%') return found;
  }
  return {};
}

void LineReader::fail(const std::string& sentence) const {
  throw InputError(name_ + ":" + std::to_string(number_) + ": " + sentence);
}

std::ifstream open_text(const std::string& path, const char* what, const char* option) {
  const std::string remedy = std::string(" Check the path given to ") + option + ".";
  std::ifstream stream(path);
  if (!stream) throw InputError(path + ": the " + what + " cannot be opened." + remedy);
  if (stream.peek() == std::ifstream::traits_type::eof() && stream.bad()) {
    throw InputError(path + ": this is not a file that can be read." + remedy);
  }
  return stream;
}

std::string to_lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string quote(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::string result = "'";
  for (const char c : word.substr(0, longest)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (word.size() > longest ? "...'" : "'");
}

}  // namespace apps
