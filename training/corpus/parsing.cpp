// Text that machines write: lines and fields of a table, a tree of brackets and strings, UTF-8, base 64; words in it by
// an automaton, by skipping and by rolling hashes.
// Source: RFC 4180 (tables), RFC 8259 (brackets and strings), RFC 4648 (base 64); Langdale, Lemire, VLDB Journal 28(6),
// 2019; Aho, Corasick, CACM 18(6), 1975; Horspool, Software: Practice and Experience 10(6), 1980; Karp, Rabin, IBM J.
// Research 31(2), 1987.
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Numbers = std::vector<std::uint32_t>;
using Text = std::string;

/// Rows of three numbers, a name and a price: "17,4711,lemon-tree,12.34".
CORPUS_REGION void write_table(Text& text, Numbers& values, corpus::Random& random) {
  constexpr std::array<std::string_view, 8> names{"lemon", "tree",  "green",    "meadow",
                                                  "red",   "house", "lemonade", "sea"};
  std::size_t at = 0;
  for (std::uint32_t& value : values) {
    value = random.below(10'000'000) >> random.below(20);
    std::array<char, 12> digits;
    std::size_t count = 0;
    for (std::uint32_t left = value; left > 0 || count == 0; left /= 10)
      digits[count++] = static_cast<char>('0' + left % 10);
    while (count > 0) text[at++] = digits[--count];
    text[at++] = ',';
    for (const std::string_view word : {names[random.below(8)], names[random.below(8)]}) {
      std::copy(word.begin(), word.end(), &text[at]);
      at += word.size();
      text[at++] = '-';
    }
    text[at - 1] = '\n';
  }
  text.resize(at);
}

/// How many lines there are, in pieces of 4 KiB: bytes that vectors compare.
CORPUS_REGION void count_lines(const Text& text, Numbers& lines) {
#pragma omp parallel for
  for (std::size_t piece = 0; piece < lines.size() - 1; ++piece) {
    std::uint32_t count = 0;
    for (std::size_t i = piece * 4096; i < std::min(text.size(), (piece + 1) * 4096); ++i) count += text[i] == '\n';
    lines[piece + 1] = count;
  }
}

CORPUS_REGION void find_lines(const Text& text, const Numbers& before, Numbers& start) {
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t piece = 0; piece < before.size() - 1; ++piece) {
    std::uint32_t line = before[piece];
    for (std::size_t i = piece * 4096; i < std::min(text.size(), (piece + 1) * 4096); ++i)
      if (text[i] == '\n') start[++line] = static_cast<std::uint32_t>(i + 1);
  }
}

CORPUS_REGION void parse_numbers(const Text& text, const Numbers& start, Numbers& values) {
#pragma omp parallel for
  for (std::size_t line = 0; line < values.size(); ++line) {
    std::uint32_t value = 0;
    for (std::size_t i = start[line]; text[i] != ','; ++i)
      value = 10 * value + static_cast<std::uint32_t>(text[i] - '0');
    values[line] = value;
  }
}

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Three bytes to four.
CORPUS_REGION void encode(const Text& text, Text& out) {
#pragma omp parallel for
  for (std::size_t i = 0; i < text.size() / 3; ++i) {
    const auto byte = [&](std::size_t k) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(text[3 * i + k]));
    };
    const std::uint32_t bits = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (std::size_t k = 0; k < 4; ++k) out[4 * i + k] = alphabet[bits >> (18 - 6 * k) & 63];
  }
}

CORPUS_REGION void decode(const Text& text, Text& out) {
  std::array<std::uint8_t, 256> value{};
  for (std::uint8_t k = 0; k < 64; ++k) value[static_cast<unsigned char>(alphabet[k])] = k;
#pragma omp parallel for
  for (std::size_t i = 0; i < text.size() / 4; ++i) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 4; ++k) bits = bits << 6 | value[static_cast<unsigned char>(text[4 * i + k])];
    for (std::size_t k = 0; k < 3; ++k) out[3 * i + k] = static_cast<char>(bits >> (16 - 8 * k));
  }
}

/// A tree of brackets, strings and numbers, of random shape.
CORPUS_REGION void write_tree(Text& text, corpus::Random& random) {
  constexpr std::array<std::string_view, 6> leaves{"17,", "\"a\\\"b[\",", "true,", "\"zwölf\",", "-3.5,", "\"€ {\","};
  std::size_t at = 0, depth = 0;
  while (at + 96 < text.size()) {
    const std::uint32_t choice = random.below(9);
    if (choice == 0 && depth < 30) {
      text[at++] = '[', ++depth;
    } else if (choice == 1 && depth > 0) {
      text[at++] = ']', text[at++] = ',', --depth;
    } else {
      at = static_cast<std::size_t>(std::copy(leaves[choice % 6].begin(), leaves[choice % 6].end(), &text[at]) -
                                    text.data());
    }
  }
  for (; depth > 0; --depth) text[at++] = ']';
  text.resize(at);
}

/// Places of what has a meaning: brackets, commas and quotes outside of strings.
CORPUS_REGION std::size_t find_structure(const Text& text, Numbers& places) {
  std::size_t count = 0;
  bool inside = false, escaped = false;
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool quote = c == '"' && !escaped;
    places[count] = i;
    count += quote || (!inside && (c == '[' || c == ']' || c == ','));
    inside = inside != quote;
    escaped = c == '\\' && !escaped;
  }
  return count;
}

/// For each opening bracket where it is closed, by a stack; how many are.
CORPUS_REGION std::size_t match(const Text& text, const Numbers& places, std::size_t count, Numbers& partner) {
  std::size_t pairs = 0;
  Numbers stack;
  for (std::uint32_t p = 0; p < count; ++p) {
    if (text[places[p]] == '[') stack.push_back(p);
    if (text[places[p]] != ']' || stack.empty()) continue;
    partner[p] = stack.back(), partner[stack.back()] = p;
    stack.pop_back();
    ++pairs;
  }
  return stack.empty() ? pairs : 0;
}

/// Letters of UTF-8, and whether each has as many bytes as its first one says.
CORPUS_REGION std::size_t count_letters(const Text& text) {
  std::size_t letters = 0;
  for (std::size_t i = 0; i < text.size(); ++letters) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    for (std::size_t k = 1; k < length; ++k)
      if (i + k >= text.size() || (static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return 0;
    i += length;
  }
  return letters;
}

CORPUS_REGION std::size_t count_following(const Text& text) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t i = 0; i < text.size(); ++i) count += (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
  return count;
}

/// An automaton for several words at once: for each state and letter the next state; how many words end there.
struct Automaton {
  std::vector<std::array<std::uint16_t, 256>> next{1};
  std::vector<std::uint16_t> ends{0};
};

Automaton automaton(const std::vector<std::string_view>& words) {
  Automaton a;
  for (const std::string_view word : words) {
    std::size_t state = 0;
    for (const char c : word) {
      std::uint16_t& to = a.next[state][static_cast<unsigned char>(c)];
      state = to != 0 ? to : to = static_cast<std::uint16_t>(a.next.size());
      if (state == a.next.size()) a.next.emplace_back(), a.ends.push_back(0);
    }
    ++a.ends[state];
  }
  std::vector<std::size_t> fall(a.next.size()), queue{0};
  for (std::size_t q = 0; q < queue.size(); ++q)
    for (std::size_t c = 0; c < 256; ++c) {
      std::uint16_t& to = a.next[queue[q]][c];
      const std::uint16_t other = queue[q] == 0 ? std::uint16_t{0} : a.next[fall[queue[q]]][c];
      if (to == 0) {
        to = other;
        continue;
      }
      fall[to] = other;
      a.ends[to] = static_cast<std::uint16_t>(a.ends[to] + a.ends[other]);
      queue.push_back(to);
    }
  return a;
}

/// All words in one pass; each lane begins a bit early in its piece.
CORPUS_REGION std::size_t run_automaton(const Automaton& a, const Text& text) {
  constexpr std::size_t piece = 1 << 14, early = 16;
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found) schedule(dynamic, 1)
  for (std::size_t start = 0; start < text.size(); start += piece) {
    std::size_t state = 0;
    for (std::size_t i = start < early ? 0 : start - early; i < std::min(text.size(), start + piece); ++i) {
      state = a.next[state][static_cast<unsigned char>(text[i])];
      if (i >= start) found += a.ends[state];
    }
  }
  return found;
}

/// From the end of the word, and on by as much as the last letter allows.
CORPUS_REGION std::size_t skip_and_find(const Text& text, std::string_view word) {
  std::array<std::size_t, 256> skip;
  skip.fill(word.size());
  for (std::size_t k = 0; k + 1 < word.size(); ++k) skip[static_cast<unsigned char>(word[k])] = word.size() - 1 - k;
  std::size_t found = 0;
  for (std::size_t i = 0; i + word.size() <= text.size();
       i += skip[static_cast<unsigned char>(text[i + word.size() - 1])])
    found += std::equal(word.rbegin(), word.rend(), std::string_view(text).substr(i, word.size()).rbegin());
  return found;
}

/// A hash of the last letters rolls along.
CORPUS_REGION std::size_t roll_and_find(const Text& text, std::string_view word) {
  std::uint32_t wanted = 0, rolling = 0, power = 1;
  for (const char c : word) wanted = wanted * 257 + static_cast<unsigned char>(c), power *= 257;
  std::size_t found = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    rolling = rolling * 257 + static_cast<unsigned char>(text[i]);
    if (i >= word.size()) rolling -= power * static_cast<unsigned char>(text[i - word.size()]);
    if (i + 1 >= word.size() && rolling == wanted) found += text.compare(i + 1 - word.size(), word.size(), word) == 0;
  }
  return found;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const std::size_t rows = input.pick<std::size_t>(50'000, 84'000);
  Numbers values(rows), parsed(rows), start(rows + 1);
  Text table(rows * 28, ' ');
  write_table(table, values, random);
  Numbers lines(table.size() / 4096 + 2);
  count_lines(table, lines);
  std::partial_sum(lines.begin(), lines.end(), lines.begin());
  find_lines(table, lines, start);
  parse_numbers(table, start, parsed);
  bool right = lines.back() == rows && parsed == values;
  Text encoded(table.size() / 3 * 4, ' '), decoded(table.size(), ' ');
  encode(table, encoded);
  decode(encoded, decoded);
  table.resize(table.size() / 3 * 3);
  decoded.resize(table.size());
  right = right && table == decoded;
  const std::size_t lemons = skip_and_find(table, "lemon"), houses = skip_and_find(table, "house");
  right = right && lemons == roll_and_find(table, "lemon") &&
          run_automaton(automaton({"lemon", "house"}), table) == lemons + houses;
  Text tree(input.pick<std::size_t>(300'000, 500'000), ' ');
  write_tree(tree, random);
  Numbers places(tree.size()), partner(tree.size());
  const std::size_t count = find_structure(tree, places), pairs = match(tree, places, count, partner);
  right = right && pairs > 0 && count_letters(tree) + count_following(tree) == tree.size();
  return {.checksum = static_cast<double>(lemons + houses + pairs), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
