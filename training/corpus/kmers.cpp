// Short words of reads of a genome: packing two bits a letter, counting by sorting, by hashing and by a filter for
// single ones, minimisers, a graph of words that follow each other and its paths without branches, assembly, alignment
// of reads by seeds, a pile of reads on the genome.
// Source: Marcais, Kingsford, Bioinformatics 27, 2011 (hashing); Deorowicz et al., Bioinformatics 31, 2015 (sorting);
// Roberts et al., Bioinformatics 20, 2004 (minimisers); Pevzner, Tang, Waterman, PNAS 98, 2001; Li, Durbin,
// Bioinformatics 25, 2009 (pairs of bits, piles).
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Letters = std::vector<std::uint8_t>;  // 0 to 3
using Words = std::vector<std::uint64_t>;
using Counts = std::vector<std::uint32_t>;
constexpr unsigned k = 21;
constexpr std::uint64_t mask = (std::uint64_t{1} << 2 * k) - 1;
constexpr std::uint64_t none = ~std::uint64_t{0};
constexpr std::size_t length = 100;  // of a read

struct Reads {
  Letters letters;
  Counts origin;
};

/// Has repeats: pieces of 500 letters that are copied from before.
CORPUS_REGION Letters make_genome(std::size_t size, corpus::Random& random) {
  Letters genome;
  while (genome.size() < size) {
    if (genome.size() > 5'000 && random.below(20) == 0) {
      const std::size_t from = random.below(genome.size() - 500);
      for (std::size_t i = 0; i < 500; ++i) genome.push_back(genome[from + i]);
    }
    for (int i = 0; i < 300; ++i) genome.push_back(static_cast<std::uint8_t>(random.below(4)));
  }
  return genome;
}

/// One letter in 200 is wrong.
CORPUS_REGION void make_reads(const Letters& genome, std::uint64_t seed, Reads& reads) {
#pragma omp parallel for
  for (std::size_t r = 0; r < reads.origin.size(); ++r) {
    reads.origin[r] = corpus::random_below(static_cast<std::uint32_t>(genome.size() - length), seed, r);
    for (std::size_t i = 0; i < length; ++i) {
      const std::uint64_t dice = corpus::random_bits(seed + 1, r * length + i);
      reads.letters[r * length + i] = (genome[reads.origin[r] + i] + (dice % 200 == 0 ? 1 + dice / 200 % 3 : 0)) & 3;
    }
  }
}

CORPUS_REGION void pack(const Letters& letters, Words& packed) {
#pragma omp parallel for
  for (std::size_t w = 0; w < packed.size(); ++w)
    for (std::size_t i = 0; i < 32; ++i) packed[w] |= std::uint64_t{letters[w * 32 + i]} << 2 * i;
}

/// How often each letter comes: bits of words.
CORPUS_REGION std::array<std::uint64_t, 4> composition(const Words& packed) {
  std::uint64_t a = 0, b = 0, both = 0;
#pragma omp parallel for reduction(+ : a, b, both)
  for (std::size_t w = 0; w < packed.size(); ++w) {
    const std::uint64_t low = packed[w] & 0x5555555555555555, high = packed[w] >> 1 & 0x5555555555555555;
    a += static_cast<std::uint64_t>(std::popcount(low)), b += static_cast<std::uint64_t>(std::popcount(high));
    both += static_cast<std::uint64_t>(std::popcount(low & high));
  }
  return {packed.size() * 32 - a - b + both, a - both, b - both, both};
}

/// All words of all reads.
CORPUS_REGION void list_words(const Letters& reads, Words& words) {
#pragma omp parallel for
  for (std::size_t r = 0; r < reads.size() / length; ++r) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < length; ++i) {
      word = (word << 2 | reads[r * length + i]) & mask;
      if (i + 1 >= k) words[r * (length - k + 1) + i + 1 - k] = word;
    }
  }
}

std::size_t slot_of(std::uint64_t word, std::size_t slots) { return corpus::random_bits(3, word) & (slots - 1); }

/// Two bits for each word: seen once, seen twice.
CORPUS_REGION std::size_t filter(const Words& words, Words& once, Words& twice) {
  std::size_t repeated = 0;
  for (const std::uint64_t word : words) {
    const std::size_t bit = slot_of(word, once.size() * 64);
    const std::uint64_t here = std::uint64_t{1} << bit % 64;
    if (once[bit / 64] & here) repeated += !(twice[bit / 64] & here), twice[bit / 64] |= here;
    once[bit / 64] |= here;
  }
  return repeated;
}

struct Table {
  Words words;
  Counts counts;
  /// Where the word is, or the free slot where it would be.
  std::size_t find(std::uint64_t word) const {
    std::size_t slot = slot_of(word, words.size());
    while (words[slot] != word && words[slot] != none) slot = (slot + 1) & (words.size() - 1);
    return slot;
  }
  std::uint32_t count(std::uint64_t word) const { return counts[find(word)]; }
};

/// Words that were seen twice, from all lanes at once: slots are claimed by exchange.
CORPUS_REGION void count_words(const Words& words, const Words& twice, Table& table) {
#pragma omp parallel for
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t bit = slot_of(words[i], twice.size() * 64);
    if (!(twice[bit / 64] >> bit % 64 & 1)) continue;
    for (std::size_t slot = slot_of(words[i], table.words.size());; slot = (slot + 1) & (table.words.size() - 1)) {
      std::atomic_ref<std::uint64_t> held(table.words[slot]);
      std::uint64_t old = held.load(std::memory_order_relaxed);
      if (old == none && held.compare_exchange_strong(old, words[i])) old = words[i];
      if (old != words[i]) continue;
      std::atomic_ref(table.counts[slot]).fetch_add(1, std::memory_order_relaxed);
      break;
    }
  }
}

/// One pass of a sort by 8 bits.
CORPUS_REGION void sort_pass(const Words& in, unsigned shift, Words& out) {
  std::array<std::size_t, 257> next{};
  for (const std::uint64_t word : in) ++next[(word >> shift & 255) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const std::uint64_t word : in) out[next[word >> shift & 255]++] = word;
}

/// Lengths of runs in the sorted list against the table's counts.
CORPUS_REGION std::size_t compare_runs(const Words& sorted, const Table& table) {
  std::size_t wrong = 0;
  for (std::size_t i = 0, end = 0; i < sorted.size(); i = end) {
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    wrong += end - i > 1 && table.count(sorted[i]) != end - i;
  }
  return wrong;
}

/// The word of the smallest hash among eleven after each other: how many different ones.
CORPUS_REGION std::size_t minimisers(const Words& words) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t block = 0; block < words.size() / 2'000; ++block) {
    std::uint64_t last = none;
    for (std::size_t i = block * 2'000; i + 11 <= (block + 1) * 2'000; ++i) {
      std::uint64_t least = none;
      for (std::size_t j = i; j < i + 11; ++j) least = std::min(least, corpus::random_bits(5, words[j]));
      count += least != last;
      last = least;
    }
  }
  return count;
}

/// Which letters can follow each word and come before it: eight bits a slot.
CORPUS_REGION void find_links(const Table& table, Letters& links) {
#pragma omp parallel for
  for (std::size_t slot = 0; slot < table.words.size(); ++slot) {
    if (table.counts[slot] < 3) continue;
    for (std::uint64_t letter = 0; letter < 4; ++letter) {
      const std::uint64_t after = (table.words[slot] << 2 | letter) & mask;
      const std::uint64_t before = table.words[slot] >> 2 | letter << 2 * (k - 1);
      links[slot] |= static_cast<std::uint8_t>((table.count(after) >= 3) << letter);
      links[slot] |= static_cast<std::uint8_t>((table.count(before) >= 3) << (letter + 4));
    }
  }
}

bool single(unsigned bits) { return std::has_single_bit(bits & 15); }

/// From every word that does not just continue another one, as far as there is one way. Returns the pieces.
CORPUS_REGION std::vector<Letters> assemble(const Table& table, const Letters& links, Letters& used) {
  std::vector<Letters> pieces;
  for (std::size_t start = 0; start < links.size(); ++start) {
    if (table.counts[start] < 3 || used[start] || single(links[start] >> 4)) continue;
    Letters piece;
    for (unsigned i = k; i-- > 0;) piece.push_back(table.words[start] >> 2 * i & 3);
    std::size_t slot = start;
    for (used[slot] = 1; single(links[slot]);) {
      const auto letter = static_cast<std::uint8_t>(std::countr_zero(links[slot]));
      slot = table.find((table.words[slot] << 2 | letter) & mask);
      if (used[slot] || !single(links[slot] >> 4)) break;
      used[slot] = 1;
      piece.push_back(letter);
    }
    pieces.push_back(piece);
  }
  return pieces;
}

/// Where each word of the genome is, the last one for repeats.
CORPUS_REGION void index_genome(const Letters& genome, Table& index) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < genome.size(); ++i) {
    word = (word << 2 | genome[i]) & mask;
    if (i + 1 < k) continue;
    const std::size_t slot = index.find(word);
    index.words[slot] = word;
    index.counts[slot] = static_cast<std::uint32_t>(i + 1 - k);
  }
}

/// Each read by its first and its middle word, checked letter by letter. Returns how many lie where they came from.
CORPUS_REGION std::size_t align(const Letters& genome, const Table& index, const Reads& reads, Counts& place) {
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found)
  for (std::size_t r = 0; r < place.size(); ++r) {
    const std::uint8_t* const read = &reads.letters[r * length];
    place[r] = ~0u;
    for (const std::size_t start : {std::size_t{0}, length / 2}) {
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < k; ++i) word = word << 2 | read[start + i];
      const std::size_t slot = index.find(word);
      if (index.words[slot] == none || index.counts[slot] < start) continue;
      const std::size_t at = index.counts[slot] - start;
      if (at + length > genome.size()) continue;
      std::size_t differ = 0;
      for (std::size_t i = 0; i < length; ++i) differ += read[i] != genome[at + i];
      if (differ < 5) place[r] = static_cast<std::uint32_t>(at);
    }
    found += place[r] == reads.origin[r];
  }
  return found;
}

using Pile = std::array<std::uint16_t, 4>;

/// Letters of all reads over each place of the genome.
CORPUS_REGION void pile_up(const Reads& reads, const Counts& place, std::vector<Pile>& piles) {
  for (std::size_t r = 0; r < place.size(); ++r)
    for (std::size_t i = 0; place[r] != ~0u && i < length; ++i) ++piles[place[r] + i][reads.letters[r * length + i]];
}

/// Is the letter of most reads the genome's?
CORPUS_REGION std::size_t call(const Letters& genome, const std::vector<Pile>& piles) {
  std::size_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (std::size_t i = 0; i < piles.size(); ++i) {
    const auto most = std::max_element(piles[i].begin(), piles[i].end());
    wrong += *most > 2 && most - piles[i].begin() != genome[i];
  }
  return wrong;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Letters genome = make_genome(input.pick<std::size_t>(20'000, 36'000), random);
  Reads reads{Letters(genome.size() / length * 8 * length), Counts(genome.size() / length * 8)};
  make_reads(genome, input.seed, reads);
  Words packed(reads.letters.size() / 32), words(reads.origin.size() * (length - k + 1)), sorted(words.size());
  pack(reads.letters, packed);
  const auto letters = composition(packed);
  list_words(reads.letters, words);
  Words once(1u << 14), twice(1u << 14);
  const std::size_t repeated = filter(words, once, twice);
  Table table{Words(1u << 17, none), Counts(1u << 17)}, index{Words(1u << 17, none), Counts(1u << 17)};
  count_words(words, twice, table);
  const std::size_t least = minimisers(words);
  for (unsigned shift = 0; shift < 48; shift += 8, words.swap(sorted)) sort_pass(words, shift, sorted);
  bool right = compare_runs(words, table) == 0;
  Letters links(table.words.size()), used(table.words.size());
  find_links(table, links);
  const std::vector<Letters> pieces = assemble(table, links, used);
  index_genome(genome, index);
  Counts place(reads.origin.size());
  const std::size_t found = align(genome, index, reads, place);
  std::vector<Pile> piles(genome.size());
  pile_up(reads, place, piles);
  const std::size_t wrong = call(genome, piles);
  std::size_t total = 0;
  for (const Letters& piece : pieces) total += piece.size();
  right = right && found > reads.origin.size() / 2 && wrong < genome.size() / 100 && total > genome.size() / 2;
  const std::size_t sum = repeated + least + pieces.size() + total + found + letters[1];
  return {.checksum = static_cast<double>(sum), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
