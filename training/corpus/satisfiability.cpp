// Formulas in conjunctive normal form, planted so that they have a solution: counting what is not satisfied, one and 64
// assignments at once; walks with noise, rate style; unit propagation by watched literals and by counters, failed
// literals, a search that follows hints; messages of beliefs; blocked clauses and clauses that are nearly the same.
// Source: Selman, Kautz, Cohen, AAAI 1994 (walks); Moskewicz et al., DAC 2001 (watched literals); Dowling, Gallier, J.
// Logic Programming 1, 1984 (counters); Braunstein, Mezard, Zecchina, Random Structures and Algorithms 27, 2005
// (messages); Een, Biere, SAT 2005 (signatures); Jarvisalo, Biere, Heule, TACAS 2010 (blocked clauses).
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Literal = std::uint32_t;  // twice the variable, and one if negated
using Literals = std::vector<Literal>;
using Clause = std::array<Literal, 3>;
using Clauses = std::vector<Clause>;
using Marks = std::vector<std::uint8_t>;
using Floats = std::vector<float>;
constexpr std::uint8_t open = 2;

Literal variable(Literal l) { return l >> 1; }

/// Is the literal true with these values of the variables?
bool holds(const Marks& value, Literal l) { return (value[variable(l)] ^ (l & 1)) == 1; }

/// No clause is false with the hidden values: the first literal is turned if all three are.
CORPUS_REGION void make_clauses(const Marks& hidden, std::uint64_t seed, Clauses& clauses) {
  const auto variables = static_cast<std::uint32_t>(hidden.size());
#pragma omp parallel for
  for (std::size_t c = 0; c < clauses.size(); ++c) {
    const std::uint32_t first = corpus::random_below(variables, seed, 3 * c);
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t far = 1 + corpus::random_below(k == 1 ? 200 : variables / 2 - 1, seed, 3 * c + k);
      const std::uint32_t v = k == 0 ? first : (first + (k == 1 ? far : variables / 2 + far / 2)) % variables;
      clauses[c][k] = 2 * v + (corpus::random_bits(seed + 1, 3 * c + k) & 1);
    }
    if (std::none_of(clauses[c].begin(), clauses[c].end(), [&](Literal l) { return holds(hidden, l); }))
      clauses[c][seed % 3] ^= 1;
  }
}

/// Where each literal occurs.
struct Occurrences {
  Literals begin, clause;
};

CORPUS_REGION void count_literals(const Clauses& clauses, Literals& begin) {
  for (const Clause& clause : clauses)
    for (const Literal l : clause) ++begin[l];
}

CORPUS_REGION void place_literals(const Clauses& clauses, Occurrences& where) {
  for (std::size_t c = clauses.size(); c-- > 0;)
    for (const Literal l : clauses[c]) where.clause[--where.begin[l]] = static_cast<Literal>(c);
}

CORPUS_REGION std::size_t count_false(const Clauses& clauses, const Marks& value) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t c = 0; c < clauses.size(); ++c)
    count += !holds(value, clauses[c][0]) && !holds(value, clauses[c][1]) && !holds(value, clauses[c][2]);
  return count;
}

/// 64 assignments at once: one bit each of a variable's word.
CORPUS_REGION std::uint64_t count_false_64(const Clauses& clauses, const std::vector<std::uint64_t>& values) {
  std::uint64_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t c = 0; c < clauses.size(); ++c) {
    std::uint64_t satisfied = 0;
    for (const Literal l : clauses[c]) satisfied |= values[variable(l)] ^ (l & 1 ? ~0ull : 0);
    count += static_cast<std::uint64_t>(std::popcount(~satisfied));
  }
  return count;
}

/// What a lane needs to walk.
struct Walker {
  Marks value, satisfied;  // satisfied: number of true literals of each clause
  Literals broken, place;
};

CORPUS_REGION void start_walk(const Clauses& clauses, Walker& w) {
  for (std::size_t c = 0; c < clauses.size(); ++c) {
    w.satisfied[c] = 0;
    for (const Literal l : clauses[c]) w.satisfied[c] += holds(w.value, l);
    if (w.satisfied[c] > 0) continue;
    w.place[c] = static_cast<Literal>(w.broken.size());
    w.broken.push_back(static_cast<Literal>(c));
  }
}

void flip(const Occurrences& where, Literal v, Walker& w) {
  const Literal now = 2 * v + w.value[v], then = now ^ 1;  // the literals that become true, and false
  w.value[v] ^= 1;
  for (Literal k = where.begin[now]; k < where.begin[now + 1]; ++k) {
    const Literal c = where.clause[k];
    if (w.satisfied[c]++ > 0) continue;
    w.place[w.broken.back()] = w.place[c];
    w.broken[w.place[c]] = w.broken.back();
    w.broken.pop_back();
  }
  for (Literal k = where.begin[then]; k < where.begin[then + 1]; ++k) {
    const Literal c = where.clause[k];
    if (--w.satisfied[c] > 0) continue;
    w.place[c] = static_cast<Literal>(w.broken.size());
    w.broken.push_back(c);
  }
}

/// Turns a variable of a broken clause: the one that breaks fewest others, or by chance any.
CORPUS_REGION std::size_t walk(const Clauses& clauses, const Occurrences& where, std::size_t steps,
                               corpus::Random& random, Walker& w) {
  for (std::size_t step = 0; step < steps && !w.broken.empty(); ++step) {
    const Clause& clause = clauses[w.broken[random.below(w.broken.size())]];
    Literal chosen = clause[random.below(3)];
    std::size_t fewest = random.below(10) < 3 ? 0 : ~std::size_t{0};
    for (const Literal l : clause) {
      std::size_t breaks = 0;
      for (Literal k = where.begin[l ^ 1]; k < where.begin[(l ^ 1) + 1]; ++k)
        breaks += w.satisfied[where.clause[k]] == 1;
      if (breaks < fewest) fewest = breaks, chosen = l;
    }
    flip(where, variable(chosen), w);
  }
  return w.broken.size();
}

/// A search: values so far, in the order of the trail; which clauses watch a literal becoming false.
struct Search {
  Marks value;
  Literals trail;
  std::vector<Literals> watched;
  bool set(Literal l) {
    if (value[variable(l)] != open) return holds(value, l);
    value[variable(l)] = static_cast<std::uint8_t>(~l & 1);
    trail.push_back(l);
    return true;
  }
};

CORPUS_REGION void watch(const Clauses& clauses, Search& s) {
  for (Literal c = 0; c < clauses.size(); ++c)
    for (const Literal l : {clauses[c][0], clauses[c][1]}) s.watched[l].push_back(c);
}

/// Clauses keep two watched literals at their front. False if a clause has no literal left.
CORPUS_REGION bool propagate(std::size_t from, Clauses& clauses, Search& s) {
  for (; from < s.trail.size(); ++from) {
    const Literal lost = s.trail[from] ^ 1;
    Literals& list = s.watched[lost];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      Clause& clause = clauses[list[i]];
      if (clause[0] == lost) std::swap(clause[0], clause[1]);
      const bool satisfied = s.value[variable(clause[0])] != open && holds(s.value, clause[0]);
      if (!satisfied && (s.value[variable(clause[2])] == open || holds(s.value, clause[2]))) {
        std::swap(clause[1], clause[2]);
        s.watched[clause[1]].push_back(list[i]);
        continue;
      }
      list[kept++] = list[i];
      if (satisfied || s.set(clause[0])) continue;
      while (++i < list.size()) list[kept++] = list[i];
      list.resize(kept);
      return false;
    }
    list.resize(kept);
  }
  return true;
}

/// The same by counters of literals that are not false.
CORPUS_REGION void propagate_by_counters(const Clauses& clauses, const Occurrences& where, Marks& left, Search& s) {
  for (std::size_t from = 0; from < s.trail.size(); ++from) {
    const Literal lost = s.trail[from] ^ 1;
    for (Literal k = where.begin[lost]; k < where.begin[lost + 1]; ++k) {
      const Clause& clause = clauses[where.clause[k]];
      if (--left[where.clause[k]] != 1) continue;
      for (const Literal l : clause)
        if (s.value[variable(l)] == open) s.set(l);
    }
  }
}

void undo(std::size_t size, Search& s) {
  for (; s.trail.size() > size; s.trail.pop_back()) s.value[variable(s.trail.back())] = open;
}

/// Tries literals one by one: what fails has to be the other way round. Returns how many are fixed for certain.
std::size_t probe(const std::vector<Literal>& candidates, Clauses& clauses, Search& s) {
  for (const Literal l : candidates) {
    if (s.value[variable(l)] != open) continue;
    const std::size_t size = s.trail.size();
    s.set(l);
    const bool fails = !propagate(size, clauses, s);
    undo(size, s);
    if (fails && s.set(l ^ 1)) propagate(size, clauses, s);
  }
  return s.trail.size();
}

/// Sets hints as long as they do not contradict, with all that follows.
std::size_t guess(const Marks& hint, Clauses& clauses, Search& s) {
  std::size_t refused = 0;
  for (Literal v = 0; v < hint.size(); ++v) {
    const std::size_t size = s.trail.size();
    if (s.value[v] != open) continue;
    s.set(2 * v + (hint[v] ^ 1u));
    if (propagate(size, clauses, s)) continue;
    undo(size, s);
    ++refused;
  }
  return refused;
}

/// Each clause tells its variables how much it depends on them; from beliefs of the last round.
CORPUS_REGION void tell(const Clauses& clauses, const Floats& belief, Floats& message) {
#pragma omp parallel for
  for (std::size_t c = 0; c < clauses.size(); ++c) {
    std::array<float, 3> fails;
    for (std::size_t k = 0; k < 3; ++k) {
      const float yes = belief[variable(clauses[c][k])];
      fails[k] = clauses[c][k] & 1 ? yes : 1 - yes;
    }
    for (std::size_t k = 0; k < 3; ++k) message[3 * c + k] = 1 - fails[(k + 1) % 3] * fails[(k + 2) % 3];
  }
}

/// Each variable multiplies what it was told for either value.
CORPUS_REGION void believe(const Clauses& clauses, const Occurrences& where, const Floats& message, Floats& belief) {
#pragma omp parallel for
  for (std::size_t v = 0; v < belief.size(); ++v) {
    std::array<float, 2> product{1, 1};
    for (Literal l = static_cast<Literal>(2 * v); l < 2 * v + 2; ++l)
      for (Literal k = where.begin[l]; k < where.begin[l + 1]; ++k) {
        const Clause& clause = clauses[where.clause[k]];
        const auto place = static_cast<std::size_t>(std::find(clause.begin(), clause.end(), l) - clause.begin());
        product[l & 1] *= message[3 * where.clause[k] + place];
      }
    // Clauses that want the variable true speak against false ones.
    belief[v] = 0.5f * belief[v] + 0.5f * product[1] / (product[0] + product[1] + 1e-9f);
  }
}

/// A resolution on any of its literals would say nothing new: the clause can be left out.
CORPUS_REGION std::size_t blocked(const Clauses& clauses, const Occurrences& where) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t c = 0; c < clauses.size(); ++c) {
    bool any = false;
    for (const Literal l : clauses[c]) {
      bool all = true;
      for (Literal k = where.begin[l ^ 1]; all && k < where.begin[(l ^ 1) + 1]; ++k) {
        bool trivial = false;
        for (const Literal other : clauses[where.clause[k]])
          for (const Literal own : clauses[c]) trivial = trivial || (other == (own ^ 1) && own != l);
        all = trivial;
      }
      any = any || all;
    }
    count += any;
  }
  return count;
}

/// Pairs of clauses that share two literals, found by signatures of bits first.
CORPUS_REGION std::size_t near(const Clauses& clauses, const Occurrences& where,
                               const std::vector<std::uint64_t>& signature) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t c = 0; c < clauses.size(); ++c)
    for (const Literal l : clauses[c])
      for (Literal k = where.begin[l]; k < where.begin[l + 1]; ++k) {
        const Literal other = where.clause[k];
        if (other <= c || std::popcount(signature[c] & signature[other]) < 2) continue;
        std::size_t common = 0;
        for (const Literal mine : clauses[c])
          common += std::count(clauses[other].begin(), clauses[other].end(), mine) > 0;
        count += common >= 2;
      }
  return count;
}

CORPUS_REGION void sign(const Clauses& clauses, std::vector<std::uint64_t>& signature) {
#pragma omp parallel for
  for (std::size_t c = 0; c < clauses.size(); ++c)
    for (const Literal l : clauses[c]) signature[c] |= std::uint64_t{1} << corpus::random_bits(9, l) % 64;
}

Marks random_values(std::size_t variables, corpus::Random& random) {
  Marks values(variables);
  for (std::uint8_t& value : values) value = static_cast<std::uint8_t>(random.below(2));
  return values;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Literal variables = input.pick<Literal>(14'000, 24'000);
  const Marks hidden = random_values(variables, random);
  Clauses clauses(3 * variables);
  make_clauses(hidden, input.seed, clauses);
  const std::size_t count = clauses.size();
  Occurrences where{Literals(2 * variables + 1), Literals(3 * count)};
  count_literals(clauses, where.begin);
  std::partial_sum(where.begin.begin(), where.begin.end(), where.begin.begin());
  place_literals(clauses, where);
  bool right = count_false(clauses, hidden) == 0;
  std::vector<std::uint64_t> values(variables), signature(count);
  for (std::uint64_t& value : values) value = random.next();
  std::size_t sum = count_false_64(clauses, values);
  right = right && sum > 7 * count && sum < 9 * count;  // an eighth of 64, about
  sign(clauses, signature);
  sum += blocked(clauses, where) + near(clauses, where, signature);

  constexpr std::size_t lanes = 6;
  std::vector<Walker> walkers(lanes);
  for (Walker& w : walkers) {
    w = {random_values(variables, random), Marks(count), {}, Literals(count)};
    w.broken.reserve(count);
  }
  std::size_t before = 0, after = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : before, after)
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    start_walk(clauses, walkers[lane]);
    corpus::Random own(lane);
    before += walkers[lane].broken.size();
    after += walk(clauses, where, variables / 6, own, walkers[lane]);
  }
  for (const Walker& w : walkers) right = right && count_false(clauses, w.value) == w.broken.size();
  right = right && after < before / 2;

  Floats belief(variables), message(3 * count);
  for (float& b : belief) b = 0.3f + 0.4f * static_cast<float>(random.unit());
  for (int round = 0; round < 4; ++round) tell(clauses, belief, message), believe(clauses, where, message, belief);
  Marks hint(variables);
  for (Literal v = 0; v < variables; ++v) hint[v] = v % 16 == 0 ? belief[v] > 0.5f : hidden[v];
  Clauses moving = clauses;
  Search search{Marks(variables, open), {}, std::vector<Literals>(2 * variables)};
  watch(moving, search);
  Literals candidates(variables / 2);
  for (Literal& l : candidates) l = random.below(2 * variables);
  const std::size_t fixed = probe(candidates, moving, search);
  // Every solution has what follows for certain, and so has the hidden one.
  for (const Literal l : search.trail) right = right && holds(hidden, l);
  sum += fixed + guess(hint, moving, search) + after;
  Search counters{Marks(variables, open), {}, {}};
  Marks left(count, 3);
  for (Literal v = 0; v < variables; ++v)
    if (corpus::random_bits(1, v) % 3 == 0) counters.set(2 * v + (hidden[v] ^ 1u));
  propagate_by_counters(clauses, where, left, counters);
  for (const Literal l : counters.trail) right = right && holds(hidden, l);
  return {.checksum = static_cast<double>(sum + counters.trail.size()), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
