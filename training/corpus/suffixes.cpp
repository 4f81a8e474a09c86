// Indices of all suffixes of a genome: sorted by doubling and checked by their neighbours, common prefixes, Burrows and
// Wheeler's transform with counts at steps, searches backwards one by one and many at once, by halving; places of
// what is found, repeats as intervals, shortest unique words.
// Source: Manber, Myers, SIAM J. Computing 22, 1993; Kasai et al., CPM 2001; Ferragina, Manzini, FOCS 2000; Abouelhoda,
// Kurtz, Ohlebusch, J. Discrete Algorithms 2, 2004 (intervals); Li, Homer, Briefings in Bioinformatics 11, 2010.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Index = std::uint32_t;
using Indices = std::vector<Index>;
using Letters = std::vector<std::uint8_t>;  // 1 to 4; 0 ends the text

CORPUS_REGION Letters make_text(std::size_t size, corpus::Random& random) {
  Letters text(size);
  for (std::size_t i = 0; i + 1 < size; ++i) {
    const bool copied = i > 4'000 && i / 700 % 3 == 0;  // some stretches were there before
    text[i] = copied ? text[i - 3'500] : static_cast<std::uint8_t>(1 + random.below(4));
  }
  return text;
}

/// Six letters in one number.
CORPUS_REGION void first_keys(const Letters& text, Indices& key) {
#pragma omp parallel for
  for (std::size_t i = 0; i < text.size(); ++i) {
    Index word = 0;
    for (std::size_t k = i; k < i + 6; ++k) word = word * 5 + (k < text.size() ? text[k] : 0);
    key[i] = word;
  }
}

/// By counting, stable: suffixes in the order of in, after their keys at a distance; beyond the end is smallest.
CORPUS_REGION void sort_by_key(const Indices& in, const Indices& key, std::size_t distance, Indices& next,
                               Indices& out) {
  const auto key_of = [&](Index i) { return i + distance < key.size() ? key[i + distance] + 1 : 0; };
  std::fill(next.begin(), next.end(), 0u);
  for (const Index i : in) ++next[key_of(i) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const Index i : in) out[next[key_of(i)]++] = i;
}

/// New ranks: a suffix differs from the one before it if one of the two keys does. Returns how many ranks there are.
CORPUS_REGION Index rerank(const Indices& order, const Indices& key, std::size_t distance, Indices& rank) {
  const auto second = [&](Index i) { return i + distance < key.size() ? key[i + distance] + 1 : 0; };
  Index count = 0;
  rank[order[0]] = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    count += key[order[i]] != key[order[i - 1]] || second(order[i]) != second(order[i - 1]);
    rank[order[i]] = count;
  }
  return count + 1;
}

struct Suffixes {
  Indices order, rank;
};

Suffixes sort_suffixes(const Letters& text) {
  const std::size_t n = text.size();
  Suffixes s{Indices(n), Indices(n)};
  Indices key(n), other(n), next(std::max<std::size_t>(n, 15'625) + 3);
  std::iota(other.begin(), other.end(), 0u);
  first_keys(text, key);
  sort_by_key(other, key, 0, next, s.order);
  Index count = rerank(s.order, key, 0, s.rank);
  for (std::size_t distance = 6; count < n; distance *= 2) {
    key.swap(s.rank);
    sort_by_key(s.order, key, distance, next, other);
    sort_by_key(other, key, 0, next, s.order);
    count = rerank(s.order, key, distance, s.rank);
  }
  return s;
}

/// Is each suffix smaller than the next one? By the first letter and the rank of the rest.
CORPUS_REGION bool sorted(const Letters& text, const Suffixes& s) {
  std::size_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (std::size_t i = 1; i < text.size(); ++i) {
    const Index a = s.order[i - 1], b = s.order[i];
    wrong += text[a] > text[b] || (text[a] == text[b] && s.rank[a + 1] >= s.rank[b + 1]);
  }
  return wrong == 0;
}

/// Lengths of prefixes in common with the suffix before, in the order of the text (Kasai).
CORPUS_REGION void common_prefixes(const Letters& text, const Suffixes& s, Indices& common) {
  for (std::size_t i = 0, length = 0; i + 1 < text.size(); ++i) {
    const std::size_t j = s.order[s.rank[i] - 1];
    while (text[i + length] == text[j + length] && text[i + length] != 0) ++length;
    common[s.rank[i]] = static_cast<Index>(length);
    if (length > 0) --length;
  }
}

/// The same in the order of the suffixes, at most 64 letters.
CORPUS_REGION std::size_t compare_prefixes(const Letters& text, const Suffixes& s, const Indices& common) {
  std::size_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (std::size_t i = 1; i < text.size(); ++i) {
    Index length = 0;
    while (length < 64 && text[s.order[i] + length] == text[s.order[i - 1] + length]) ++length;
    wrong += length != std::min<Index>(64, common[i]);
  }
  return wrong;
}

/// The letter before each suffix.
CORPUS_REGION void transform(const Letters& text, const Indices& order, Letters& last) {
#pragma omp parallel for
  for (std::size_t i = 0; i < order.size(); ++i) last[i] = text[(order[i] + text.size() - 1) % text.size()];
}

/// 128 letters as bits of two planes and marks of the end, with how often each letter came before.
struct Piece {
  std::array<Index, 5> before;
  Index end;
  std::array<std::uint64_t, 2> low, high;
};

struct Searcher {
  std::array<Index, 6> begin{};
  std::vector<Piece> pieces;

  Index count(std::uint8_t letter, Index place) const {
    const Piece& piece = pieces[place / 128];
    Index sum = piece.before[letter];
    for (Index word = 0, left = place % 128; word < 2 && left > 0; ++word) {
      const Index bits = std::min<Index>(64, left);
      const std::uint64_t low = (letter - 1) & 1 ? piece.low[word] : ~piece.low[word];
      const std::uint64_t high = (letter - 1) & 2 ? piece.high[word] : ~piece.high[word];
      std::uint64_t same = low & high & (bits == 64 ? ~0ull : (1ull << bits) - 1);
      if (piece.end / 64 == word) same &= ~(1ull << piece.end % 64);
      sum += static_cast<Index>(std::popcount(same));
      left -= bits;
    }
    return sum;
  }
};

CORPUS_REGION void fill_planes(const Letters& last, std::vector<Piece>& pieces) {
#pragma omp parallel for
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    pieces[p].end = 128;
    for (std::size_t i = p * 128; i < std::min(last.size(), p * 128 + 128); ++i) {
      if (last[i] == 0) pieces[p].end = static_cast<Index>(i % 128);
      const std::uint64_t code = last[i] == 0 ? 0u : last[i] - 1u;
      pieces[p].low[i / 64 % 2] |= (code & 1) << i % 64;
      pieces[p].high[i / 64 % 2] |= (code >> 1) << i % 64;
    }
  }
}

CORPUS_REGION void count_letters(const Letters& last, Searcher& s) {
  std::array<Index, 5> sum{};
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (i % 128 == 0) s.pieces[i / 128].before = sum;
    ++sum[last[i]];
  }
  std::partial_sum(sum.begin(), sum.end(), s.begin.begin() + 1);
}

struct Range {
  Index begin, end;
};
constexpr std::size_t width = 16;

/// Words that are searched: half of them from the text.
CORPUS_REGION void make_words(const Letters& text, std::uint64_t seed, Letters& words) {
#pragma omp parallel for
  for (std::size_t w = 0; w < words.size() / width; ++w) {
    const std::size_t from = corpus::random_bits(seed, w) % (text.size() - width);
    for (std::size_t i = 0; i < width; ++i)
      words[w * width + i] = w % 2 ? text[from + i] : static_cast<std::uint8_t>(1 + corpus::random_bits(w, i) % 4);
  }
}

/// From the last letter to the first; a word after the other.
CORPUS_REGION void search_backwards(const Searcher& s, const Letters& words, std::vector<Range>& found) {
#pragma omp parallel for
  for (std::size_t w = 0; w < found.size(); ++w) {
    Range range{0, s.begin[5]};
    for (std::size_t i = width; i-- > 0 && range.begin < range.end;) {
      const std::uint8_t letter = words[w * width + i];
      range = {s.begin[letter] + s.count(letter, range.begin), s.begin[letter] + s.count(letter, range.end)};
    }
    found[w] = range;
  }
}

/// A letter of every word, then the next: misses of many words at once.
CORPUS_REGION void search_step(const Searcher& s, const Letters& words, std::size_t i, std::vector<Range>& found) {
#pragma omp parallel for
  for (std::size_t w = 0; w < found.size(); ++w) {
    if (found[w].begin >= found[w].end) continue;
    const std::uint8_t letter = words[w * width + i];
    found[w] = {s.begin[letter] + s.count(letter, found[w].begin), s.begin[letter] + s.count(letter, found[w].end)};
  }
}

/// By halving in the sorted suffixes, with the text.
CORPUS_REGION std::size_t search_by_halves(const Letters& text, const Indices& order, const Letters& words,
                                           const std::vector<Range>& found) {
  std::size_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (std::size_t w = 0; w < found.size(); ++w) {
    const std::uint8_t* const word = &words[w * width];
    const auto first = std::lower_bound(order.begin(), order.end(), word, [&](Index a, const std::uint8_t* b) {
      const std::size_t length = std::min(width, text.size() - a);
      const int differ = std::memcmp(&text[a], b, length);
      return differ < 0 || (differ == 0 && length < width);
    });
    const bool here = first != order.end() && *first + width <= text.size() && !std::memcmp(&text[*first], word, width);
    wrong += here != (found[w].begin < found[w].end);
    wrong += here && found[w].begin != static_cast<Index>(first - order.begin());
  }
  return wrong;
}

/// Places of the first suffixes of each range, when only every fourth place of the text is kept: steps back until one.
CORPUS_REGION std::size_t locate(const Searcher& s, const Letters& last, const Indices& kept,
                                 const std::vector<Range>& found) {
  std::size_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t w = 0; w < found.size(); ++w) {
    if (found[w].begin >= found[w].end) continue;
    Index at = found[w].begin, steps = 0;
    for (; kept[at] == ~0u; ++steps) at = s.begin[last[at]] + s.count(last[at], at);
    sum += kept[at] + steps;
  }
  return sum;
}

CORPUS_REGION void keep_places(const Indices& order, Indices& kept) {
#pragma omp parallel for
  for (std::size_t i = 0; i < order.size(); ++i) kept[i] = order[i] % 4 == 0 ? order[i] : ~0u;
}

/// The text again, from its end, one dependent step a letter.
CORPUS_REGION bool invert(const Searcher& s, const Letters& last, const Letters& text) {
  Index at = 0;
  std::size_t wrong = 0;
  for (std::size_t i = text.size() - 1; i-- > 0;) {
    wrong += last[at] != text[i];
    at = s.begin[last[at]] + s.count(last[at], at);
  }
  return wrong == 0;
}

/// Intervals of suffixes with a common prefix, by a stack: the sum of length times number, for repeats of 20 letters.
CORPUS_REGION std::uint64_t repeats(const Indices& common) {
  std::vector<std::array<Index, 2>> stack{{0, 0}};  // length, first suffix
  std::uint64_t sum = 0;
  for (Index i = 1; i < common.size(); ++i) {
    Index first = i - 1;
    while (stack.back()[0] > common[i]) {
      first = stack.back()[1];
      if (stack.back()[0] >= 20) sum += std::uint64_t{stack.back()[0]} * (i - first);
      stack.pop_back();
    }
    if (stack.back()[0] < common[i]) stack.push_back({common[i], first});
  }
  return sum;
}

/// The shortest word at each place that is nowhere else.
CORPUS_REGION std::uint64_t shortest_unique(const Suffixes& s, const Indices& common, Indices& unique) {
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < unique.size(); ++i) {
    const Index rank = s.rank[i];
    unique[i] = 1 + std::max(common[rank], rank + 1 < common.size() ? common[rank + 1] : 0);
    sum += unique[i];
  }
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Letters text = make_text(input.pick<std::size_t>(90'000, 150'000), random);
  const std::size_t n = text.size();
  const Suffixes s = sort_suffixes(text);
  Indices common(n), kept(n), unique(n);
  common_prefixes(text, s, common);
  bool right = sorted(text, s) && compare_prefixes(text, s, common) == 0;
  Letters last(n), words(input.pick<std::size_t>(4'000, 6'000) * width);
  transform(text, s.order, last);
  Searcher searcher{{}, std::vector<Piece>(n / 128 + 1)};
  fill_planes(last, searcher.pieces);
  count_letters(last, searcher);
  make_words(text, input.seed, words);
  std::vector<Range> found(words.size() / width), stepped(found.size(), Range{0, static_cast<Index>(n)});
  search_backwards(searcher, words, found);
  for (std::size_t i = width; i-- > 0;) search_step(searcher, words, i, stepped);
  right = right && search_by_halves(text, s.order, words, found) == 0 && invert(searcher, last, text);
  for (std::size_t w = 1; w < found.size(); w += 2) right = right && stepped[w].end == found[w].end;
  keep_places(s.order, kept);
  const std::size_t places = locate(searcher, last, kept, found);
  const std::uint64_t sum = places + repeats(common) + shortest_unique(s, common, unique);
  return {.checksum = static_cast<double>(sum), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
