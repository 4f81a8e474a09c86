// Codes of pointers: lists in memory's order and in random order, several lists at once, ranking of a list by jumping
// and by pieces, a skip list, a cache that forgets what was used least recently, polynomials as lists, marking of
// reachable objects. Source: Wyllie 1979; Helman and JaJa, ALENEX 1999; Pugh, CACM 33(6), 1990; Jones, Hosking, Moss,
// The Garbage Collection Handbook, chapter 2.
#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Index = std::uint32_t;
constexpr Index none = ~Index{0};

struct Item {
  Item* next;
  std::uint64_t value;
  std::uint64_t more[2];
};

CORPUS_REGION std::vector<Index> shuffled(std::size_t count, corpus::Random& random) {
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// Lists of `length` items each, in the order given.
CORPUS_REGION std::vector<Item*> link(std::vector<Item>& items, const std::vector<Index>& order, std::size_t length) {
  std::vector<Item*> heads;
  for (std::size_t i = 0; i < order.size(); ++i) {
    Item& item = items[order[i]];
    if (i % length == 0) heads.push_back(&item);
    item.value = order[i];
    item.next = i % length + 1 == length || i + 1 == order.size() ? nullptr : &items[order[i + 1]];
  }
  return heads;
}

CORPUS_REGION std::uint64_t walk(const Item* item) {
  std::uint64_t sum = 0;
  for (; item != nullptr; item = item->next) sum += item->value;
  return sum;
}

CORPUS_REGION std::uint64_t walk_lists(const std::vector<Item*>& heads) {
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : sum)
  for (std::size_t i = 0; i < heads.size(); ++i)
    for (Item* item = heads[i]; item != nullptr; item = item->next) {
      item->more[0] = sum;
      sum += item->value;
    }
  return sum;
}

/// Four lists at a time by each lane: four chains of misses.
CORPUS_REGION std::uint64_t walk_four(const std::vector<Item*>& heads) {
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < heads.size() - 3; i += 4) {
    const Item *a = heads[i], *b = heads[i + 1], *c = heads[i + 2], *d = heads[i + 3];
    while (a != nullptr && b != nullptr && c != nullptr && d != nullptr) {
      sum += a->value + b->value + c->value + d->value;
      a = a->next, b = b->next, c = c->next, d = d->next;
    }
  }
  return sum;
}

CORPUS_REGION Item* reverse(Item* item) {
  Item* before = nullptr;
  while (item != nullptr) {
    Item* const next = item->next;
    item->next = before;
    before = item;
    item = next;
  }
  return before;
}

CORPUS_REGION std::vector<Index> successors(const std::vector<Index>& order) {
  std::vector<Index> next(order.size());
  for (std::size_t i = 0; i + 1 < order.size(); ++i) next[order[i]] = order[i + 1];
  next[order.back()] = order.back();
  return next;
}

/// Wyllie: each item jumps to where its successor jumped to. Two gathers a step.
CORPUS_REGION void jump(const std::vector<Index>& next, const std::vector<Index>& rank, std::vector<Index>& next_out,
                        std::vector<Index>& rank_out) {
#pragma omp parallel for
  for (std::size_t i = 0; i < next.size(); ++i) {
    rank_out[i] = rank[i] + rank[next[i]];
    next_out[i] = next[next[i]];
  }
}

/// Helman and JaJa: pieces that begin at chosen items are walked, then a short list of pieces.
CORPUS_REGION void rank_pieces(const std::vector<Index>& next, const std::vector<Index>& starts,
                               std::vector<Index>& piece, std::vector<Index>& place, std::vector<Index>& after) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t s = 0; s < starts.size(); ++s) {
    Index at = starts[s], count = 0;
    while (true) {
      if (count > 0) piece[at] = static_cast<Index>(s);
      place[at] = count++;
      const Index to = next[at];
      if (to == at || (piece[to] != none && std::binary_search(starts.begin(), starts.end(), to))) {
        after[s] = to == at ? none : to;
        break;
      }
      at = to;
    }
  }
}

constexpr int levels = 12;

struct Tower {
  std::uint64_t key;
  Index next[levels];
};

CORPUS_REGION void insert_all(std::vector<Tower>& list, const std::vector<std::uint64_t>& keys) {
  for (const std::uint64_t key : keys) {
    Index at = 0, before[levels];
    for (int level = levels; level-- > 0; before[level] = at)
      while (list[at].next[level] != 0 && list[list[at].next[level]].key < key) at = list[at].next[level];
    const int height = std::min(1 + std::countr_zero(key * 0x9e3779b97f4a7c15ull >> 32 | 1ull << 31), levels);
    list.push_back({key, {}});
    for (int level = 0; level < height; ++level) {
      list.back().next[level] = list[before[level]].next[level];
      list[before[level]].next[level] = static_cast<Index>(list.size() - 1);
    }
  }
}

CORPUS_REGION std::size_t find_all(const std::vector<Tower>& list, const std::vector<std::uint64_t>& keys) {
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found)
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Index at = 0;
    for (int level = levels; level-- > 0;)
      while (list[at].next[level] != 0 && list[list[at].next[level]].key < keys[i]) at = list[at].next[level];
    found += list[list[at].next[0]].key == keys[i];
  }
  return found;
}

struct Cached {
  Index before, after, key;
  Index payload[13];
};

/// Pages with a place for each key; the last of the list gives way. Returns hits.
CORPUS_REGION std::size_t use_cache(std::vector<Cached>& pages, std::vector<Index>& place,
                                    const std::vector<Index>& asked) {
  std::size_t hits = 0;
  for (const Index key : asked) {
    Index page = place[key];
    if (page != none) {
      ++hits;
    } else {
      page = pages[0].before;
      if (pages[page].key != none) place[pages[page].key] = none;
      pages[page].key = key;
      place[key] = page;
    }
    Cached& mine = pages[page];
    ++mine.payload[key % 13];
    pages[mine.before].after = mine.after;
    pages[mine.after].before = mine.before;
    mine.before = 0, mine.after = pages[0].after;
    pages[pages[0].after].before = page;
    pages[0].after = page;
  }
  return hits;
}

struct Object {
  Index fields[3];
  Index mark;
};

CORPUS_REGION std::size_t mark(std::vector<Object>& heap) {
  std::vector<Index> stack{0};
  std::size_t count = 0;
  while (!stack.empty()) {
    Object& object = heap[stack.back()];
    stack.pop_back();
    if (object.mark != 0) continue;
    object.mark = 1;
    ++count;
    for (const Index field : object.fields)
      if (field != none && heap[field].mark == 0) stack.push_back(field);
  }
  return count;
}

/// What lives moves to the front, in order; returns how many. Fields are put right in a second pass.
CORPUS_REGION std::size_t compact(std::vector<Object>& heap, std::vector<Index>& moved) {
  Index free = 0;
  for (std::size_t i = 0; i < heap.size(); ++i) {
    if (heap[i].mark == 0) continue;
    moved[i] = free;
    heap[free++] = heap[i];
  }
  for (Index i = 0; i < free; ++i)
    for (Index& field : heap[i].fields)
      if (field != none) field = moved[field];
  return free;
}

bool try_lists(std::size_t count, corpus::Random& random, double& sum) {
  std::vector<Item> items(count);
  const std::vector<Index> order = shuffled(count, random);
  Item* const whole = link(items, order, count)[0];
  const std::uint64_t all = walk(whole);
  bool right = all == count * (count - 1) / 2 && reverse(whole) == &items[order.back()];
  const std::vector<Item*> heads = link(items, order, count / 48);
  right = right && walk_lists(heads) == all;
  sum += static_cast<double>(walk_four(heads));
  std::vector<Index> next = successors(order), rank(count, 1), next_out(count), rank_out(count), piece(count, none),
                     place(count), starts;
  rank[order.back()] = 0;
  for (std::size_t i = 0; i < count; i += count / 48) starts.push_back(order[i]);
  std::sort(starts.begin(), starts.end());
  for (const Index start : starts) piece[start] = 0;
  std::vector<Index> after(starts.size());
  rank_pieces(next, starts, piece, place, after);
  for (std::size_t i = 0; i < count; ++i) right = right && place[order[i]] == i % (count / 48);
  for (std::size_t reach = 1; reach < count; reach *= 2) {
    jump(next, rank, next_out, rank_out);
    next.swap(next_out);
    rank.swap(rank_out);
  }
  return right && rank[order[0]] == count - 1 && rank[order[5]] == count - 6;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  double sum = 0;
  bool right = try_lists(input.pick<std::size_t>(24'000, 44'000), random, sum);
  std::vector<std::uint64_t> keys(input.pick<std::size_t>(5'000, 9'000));
  for (std::uint64_t& key : keys) key = random.next() | 1;
  std::vector<Tower> list{{0, {}}};
  list.reserve(keys.size() + 1);
  insert_all(list, keys);
  right = right && find_all(list, keys) == keys.size();
  const std::size_t size = input.pick<std::size_t>(8'000, 16'000);
  std::vector<Cached> pages(size + 1);
  for (Index i = 0; i <= size; ++i)
    pages[i] = {i == 0 ? static_cast<Index>(size) : i - 1, i == size ? 0 : i + 1, none, {}};
  std::vector<Index> place(4 * size, none), asked(3 * size);
  for (Index& key : asked) key = std::min(random.below(4 * size), random.below(4 * size));
  sum += static_cast<double>(use_cache(pages, place, asked));
  std::vector<Object> heap(input.pick<std::size_t>(50'000, 90'000));
  for (Object& object : heap)
    object = {{random.below(heap.size()), random.below(heap.size()), random.below(4) == 0 ? 0 : none}, 0};
  const std::size_t alive = mark(heap);
  std::vector<Index> moved(heap.size());
  right = right && compact(heap, moved) == alive;
  return {.checksum = sum + static_cast<double>(alive), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
