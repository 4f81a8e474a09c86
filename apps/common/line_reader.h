// A text file line by line and word by word, with the position for error sentences.
#pragma once

#include <charconv>
#include <cstdint>
#include <fstream>
#include <istream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace apps {

/// Words of the current line point into the reader and are valid until it moves on.
class LineReader {
 public:
  /// `name` stands for the file in error sentences. Both must outlive the reader.
  LineReader(std::istream& stream, const std::string& name) : stream_(stream), name_(name) {}

  /// Goes to the next line; false at the end of the file.
  bool next();
  /// The words of the current line.
  std::vector<std::string_view> words() const;
  /// The words of the next line that is neither empty nor a comment (%); none at the end of the file.
  std::vector<std::string_view> next_words();
  /// Throws InputError: "name:line: sentence".
  [[noreturn]] void fail(const std::string& sentence) const;

 private:
  std::istream& stream_;
  const std::string& name_;
  std::string line_;
  std::uint64_t number_ = 0;
};

/// The text file at `path`. Throws InputError, naming `what` it is to be and the option that gave the path.
std::ifstream open_text(const std::string& path, const char* what, const char* option);

/// In lower case, ASCII letters only.
std::string to_lower(std::string_view word);
/// A word of the file for an error sentence: in quotes, short and printable whatever is in the file.
std::string quote(std::string_view word);

/// The number that the whole of `word` is; a leading plus is allowed. `what` names it in error sentences.
template <class Number>
Number parse_number(const LineReader& lines, std::string_view word, const char* what) {
  std::string_view digits = word;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  Number number{};
  const char* const first = digits.data();
  const char* const last = first + digits.size();
  const auto [end, error] = std::from_chars(first, last, number);
  if (error == std::errc::result_out_of_range) lines.fail(std::string(what) + " " + quote(word) + " is out of range.");
  if (error != std::errc{} || end != last) {
    lines.fail(std::string(what) + " " + quote(word) + " is not a number of the kind expected here.");
  }
  return number;
}

}  // namespace apps
