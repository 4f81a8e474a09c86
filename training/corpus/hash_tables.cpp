// Hash tables, each lane its own: linear probing, chains in an arena, cuckoo hashing; a Bloom filter for all lanes.
// Source: Knuth, The Art of Computer Programming 3, section 6.4; Pagh and Rodler, J. Algorithms 51, 2004; Bloom, CACM
// 13(7).
#include <algorithm>
#include <utility>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Key = std::uint64_t;
using Keys = std::vector<Key>;
constexpr int problems = 12;

std::size_t hash_of(Key key, int bits) { return key * 0x9e3779b97f4a7c15ull >> (64 - bits); }
std::size_t other_hash_of(Key key, int bits) { return (key ^ key >> 29) * 0xbf58476d1ce4e5b9ull >> (64 - bits); }

CORPUS_REGION void make_keys(Keys& keys, corpus::Random random) {
  for (Key& key : keys) key = random.next() | 1;  // 0 is an empty slot
}

CORPUS_REGION void insert_open(Keys& slots, int bits, const Keys& keys) {
  for (const Key key : keys) {
    std::size_t slot = hash_of(key, bits);
    while (slots[slot] != 0 && slots[slot] != key) slot = (slot + 1) & (slots.size() - 1);
    slots[slot] = key;
  }
}

/// Looks up keys and keys that are not there, in turn.
CORPUS_REGION std::size_t find_open(const Keys& slots, int bits, const Keys& keys) {
  std::size_t found = 0;
  for (const Key stored : keys)
    for (const Key key : {stored, stored ^ 0x5000}) {
      std::size_t slot = hash_of(key, bits);
      while (slots[slot] != 0 && slots[slot] != key) slot = (slot + 1) & (slots.size() - 1);
      found += slots[slot] == key;
    }
  return found;
}

struct Node {
  Key key;
  std::uint32_t next;
  std::uint32_t count;
};

struct Chains {
  std::vector<std::uint32_t> heads;
  std::vector<Node> nodes;
};

CORPUS_REGION void insert_chained(Chains& table, int bits, const Keys& keys) {
  for (const Key key : keys) {
    std::uint32_t& head = table.heads[hash_of(key, bits)];
    table.nodes.push_back({key, head, 0});
    head = static_cast<std::uint32_t>(table.nodes.size() - 1);
  }
}

CORPUS_REGION std::size_t count_chained(Chains& table, int bits, const Keys& keys) {
  std::size_t found = 0;
  for (const Key key : keys) {
    std::uint32_t at = table.heads[hash_of(key, bits)];
    while (at != 0 && table.nodes[at].key != key) at = table.nodes[at].next;
    if (at == 0) continue;
    ++table.nodes[at].count;
    ++found;
  }
  return found;
}

/// Two tables; a key lies in one of two places. Returns how many keys had to be given up.
CORPUS_REGION std::size_t insert_cuckoo(Keys& first, Keys& second, int bits, const Keys& keys) {
  std::size_t lost = 0;
  for (Key key : keys) {
    int moves = 0;
    for (; key != 0 && moves < 64; ++moves)
      std::swap(key, moves % 2 == 0 ? first[hash_of(key, bits)] : second[other_hash_of(key, bits)]);
    lost += key != 0;
  }
  return lost;
}

/// Both places are read always: two independent misses, no branch.
CORPUS_REGION std::size_t find_cuckoo(const Keys& first, const Keys& second, int bits, const Keys& keys) {
  std::size_t found = 0;
  for (const Key key : keys) {
    const int in_first = first[hash_of(key, bits)] == key, in_second = second[other_hash_of(key, bits)] == key;
    found += static_cast<std::size_t>(in_first | in_second);
  }
  return found;
}

CORPUS_REGION void add_to_filter(std::vector<std::uint64_t>& bits, const Keys& keys) {
  const std::size_t mask = bits.size() * 64 - 1;
  for (const Key key : keys)
    for (std::size_t k = 0, hash = key; k < 4; ++k, hash += key >> 31 | 1)
      bits[(hash * 0x94d049bb133111ebull >> 20 & mask) / 64] |= 1ull << (hash * 0x94d049bb133111ebull >> 20 & 63);
}

CORPUS_REGION std::size_t pass_filter(const std::vector<std::uint64_t>& bits, const Keys& keys, Key change) {
  const std::size_t mask = bits.size() * 64 - 1;
  std::size_t passed = 0;
#pragma omp parallel for reduction(+ : passed)
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Key key = keys[i] ^ change;
    bool all = true;
    for (std::size_t k = 0, hash = key; all && k < 4; ++k, hash += key >> 31 | 1)
      all = bits[(hash * 0x94d049bb133111ebull >> 20 & mask) / 64] >> (hash * 0x94d049bb133111ebull >> 20 & 63) & 1;
    passed += all;
  }
  return passed;
}

struct Tables {
  Keys keys, open, first, second;
  Chains chains;
};

/// Returns how many keys were found wrongly or not at all.
std::size_t try_tables(Tables& t, int bits) {
  insert_open(t.open, bits, t.keys);
  std::size_t wrong = t.keys.size() - find_open(t.open, bits, t.keys);
  insert_chained(t.chains, bits, t.keys);
  wrong += t.keys.size() - count_chained(t.chains, bits, t.keys);
  const std::size_t lost = insert_cuckoo(t.first, t.second, bits, t.keys);
  return wrong + (t.keys.size() - find_cuckoo(t.first, t.second, bits, t.keys) - lost);
}

corpus::Answer program(const corpus::Input& input) {
  const int bits = input.pick(13, 14);
  const std::size_t slots = std::size_t{1} << bits, count = input.pick<std::size_t>(5'000, 11'000);
  std::vector<Tables> tables(problems);
  for (int problem = 0; problem < problems; ++problem) {
    tables[problem] = {Keys(count), Keys(slots), Keys(slots), Keys(slots), {std::vector<std::uint32_t>(slots), {}}};
    tables[problem].chains.nodes.resize(count + 1);
    tables[problem].chains.nodes.resize(1);
    make_keys(tables[problem].keys, corpus::Random(input.seed + 101 * problem));
  }
  std::size_t wrong = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : wrong)
  for (int problem = 0; problem < problems; ++problem) wrong += try_tables(tables[problem], bits);
  Keys all(count * 8);
  make_keys(all, corpus::Random(input.seed + 9999));
  std::vector<std::uint64_t> filter(input.pick<std::size_t>(8192, 32768));
  add_to_filter(filter, all);
  const std::size_t passed = pass_filter(filter, all, 0), by_chance = pass_filter(filter, all, 1ull << 60);
  return {.checksum = static_cast<double>(passed + by_chance), .right = wrong == 0 && passed == all.size()};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
