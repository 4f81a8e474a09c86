// A stream of events, summarised: counts by rows of hashed counters with and without signs, numbers of different keys,
// heavy hitters, quantiles by compaction, samples of each group; windows that slide, sessions, the last value before a
// time.
// Source: Cormode, Muthukrishnan, J. Algorithms 55(1), 2005; Charikar, Chen, Farach-Colton, ICALP 2002; Flajolet et
// al., AofA 2007; Metwally, Agrawal, El Abbadi, ICDT 2005; Karnin, Lang, Liberty, FOCS 2016; Vitter, ACM TOMS 11(1),
// 1985; Akidau et al., PVLDB 8(12), 2015 (windows and sessions).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Numbers = std::vector<std::uint32_t>;

struct Event {
  std::uint32_t time, key;
  float value;
};

using Events = std::vector<Event>;
constexpr std::size_t keys = 1 << 17, rows = 4, counters = 1 << 16;

std::uint32_t hash(std::uint32_t key, std::uint32_t row) {
  const std::uint64_t bits = corpus::random_bits(row + 77, key);
  return static_cast<std::uint32_t>(bits >> 16);
}

/// Keys with a distribution that is far from even; times go up.
CORPUS_REGION void make_events(Events& events, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < events.size(); ++i) {
    const double u = corpus::random_real(seed, i);
    events[i] = {static_cast<std::uint32_t>(4 * i + corpus::random_bits(seed, i) % 4),
                 static_cast<std::uint32_t>(u * u * u * keys), static_cast<float>(corpus::random_real(seed + 1, i))};
  }
}

CORPUS_REGION void count_all(const Events& events, Numbers& counts) {
  for (const Event& e : events) ++counts[e.key];
}

/// One counter in each of four rows.
CORPUS_REGION void count_min(const Events& events, Numbers& sketch) {
#pragma omp parallel for schedule(static, 1)
  for (std::uint32_t row = 0; row < rows; ++row)
    for (const Event& e : events) ++sketch[row * counters + hash(e.key, row) % counters];
}

/// How many keys are estimated too low, which none may be, and too high by a hundredth of a percent.
CORPUS_REGION std::array<std::size_t, 2> compare(const Numbers& sketch, const Numbers& counts, std::size_t events) {
  std::size_t low = 0, high = 0;
#pragma omp parallel for reduction(+ : low, high)
  for (std::uint32_t key = 0; key < keys; ++key) {
    std::uint32_t least = ~0u;
    for (std::uint32_t row = 0; row < rows; ++row)
      least = std::min(least, sketch[row * counters + hash(key, row) % counters]);
    low += least < counts[key];
    high += least > counts[key] + events / 10'000;
  }
  return {low, high};
}

/// Signs, so that the errors of a counter are as often too high as too low.
CORPUS_REGION void count_signed(const Events& events, std::vector<std::int32_t>& sketch) {
  for (const Event& e : events)
    for (std::uint32_t row = 0; row < 3; ++row) {
      const std::uint32_t h = hash(e.key, row + 8);
      sketch[row * counters + h % counters] += h >> 31 ? 1 : -1;
    }
}

CORPUS_REGION double signed_error(const std::vector<std::int32_t>& sketch, const Numbers& counts) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::uint32_t key = 0; key < keys; ++key) {
    std::array<std::int32_t, 3> guess;
    for (std::uint32_t row = 0; row < 3; ++row) {
      const std::uint32_t h = hash(key, row + 8);
      guess[row] = (h >> 31 ? 1 : -1) * sketch[row * counters + h % counters];
    }
    std::nth_element(guess.begin(), guess.begin() + 1, guess.end());
    sum += std::abs(guess[1] - static_cast<std::int32_t>(counts[key]));
  }
  return sum / keys;
}

constexpr std::size_t groups = 2048, registers = 512;

/// Different keys of each group of times: the longest run of zeros that each register has seen.
CORPUS_REGION void see(const Events& events, std::vector<std::uint8_t>& seen) {
  for (const Event& e : events) {
    const std::uint64_t bits = corpus::random_bits(5, e.key);
    std::uint8_t& place = seen[e.time % groups * registers + bits % registers];
    place = std::max(place, static_cast<std::uint8_t>(std::countl_zero(bits) + 1));
  }
}

/// The union of all groups in one, register by register: a stream with a stride of 512 bytes.
CORPUS_REGION double different(const std::vector<std::uint8_t>& seen) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t r = 0; r < registers; ++r) {
    std::uint8_t most = 0;
    for (std::size_t g = 0; g < groups; ++g) most = std::max(most, seen[g * registers + r]);
    sum += std::exp2(-static_cast<double>(most));
  }
  return 0.7213 / (1 + 1.079 / registers) * registers * registers / sum;
}

struct Heavy {
  std::uint32_t key, count;
};

/// Space saving: a new key takes the place, and the count, of the one that was seen least in its set of eight.
CORPUS_REGION void save_space(const Events& events, std::vector<Heavy>& table) {
  for (const Event& e : events) {
    Heavy* const set = &table[hash(e.key, 20) % (table.size() / 8) * 8];
    Heavy* least = set;
    for (std::size_t k = 0; k < 8; ++k) {
      if (set[k].key == e.key) {
        least = &set[k];
        break;
      }
      if (set[k].count < least->count) least = &set[k];
    }
    *least = {e.key, least->count + 1};
  }
}

/// Levels of values; of a full level each second value goes to the next (KLL). A lane for each piece of the stream.
CORPUS_REGION void compact(const Events& events, std::vector<std::vector<float>>& samples) {
  const std::size_t piece = events.size() / samples.size();
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t p = 0; p < samples.size(); ++p) {
    std::vector<float>& sample = samples[p];
    std::size_t weight = 1;
    for (std::size_t i = p * piece; i < (p + 1) * piece; i += weight) {
      sample.push_back(events[i].value);
      if (sample.size() < 1024) continue;
      std::sort(sample.begin(), sample.end());
      for (std::size_t k = 0; k < 512; ++k) sample[k] = sample[2 * k + (i / 4 + p) % 2];
      sample.resize(512);
      weight *= 2;
    }
  }
}

/// A sample of eight events for each of 16,384 groups of keys.
CORPUS_REGION void sample_groups(const Events& events, Numbers& count, Numbers& chosen, corpus::Random& random) {
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    const std::uint32_t group = hash(events[i].key, 30) % static_cast<std::uint32_t>(count.size());
    const std::uint32_t place = count[group] < 8 ? count[group] : random.below(count[group] + 1);
    if (place < 8) chosen[group * 8 + place] = i;
    ++count[group];
  }
}

/// The largest value of the last 1000 events, by a queue of those that may still become it.
CORPUS_REGION void slide(const Events& events, std::vector<float>& largest) {
  std::array<std::uint32_t, 1024> queue;
  std::size_t first = 0, last = 0;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (first < last && queue[first % 1024] + 1000 <= i) ++first;
    while (first < last && events[queue[(last - 1) % 1024]].value <= events[i].value) --last;
    queue[last++ % 1024] = i;
    largest[i] = events[queue[first % 1024]].value;
  }
}

CORPUS_REGION std::size_t wrong_largest(const Events& events, const std::vector<float>& largest) {
  std::size_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (std::size_t i = 1000; i < events.size(); i += 997) {
    float most = 0;
    for (std::size_t k = i - 999; k <= i; ++k) most = std::max(most, events[k].value);
    wrong += most != largest[i];
  }
  return wrong;
}

struct Session {
  std::uint32_t last = 0, count = 0, events = 0;
  float sum = 0;
};

/// A key's session ends when it was silent for 10,000 units of time.
CORPUS_REGION void sessions(const Events& events, std::vector<Session>& table) {
  for (const Event& e : events) {
    Session& s = table[e.key];
    if (s.events == 0 || e.time - s.last > 10'000) ++s.count, s.sum = 0;
    s.last = e.time;
    ++s.events;
    s.sum += e.value;
  }
}

/// For each question the last event of the stream before it; both are in order.
CORPUS_REGION double join_as_of(const Events& events, const Numbers& questions) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 2048)
  for (std::size_t q = 0; q < questions.size(); q += 32) {
    auto at = std::upper_bound(events.begin(), events.end(), questions[q],
                               [](std::uint32_t time, const Event& e) { return time < e.time; });
    for (std::size_t k = q; k < std::min(q + 32, questions.size()); ++k) {
      while (at != events.end() && at->time <= questions[k]) ++at;
      if (at != events.begin()) sum += static_cast<double>((at - 1)->value);
    }
  }
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  Events events(input.pick<std::size_t>(150'000, 240'000));
  make_events(events, input.seed);
  const std::size_t n = events.size();
  Numbers counts(keys), sketch(rows * counters);
  count_all(events, counts);
  count_min(events, sketch);
  const auto [low, high] = compare(sketch, counts, n);
  std::vector<std::int32_t> signs(3 * counters);
  count_signed(events, signs);
  bool right = low == 0 && high < keys / 100 && signed_error(signs, counts) < 10;
  std::vector<std::uint8_t> seen(groups * registers);
  see(events, seen);
  const auto all = static_cast<double>(keys - static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0u)));
  const double guess = different(seen);
  right = right && std::fabs(guess / all - 1) < 0.2;
  std::vector<Heavy> heavy(32'768);
  save_space(events, heavy);
  std::vector<std::vector<float>> samples(24);
  for (std::vector<float>& sample : samples) sample.reserve(1024);
  compact(events, samples);
  for (std::vector<float>& sample : samples) {
    std::sort(sample.begin(), sample.end());
    right = right && std::fabs(sample[sample.size() / 2] - 0.5f) < 0.1f;
  }
  Numbers group_count(16'384), chosen(16'384 * 8);
  sample_groups(events, group_count, chosen, random);
  std::vector<float> largest(n);
  slide(events, largest);
  std::vector<Session> table(keys);
  sessions(events, table);
  Numbers questions(n);
  for (std::size_t q = 0; q < n; ++q) questions[q] = static_cast<std::uint32_t>(4 * q + 3);
  const double last = join_as_of(events, questions);
  double total = 0;
  for (const Event& e : events) total += static_cast<double>(e.value);
  right = right && std::fabs(last / total - 1) < 1e-6 && wrong_largest(events, largest) == 0;
  return {.checksum = guess + last + heavy[8].count + chosen[5] + table[0].count, .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
