// Exact states of small quantum systems, with matrices that are made on the fly: Heisenberg's chain by numbers of bits,
// with symmetry under translation and a search for representatives, Hubbard's chain as a table of two spins, Lanczos'
// recurrence, correlations and purity, time by Chebyshev's series.
// Source: Lin, Physical Review B 42, 1990 (tables of states); Sandvik, AIP Conf. Proc. 1297, 2010 (symmetries);
// Lanczos, J. Research NBS 45, 1950; Knowles, Handy, Chem. Phys. Lett. 111, 1984 (tables of strings); Tal-Ezer,
// Kosloff, J. Chem. Phys. 81, 1984 (Chebyshev).
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Values = std::vector<double>;
using Bits = std::uint32_t;
using States = std::vector<Bits>;
using Wave = std::vector<std::complex<double>>;

/// All numbers of so many bits set, rising: the next one after each by Gosper's rule.
CORPUS_REGION States make_states(unsigned sites, unsigned up) {
  States states;
  for (Bits s = (Bits{1} << up) - 1; s < Bits{1} << sites;) {
    states.push_back(s);
    const Bits low = s & -s, ripple = s + low;
    s = (((ripple ^ s) >> 2) / low) | ripple;
  }
  return states;
}

/// Where a state is: a part by its upper and a part by its lower half (Lin).
struct Lookup {
  unsigned half;
  States upper, lower;
  Bits operator()(Bits s) const { return upper[s >> half] + lower[s & ((Bits{1} << half) - 1)]; }
};

CORPUS_REGION void fill_lookup(const States& states, Lookup& table) {
  Bits last = ~Bits{0}, first = 0;
  for (Bits i = 0; i < states.size(); ++i) {
    const Bits high = states[i] >> table.half;
    if (high != last) last = high, first = i, table.upper[high] = i;
    table.lower[states[i] & ((Bits{1} << table.half) - 1)] = i - first;
  }
}

Bits next_site(Bits s, unsigned sites) { return s >> 1 | (s & 1) << (sites - 1); }

/// y = H x: spins that differ from their neighbour change places.
CORPUS_REGION void heisenberg(const States& states, const Lookup& table, unsigned sites, const Values& x, Values& y) {
#pragma omp parallel for
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Bits s = states[i], differ = s ^ next_site(s, sites);
    double sum = 0.25 * (sites - 2.0 * std::popcount(differ)) * x[i];
    for (Bits rest = differ; rest != 0; rest &= rest - 1) {
      const auto site = static_cast<unsigned>(std::countr_zero(rest));
      sum += 0.5 * x[table(s ^ (Bits{1} << site | Bits{1} << (site + 1) % sites))];
    }
    y[i] = sum;
  }
}

/// The same with additions where they belong, from each state to others; places by binary search.
CORPUS_REGION void heisenberg_scattered(const States& states, unsigned sites, const Values& x, Values& y) {
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Bits s = states[i], differ = s ^ next_site(s, sites);
    y[i] += 0.25 * (sites - 2.0 * std::popcount(differ)) * x[i];
    for (Bits rest = differ; rest != 0; rest &= rest - 1) {
      const auto site = static_cast<unsigned>(std::countr_zero(rest));
      const Bits other = s ^ (Bits{1} << site | Bits{1} << (site + 1) % sites);
      y[static_cast<std::size_t>(std::lower_bound(states.begin(), states.end(), other) - states.begin())] += 0.5 * x[i];
    }
  }
}

/// Which states are the smallest of their rotations, and how many different ones those have.
CORPUS_REGION void find_representatives(const States& states, unsigned sites, std::vector<std::uint8_t>& period) {
#pragma omp parallel for
  for (std::size_t i = 0; i < states.size(); ++i) {
    Bits turned = next_site(states[i], sites);
    std::uint8_t steps = 1;
    for (; turned > states[i]; turned = next_site(turned, sites)) ++steps;
    period[i] = turned == states[i] ? steps : 0;
  }
}

CORPUS_REGION void keep_representatives(const States& states, const std::vector<std::uint8_t>& period, States& kept,
                                        Values& root) {
  for (std::size_t i = 0; i < states.size(); ++i)
    if (period[i] > 0) kept.push_back(states[i]), root.push_back(std::sqrt(static_cast<double>(period[i])));
}

/// y = H x for states that do not change under translation.
CORPUS_REGION void heisenberg_symmetric(const States& kept, const Values& root, unsigned sites, const Values& x,
                                        Values& y) {
#pragma omp parallel for schedule(static, 64)
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Bits differ = kept[i] ^ next_site(kept[i], sites);
    double sum = 0.25 * (sites - 2.0 * std::popcount(differ)) * x[i];
    for (Bits rest = differ; rest != 0; rest &= rest - 1) {
      const auto site = static_cast<unsigned>(std::countr_zero(rest));
      Bits other = kept[i] ^ (Bits{1} << site | Bits{1} << (site + 1) % sites), least = other;
      for (unsigned k = 1; k < sites; ++k) least = std::min(least, other = next_site(other, sites));
      const auto place = static_cast<std::size_t>(std::lower_bound(kept.begin(), kept.end(), least) - kept.begin());
      sum += 0.5 * root[i] / root[place] * x[place];
    }
    y[i] = sum;
  }
}

CORPUS_REGION double dot(const Values& x, const Values& y) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

/// The next vector of Lanczos' recurrence, not normalised: w - alpha v - beta u.
CORPUS_REGION double recur(double alpha, double beta, const Values& v, const Values& u, Values& w) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < w.size(); ++i) {
    w[i] -= alpha * v[i] + beta * u[i];
    sum += w[i] * w[i];
  }
  return std::sqrt(sum);
}

CORPUS_REGION void normalise(double size, Values& x) {
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i) x[i] /= size;
}

/// How many eigenvalues of the tridiagonal matrix are below: signs of Sturm's sequence.
std::size_t below(double limit, const Values& alpha, const Values& beta) {
  std::size_t count = 0;
  double d = 1;
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    d = alpha[i] - limit - (i > 0 ? beta[i - 1] * beta[i - 1] / d : 0);
    count += d < 0;
  }
  return count;
}

/// The lowest energy within the space of some steps.
template <class Multiply>
double lanczos(std::size_t size, int steps, Multiply multiply) {
  Values u(size), v(size), w(size), alpha, beta;
  for (std::size_t i = 0; i < size; ++i) v[i] = std::popcount(i) % 2 ? 1.0 : -0.5;
  normalise(std::sqrt(dot(v, v)), v);
  for (int step = 0; step < steps; ++step) {
    multiply(v, w);
    alpha.push_back(dot(v, w));
    beta.push_back(recur(alpha.back(), step > 0 ? beta.back() : 0, v, u, w));
    normalise(beta.back(), w);
    u.swap(v), v.swap(w);
  }
  double low = -100, high = 100;
  while (high - low > 1e-9) (below((low + high) / 2, alpha, beta) > 0 ? high : low) = (low + high) / 2;
  return low;
}

/// The mean of both spins at some distance: signs from the bits.
CORPUS_REGION double correlation(const States& states, unsigned sites, unsigned distance, const Values& x) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Bits turned = states[i] >> distance | (states[i] << (sites - distance) & ((Bits{1} << sites) - 1));
    sum += x[i] * x[i] * (sites - 2.0 * std::popcount(states[i] ^ turned));
  }
  return sum / sites;
}

/// The lower half's density matrix has the upper halves' amplitudes as rows: its trace of squares for pairs of rows.
CORPUS_REGION double purity(const States& states, const Lookup& table, const Values& x) {
  double sum = 0;
  const Bits mask = (Bits{1} << table.half) - 1;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < states.size(); i += 61)
    for (std::size_t j = i % 7; j < states.size(); j += 509) {
      const Bits a = (states[i] & ~mask) | (states[j] & mask), b = (states[j] & ~mask) | (states[i] & mask);
      if (std::popcount(a) == std::popcount(b)) sum += x[i] * x[j] * x[table(a)] * x[table(b)];
    }
  return sum;
}

/// Which strings an electron can hop to, as string and sign.
struct Hop {
  Bits to;
  float sign;
};

CORPUS_REGION void make_hops(const States& strings, const Lookup& table, unsigned sites, std::vector<Hop>& hops) {
#pragma omp parallel for
  for (std::size_t i = 0; i < strings.size(); ++i)
    for (unsigned site = 0; site < sites; ++site) {
      const Bits both = Bits{1} << site | Bits{1} << (site + 1) % sites;
      const bool movable = std::popcount(strings[i] & both) == 1;
      const bool odd = site + 1 == sites && std::popcount(strings[i]) % 2 == 0;
      hops[i * sites + site] = {movable ? table(strings[i] ^ both) : 0, movable ? (odd ? 1.0f : -1.0f) : 0.0f};
    }
}

/// Electrons of both kinds on the same site repel each other.
CORPUS_REGION void hubbard_sites(const States& strings, double u, const Values& x, Values& y) {
#pragma omp parallel for
  for (std::size_t a = 0; a < strings.size(); ++a)
    for (std::size_t b = 0; b < strings.size(); ++b)
      y[a * strings.size() + b] = u * std::popcount(strings[a] & strings[b]) * x[a * strings.size() + b];
}

/// Hops of the one kind add up whole rows.
CORPUS_REGION void hubbard_rows(const std::vector<Hop>& hops, std::size_t n, const Values& x, Values& y) {
  const std::size_t width = hops.size() / n;
#pragma omp parallel for
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t k = a * width; k < (a + 1) * width; ++k)
      for (std::size_t b = 0; hops[k].sign != 0 && b < n; ++b)
        y[a * n + b] += static_cast<double>(hops[k].sign) * x[hops[k].to * n + b];
}

/// Hops of the other kind gather within a row.
CORPUS_REGION void hubbard_columns(const std::vector<Hop>& hops, std::size_t n, const Values& x, Values& y) {
  const std::size_t width = hops.size() / n;
#pragma omp parallel for
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      double sum = 0;
      for (std::size_t k = b * width; k < (b + 1) * width; ++k)
        sum += static_cast<double>(hops[k].sign) * x[a * n + hops[k].to];
      y[a * n + b] += sum;
    }
}

/// Chebyshev's recurrence, and its sum for the state at a later time: older = 2 h - older for the next one.
CORPUS_REGION void chebyshev(std::complex<double> weight, double scale, const Values& h, Values& older, Wave& wave) {
#pragma omp parallel for
  for (std::size_t i = 0; i < h.size(); ++i) {
    older[i] = 2 / scale * h[i] - older[i];
    wave[i] += weight * older[i];
  }
}

CORPUS_REGION double norm(const Wave& wave) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < wave.size(); ++i) sum += std::norm(wave[i]);
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  const unsigned sites = input.pick(18u, 18u), up = input.pick(8u, 9u), ring = 10, electrons = input.pick(4u, 5u);
  const States states = make_states(sites, up);
  Lookup table{sites / 2, States(1u << (sites - sites / 2)), States(1u << sites / 2)};
  fill_lookup(states, table);
  std::vector<std::uint8_t> period(states.size());
  find_representatives(states, sites, period);
  States kept;
  Values root;
  keep_representatives(states, period, kept, root);
  const auto whole = [&](const Values& x, Values& y) { heisenberg(states, table, sites, x, y); };
  const auto symmetric = [&](const Values& x, Values& y) { heisenberg_symmetric(kept, root, sites, x, y); };
  const double energy = lanczos(states.size(), 8, whole), lowest = lanczos(kept.size(), 25, symmetric);
  const std::size_t n = states.size();
  Values x(n), y(n), z(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = corpus::random_real(input.seed, i) - 0.5;
  normalise(std::sqrt(dot(x, x)), x);
  whole(x, y);
  heisenberg_scattered(states, sites, x, z);
  bool right = std::fabs(dot(y, y) - dot(y, z)) < 1e-9 && lowest < energy + 0.5 && energy > -0.5 * sites;
  const double order = correlation(states, sites, 3, x) + purity(states, table, x);
  // exp(-i H t) = sum of Bessel's functions times Chebyshev's polynomials of H / scale.
  Wave wave(n);
  const double scale = sites, time = 0.15 * scale;
  for (std::size_t i = 0; i < n; ++i) wave[i] = std::cyl_bessel_j(0.0, time) * x[i], z[i] = y[i] / scale;
  const std::complex<double> turn(0, -1);
  for (std::size_t i = 0; i < n; ++i) wave[i] += 2 * std::cyl_bessel_j(1.0, time) * turn * z[i];
  for (int k = 2; k < 16; ++k, x.swap(z)) {
    whole(z, y);
    chebyshev(2 * std::cyl_bessel_j(k, time) * std::pow(turn, k), scale, y, x, wave);
  }
  right = right && std::fabs(norm(wave) - 1) < 1e-6;
  const States strings = make_states(ring, electrons);
  Lookup places{ring / 2, States(1u << ring / 2), States(1u << ring / 2)};
  fill_lookup(strings, places);
  std::vector<Hop> hops(strings.size() * ring);
  make_hops(strings, places, ring, hops);
  const auto hubbard = [&](const Values& in, Values& out) {
    hubbard_sites(strings, 4, in, out);
    hubbard_rows(hops, strings.size(), in, out);
    hubbard_columns(hops, strings.size(), in, out);
  };
  const double ground = lanczos(strings.size() * strings.size(), 20, hubbard);
  right = right && ground < 0 && ground > -4.0 * electrons;
  return {.checksum = energy + lowest + order + ground + wave[n / 2].real(), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
