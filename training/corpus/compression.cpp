// Compression, each lane a block of its own: histograms, Huffman's code and its bits, LZ77 by a table of hashes, move
// to front; of one block Burrows and Wheeler's transform by prefix doubling; deltas in variable bytes, CRC-32. Source:
// Salomon and Motta, Handbook of Data Compression, 5th edition; Deutsch, RFC 1951; Burrows and Wheeler, SRC 124, 1994.
#include <algorithm>
#include <array>
#include <numeric>
#include <queue>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr int problems = 12;

/// Words of a small vocabulary with some changed letters.
CORPUS_REGION void write_text(Bytes& text, corpus::Random random) {
  Bytes words(64 * 16);
  for (std::uint8_t& letter : words) letter = static_cast<std::uint8_t>(random.below(16) + random.below(16) + 'a');
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t word = random.below(64) * 16, length = 3 + random.below(13);
    for (std::size_t k = 0; k < length && i < text.size(); ++k, ++i)
      text[i] = random.below(30) == 0 ? static_cast<std::uint8_t>(random.below(256)) : words[word + k];
  }
}

CORPUS_REGION std::array<std::uint32_t, 256> histogram(const Bytes& text) {
  std::array<std::uint32_t, 256> count{};
  for (const std::uint8_t letter : text) ++count[letter];
  return count;
}

/// Lengths of the code words; canonical codes follow from them.
std::array<std::uint8_t, 256> code_lengths(const std::array<std::uint32_t, 256>& count) {
  using Node = std::pair<std::uint32_t, std::uint32_t>;
  std::priority_queue<Node, std::vector<Node>, std::greater<>> queue;
  std::vector<std::uint32_t> parent(512);
  for (std::uint32_t letter = 0; letter < 256; ++letter) queue.push({count[letter] + 1, letter});
  for (std::uint32_t node = 256; queue.size() > 1; ++node) {
    const Node a = queue.top();
    queue.pop();
    const Node b = queue.top();
    queue.pop();
    parent[a.second] = parent[b.second] = node;
    queue.push({a.first + b.first, node});
  }
  std::array<std::uint8_t, 256> length{};
  for (std::uint32_t letter = 0; letter < 256; ++letter)
    for (std::uint32_t node = letter; node != 510; node = parent[node]) ++length[letter];
  return length;
}

struct Code {
  std::uint32_t bits, length;
};

/// Canonical codes: shorter ones first, letters of one length in their order.
std::array<Code, 256> canonical(const std::array<std::uint8_t, 256>& length) {
  std::array<Code, 256> code{};
  std::uint32_t next = 0;
  for (std::uint32_t bits = 1; bits < 32; ++bits, next <<= 1)
    for (std::size_t letter = 0; letter < 256; ++letter)
      if (length[letter] == bits) code[letter] = {next++, bits};
  return code;
}

CORPUS_REGION std::size_t write_bits(const Bytes& text, const std::array<Code, 256>& code, Bytes& out) {
  std::uint64_t bits = 0;
  unsigned held = 0;
  std::size_t bytes = 0;
  for (const std::uint8_t letter : text) {
    bits = bits << code[letter].length | code[letter].bits;
    for (held += code[letter].length; held >= 8; held -= 8)
      out[bytes++] = static_cast<std::uint8_t>(bits >> (held - 8));
  }
  return bytes;
}

struct Match {
  std::uint16_t distance;
  std::uint8_t length, letter;
};

/// Chains of places with the same hash of three letters, at most 8 of them tried.
CORPUS_REGION void find_matches(const Bytes& text, std::vector<std::int32_t>& head, std::vector<std::int32_t>& chain,
                                std::vector<Match>& out) {
  std::fill(head.begin(), head.end(), -1);
  const auto end = static_cast<std::int32_t>(text.size()) - 260;
  for (std::int32_t at = 0; at < end;) {
    const std::uint8_t* const here = text.data() + at;
    const std::uint32_t hash =
        (here[0] | here[1] << 8u | static_cast<std::uint32_t>(here[2]) << 16) * 2654435761u >> 19;
    std::int32_t best = 0, from = 0, place = head[hash];
    for (int tries = 0; tries < 8 && place >= 0 && at - place < 65536;
         ++tries, place = chain[static_cast<std::size_t>(place)]) {
      std::int32_t length = 0;
      while (length < 255 && text[static_cast<std::size_t>(place + length)] == here[length]) ++length;
      if (length > best) best = length, from = at - place;
    }
    chain[static_cast<std::size_t>(at)] = head[hash];
    head[hash] = at;
    if (best < 4) best = from = 0;
    out.push_back({static_cast<std::uint16_t>(from), static_cast<std::uint8_t>(best), here[best]});
    at += best + 1;
  }
}

CORPUS_REGION std::size_t expand(const std::vector<Match>& matches, Bytes& out) {
  std::size_t at = 0;
  for (const Match& match : matches) {
    for (std::size_t k = 0; k < match.length; ++k, ++at) out[at] = out[at - match.distance];
    out[at++] = match.letter;
  }
  return at;
}

CORPUS_REGION std::size_t move_to_front(const Bytes& text, Bytes& out) {
  std::array<std::uint8_t, 256> order;
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  std::size_t sum = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t place = 0;
    while (order[place] != text[i]) ++place;
    out[i] = static_cast<std::uint8_t>(place);
    for (sum += place; place > 0; --place) order[place] = order[place - 1];
    order[0] = text[i];
  }
  return sum;
}

/// One doubling: suffixes with their ranks for the first and the second half, sorted by counting.
CORPUS_REGION void count_ranks(const std::vector<std::uint32_t>& order, const std::vector<std::uint32_t>& rank,
                               std::vector<std::uint32_t>& begin, std::vector<std::uint32_t>& out,
                               std::uint32_t shift) {
  const auto size = static_cast<std::uint32_t>(order.size());
  std::fill(begin.begin(), begin.end(), 0u);
  for (const std::uint32_t r : rank) ++begin[r + 1];
  for (std::size_t r = 1; r < begin.size(); ++r) begin[r] += begin[r - 1];
  for (const std::uint32_t suffix : order) {
    const std::uint32_t whole = suffix >= shift ? suffix - shift : suffix + size - shift;
    out[begin[rank[whole]]++] = whole;
  }
}

CORPUS_REGION std::uint32_t name_ranks(const std::vector<std::uint32_t>& order, const std::vector<std::uint32_t>& rank,
                                       std::uint32_t shift, std::vector<std::uint32_t>& out) {
  const auto size = static_cast<std::uint32_t>(order.size());
  std::uint32_t name = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0) {
      const std::uint32_t a = order[i - 1], b = order[i];
      name += rank[a] != rank[b] || rank[(a + shift) % size] != rank[(b + shift) % size];
    }
    out[order[i]] = name;
  }
  return name;
}

CORPUS_REGION std::uint32_t checksum(const Bytes& text, const std::array<std::uint32_t, 256>& table) {
  std::uint32_t crc = ~0u;
  for (const std::uint8_t letter : text) crc = crc >> 8 ^ table[(crc ^ letter) & 255];
  return ~crc;
}

/// Ascending numbers by their differences, seven bits a byte.
CORPUS_REGION std::size_t write_deltas(const std::vector<std::uint32_t>& numbers, Bytes& out) {
  std::size_t bytes = 0;
  std::uint32_t last = 0;
  for (const std::uint32_t number : numbers) {
    std::uint32_t delta = number - last;
    for (last = number; delta > 127; delta >>= 7) out[bytes++] = static_cast<std::uint8_t>(delta | 128);
    out[bytes++] = static_cast<std::uint8_t>(delta);
  }
  return bytes;
}

CORPUS_REGION std::size_t read_deltas(const Bytes& in, std::size_t bytes, std::vector<std::uint32_t>& numbers) {
  std::size_t count = 0;
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < bytes; ++count) {
    std::uint32_t delta = 0;
    for (int shift = 0;; shift += 7) {
      delta |= (in[i] & 127u) << shift;
      if (in[i++] < 128) break;
    }
    numbers[count] = last += delta;
  }
  return count;
}

/// Text -> matches -> text; returns whether it is the same.
bool press(const Bytes& text, Bytes& out, double& sum) {
  std::vector<std::int32_t> head(8192), chain(text.size());
  std::vector<Match> matches;
  matches.reserve(text.size());
  sum += static_cast<double>(write_bits(text, canonical(code_lengths(histogram(text))), out));
  sum += static_cast<double>(move_to_front(text, out));
  find_matches(text, head, chain, matches);
  const std::size_t length = expand(matches, out);
  return std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(length), text.begin());
}

/// The last column of the sorted rotations.
Bytes transform(const Bytes& text) {
  std::vector<std::uint32_t> order(text.size()), rank(text.begin(), text.end()), next(text.size());
  std::vector<std::uint32_t> begin(std::max<std::size_t>(text.size(), 256) + 2);
  std::iota(order.begin(), order.end(), 0u);
  count_ranks(order, rank, begin, next, 0);
  order.swap(next);
  for (std::uint32_t shift = 1; shift < 32; shift *= 2) {
    count_ranks(order, rank, begin, next, shift);
    order.swap(next);
    name_ranks(order, rank, shift, next);
    rank.swap(next);
  }
  Bytes last(text.size());
  for (std::size_t i = 0; i < order.size(); ++i) last[i] = text[(order[i] + text.size() - 1) % text.size()];
  return last;
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t length = input.pick<std::size_t>(40'000, 60'000);
  std::vector<Bytes> text(problems, Bytes(length)), out(problems, Bytes(2 * length));
  for (std::size_t i = 0; i < problems; ++i) write_text(text[i], corpus::Random(input.seed + i));
  double sum = 0;
  int wrong = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : sum, wrong)
  for (std::size_t i = 0; i < problems; ++i) wrong += !press(text[i], out[i], sum);
  const Bytes last = transform(text[0]);
  wrong += histogram(last) != histogram(text[0]);
  std::array<std::uint32_t, 256> table;
  for (std::uint32_t i = 0; i < 256; ++i) {
    table[i] = i;
    for (int k = 0; k < 8; ++k) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
  }
  corpus::Random random(input.seed);
  std::vector<std::uint32_t> numbers(3 * length), again(3 * length);
  std::uint32_t number = 0;
  for (std::uint32_t& n : numbers) n = number += random.below(7) == 0 ? random.below(20'000) : random.below(100);
  Bytes packed(9 * length);
  wrong += read_deltas(packed, write_deltas(numbers, packed), again) != numbers.size() || again != numbers;
  return {.checksum = sum + checksum(packed, table) % 1000, .right = wrong == 0};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
