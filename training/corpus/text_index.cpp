// Searching a collection of texts: an inverted index, its compression by bytes, intersection by merging, by galloping
// and by bitmaps, ranking term by term and text by text, phrases, pairs of words.
// Source: Manning, Raghavan, Schuetze, Introduction to Information Retrieval, 2008; Turtle, Flood, Inf. Proc.
// Management 31(6), 1995 (ranking); Bentley, Yao, Inf. Proc. Letters 5(3), 1976 (galloping); Chambi et al., Software:
// Practice and Experience 46(5), 2016 (bitmaps).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Numbers = std::vector<std::uint32_t>;
using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint64_t>;

constexpr std::size_t length = 64, vocabulary = 1 << 14;  // words of a text, and different ones

struct Posting {
  std::uint32_t text, place;  ///< place in the text
};

struct Index {
  Numbers start = Numbers(vocabulary + 2);
  std::vector<Posting> postings;
};

/// Words have a distribution like that of a language.
CORPUS_REGION void write_texts(Numbers& texts, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const double u = corpus::random_real(seed, i);
    texts[i] = static_cast<std::uint32_t>(std::exp2(14 * u)) - 1;
  }
}

CORPUS_REGION void count_words(const Numbers& texts, Index& index) {
  for (const std::uint32_t word : texts) ++index.start[word + 2];
  std::partial_sum(index.start.begin(), index.start.end(), index.start.begin());
}

CORPUS_REGION void fill_index(const Numbers& texts, Index& index) {
  for (std::uint32_t i = 0; i < texts.size(); ++i)
    index.postings[index.start[texts[i] + 1]++] = {i / std::uint32_t{length}, i % std::uint32_t{length}};
}

/// Differences of the texts' numbers, seven bits a byte; where each word's begin.
CORPUS_REGION std::size_t compress(const Index& index, Numbers& begin, Bytes& bytes) {
  std::size_t at = 0;
  for (std::size_t word = 0; word < vocabulary; ++word) {
    begin[word] = static_cast<std::uint32_t>(at);
    std::uint32_t last = 0;
    for (std::size_t p = index.start[word]; p < index.start[word + 1]; ++p) {
      std::uint32_t difference = index.postings[p].text - last;
      last = index.postings[p].text;
      for (; difference > 127; difference >>= 7) bytes[at++] = static_cast<std::uint8_t>(difference | 128);
      bytes[at++] = static_cast<std::uint8_t>(difference);
    }
  }
  begin[vocabulary] = static_cast<std::uint32_t>(at);
  return at;
}

CORPUS_REGION void decompress(const Index& index, const Numbers& begin, const Bytes& bytes, Numbers& texts) {
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t word = 0; word < vocabulary; ++word) {
    std::uint32_t last = 0;
    std::size_t at = begin[word];
    for (std::size_t p = index.start[word]; p < index.start[word + 1]; ++p) {
      std::uint32_t difference = 0;
      unsigned shift = 0;
      for (; bytes[at] > 127; ++at, shift += 7) difference |= (bytes[at] & 127u) << shift;
      difference |= std::uint32_t{bytes[at++]} << shift;
      texts[p] = last += difference;
    }
  }
}

CORPUS_REGION std::size_t wrong_texts(const Index& index, const Numbers& texts) {
  std::size_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (std::size_t p = 0; p < texts.size(); ++p) wrong += texts[p] != index.postings[p].text;
  return wrong;
}

/// Texts with both words: step by step through both lists. Pairs of frequent words.
CORPUS_REGION std::size_t intersect(const Index& index, const Numbers& texts, std::size_t pairs) {
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found) schedule(dynamic, 1)
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    std::size_t a = index.start[pair], b = index.start[pair + 7];
    const std::size_t a_end = index.start[pair + 1], b_end = index.start[pair + 8];
    while (a < a_end && b < b_end) {
      const std::uint32_t x = texts[a], y = texts[b];
      if (x == y && (a + 1 == a_end || texts[a + 1] != x)) ++found;
      a += x <= y;
      b += y < x || (x == y && a < a_end && texts[a] != x);
    }
  }
  return found;
}

/// A rare word's texts are looked for in a frequent one's: in steps that double, then by halves.
CORPUS_REGION std::size_t gallop(const Index& index, const Numbers& texts, std::size_t pairs) {
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found) schedule(dynamic, 16)
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const std::size_t rare = 500 + pair * 3;
    auto at = texts.begin() + index.start[pair % 16];
    const auto end = texts.begin() + index.start[pair % 16 + 1];
    for (std::size_t p = index.start[rare]; p < index.start[rare + 1] && at < end; ++p) {
      std::ptrdiff_t step = 1;
      while (step < end - at && at[step] < texts[p]) step *= 2;
      at = std::lower_bound(at, at + std::min(step + 1, end - at), texts[p]);
      found += at < end && *at == texts[p];
    }
  }
  return found;
}

/// A bit for each text, of each of the most frequent words.
CORPUS_REGION void make_bitmaps(const Index& index, const Numbers& texts, std::size_t size, Words& maps) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t word = 0; word < maps.size() / size; ++word)
    for (std::size_t p = index.start[word]; p < index.start[word + 1]; ++p)
      maps[word * size + texts[p] / 64] |= std::uint64_t{1} << texts[p] % 64;
}

CORPUS_REGION std::size_t intersect_bitmaps(const Words& maps, std::size_t size, std::size_t pairs) {
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found) schedule(static, 1)
  for (std::size_t pair = 0; pair < pairs; ++pair)
    for (std::size_t k = 0; k < size; ++k)
      found += static_cast<std::size_t>(std::popcount(maps[pair * size + k] & maps[(pair + 7) * size + k]));
  return found;
}

float weight(const Index& index, std::size_t word, std::size_t texts) {
  return std::log(static_cast<float>(texts) / static_cast<float>(index.start[word + 1] - index.start[word] + 1));
}

using Question = std::array<std::uint32_t, 3>;

/// Term by term: scores of all texts, added to; a lane to each question.
CORPUS_REGION void rank_terms(const Index& index, const std::vector<Question>& questions, std::size_t texts,
                              std::vector<float>& scores) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t q = 0; q < questions.size(); ++q)
    for (const std::uint32_t word : questions[q]) {
      const float w = weight(index, word, texts);
      for (std::size_t p = index.start[word]; p < index.start[word + 1]; ++p) {
        float& score = scores[q * texts + index.postings[p].text];
        score += w / (1 + score);
      }
    }
}

CORPUS_REGION void best_texts(const std::vector<float>& scores, std::size_t texts, Numbers& best) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t q = 0; q < best.size(); ++q)
    best[q] =
        static_cast<std::uint32_t>(std::max_element(scores.begin() + static_cast<std::ptrdiff_t>(q * texts),
                                                    scores.begin() + static_cast<std::ptrdiff_t>((q + 1) * texts)) -
                                   scores.begin() - static_cast<std::ptrdiff_t>(q * texts));
}

/// Text by text: three lists are merged, and only the best is kept.
CORPUS_REGION void rank_texts(const Index& index, const std::vector<Question>& questions, std::size_t texts,
                              Numbers& best) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t q = 0; q < questions.size(); ++q) {
    Question at, end;
    for (std::size_t k = 0; k < 3; ++k) at[k] = index.start[questions[q][k]], end[k] = index.start[questions[q][k] + 1];
    float most = 0;
    for (;;) {
      std::uint32_t text = ~0u;
      for (std::size_t k = 0; k < 3; ++k)
        if (at[k] < end[k]) text = std::min(text, index.postings[at[k]].text);
      if (text == ~0u) break;
      float score = 0;
      for (std::size_t k = 0; k < 3; ++k)
        for (; at[k] < end[k] && index.postings[at[k]].text == text; ++at[k])
          score += weight(index, questions[q][k], texts) / (1 + score);
      if (score > most) most = score, best[q] = text;
    }
  }
}

/// Where one word follows another: postings of both, by text and place.
CORPUS_REGION std::size_t phrases(const Index& index, std::size_t pairs) {
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found) schedule(dynamic, 4)
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    std::size_t b = index.start[pair + 1];
    for (std::size_t a = index.start[pair]; a < index.start[pair + 1]; ++a) {
      const auto [text, place] = index.postings[a];
      while (b < index.start[pair + 2] &&
             index.postings[b].text * length + index.postings[b].place < text * length + place + 1)
        ++b;
      found += b < index.start[pair + 2] && index.postings[b].text == text && index.postings[b].place == place + 1;
    }
  }
  return found;
}

/// The same number, from the texts.
CORPUS_REGION std::size_t phrases_in(const Numbers& texts, std::size_t pairs) {
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found)
  for (std::size_t i = 1; i < texts.size(); ++i)
    found += i % length != 0 && texts[i] == texts[i - 1] + 1 && texts[i - 1] < pairs;
  return found;
}

/// How often words stand side by side, in a hash table.
CORPUS_REGION std::size_t count_pairs(const Numbers& texts, Words& table) {
  std::size_t different = 0;
  for (std::size_t i = 1; i < texts.size(); ++i) {
    const std::uint64_t pair = std::uint64_t{texts[i - 1]} << 14 | texts[i];
    std::size_t slot = pair * 0x9e3779b97f4a7c15 >> 30 & (table.size() - 1);
    while (table[slot] != 0 && table[slot] >> 24 != pair) slot = (slot + 1) & (table.size() - 1);
    different += table[slot] == 0;
    table[slot] = (pair << 24 | (table[slot] & 0xffffff)) + 1;
  }
  return different;
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t count = input.pick<std::size_t>(2'560, 4'096), n = count * length;
  Numbers texts(n), begin(vocabulary + 1), decoded(n);
  write_texts(texts, input.seed);
  Index index;
  index.postings.resize(n);
  count_words(texts, index);
  fill_index(texts, index);
  Bytes bytes(3 * n);
  const std::size_t size = compress(index, begin, bytes);
  decompress(index, begin, bytes, decoded);
  bool right = wrong_texts(index, decoded) == 0;
  constexpr std::size_t pairs = 240;
  Words maps((pairs + 7) * (count / 64)), table(1 << 19);
  make_bitmaps(index, decoded, count / 64, maps);
  const std::size_t both = intersect(index, decoded, pairs);
  right = right && both == intersect_bitmaps(maps, count / 64, pairs);
  std::vector<Question> questions(96);
  for (std::uint32_t q = 0; q < questions.size(); ++q) questions[q] = {q % 5, q + 9, 2 * q + 200};
  std::vector<float> scores(questions.size() * count);
  Numbers by_terms(questions.size()), by_texts(questions.size());
  rank_terms(index, questions, count, scores);
  best_texts(scores, count, by_terms);
  rank_texts(index, questions, count, by_texts);
  std::size_t same = 0;
  for (std::size_t q = 0; q < questions.size(); ++q) same += by_terms[q] == by_texts[q];
  right = right && same == questions.size() && phrases(index, 8'000) == phrases_in(texts, 8'000);
  const std::size_t different = count_pairs(texts, table);
  return {.checksum = static_cast<double>(size + both + gallop(index, decoded, 4'000) + different), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
