// Factors of large sparse tables: stochastic gradients, alternating least squares, coordinates, multiplicative updates,
// rankings of pairs, factorisation machines; word vectors by skip-grams.
// Source: Koren, Bell, Volinsky, IEEE Computer 42(8), 2009; Yu et al., ICDM 2012 (coordinates); Lee, Seung, NIPS 2000;
// Rendle et al., UAI 2009 (pairs); Rendle, ICDM 2010 (machines); Mikolov et al., NIPS 2013.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

constexpr std::size_t rank = 16;

using Floats = std::vector<float>;
using Numbers = std::vector<std::uint32_t>;
using Row = std::array<float, rank>;
using Rows = std::vector<Row>;

struct Rating {
  std::uint32_t user, item;
  float value;
};

using Ratings = std::vector<Rating>;

float dot(const Row& a, const Row& b) {
  float sum = 0;
  for (std::size_t k = 0; k < rank; ++k) sum += a[k] * b[k];
  return sum;
}

CORPUS_REGION void make_rows(Rows& rows, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t k = 0; k < rank; ++k)
      rows[r][k] = static_cast<float>(0.1 + 0.4 * corpus::random_real(seed, r * rank + k));
}

/// In the order of users; some items are rated much more often than others.
CORPUS_REGION void make_ratings(Ratings& ratings, std::size_t users, std::size_t items, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t r = 0; r < ratings.size(); ++r) {
    const double u = corpus::random_real(seed, r);
    const auto user = static_cast<std::uint32_t>(r * users / ratings.size());
    const auto item = static_cast<std::uint32_t>(u * u * static_cast<double>(items));
    ratings[r] = {user, item, static_cast<float>(1 + user % 3 + (item % 5) / 2)};
  }
}

CORPUS_REGION double error(const Ratings& ratings, const Rows& users, const Rows& items) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t r = 0; r < ratings.size(); ++r) {
    const float e = ratings[r].value - dot(users[ratings[r].user], items[ratings[r].item]);
    sum += static_cast<double>(e * e);
  }
  return std::sqrt(sum / static_cast<double>(ratings.size()));
}

/// One rating after the other: a row of users, mostly the same, and one of items, at random.
CORPUS_REGION void descend(const Ratings& ratings, Rows& users, Rows& items, float rate) {
  for (const Rating& r : ratings) {
    Row &user = users[r.user], &item = items[r.item];
    const float e = rate * (r.value - dot(user, item));
    for (std::size_t k = 0; k < rank; ++k) {
      const float old = user[k];
      user[k] += e * item[k] - rate * 0.01f * user[k];
      item[k] += e * old - rate * 0.01f * item[k];
    }
  }
}

CORPUS_REGION void count_starts(const Ratings& ratings, Numbers& start) {
  for (const Rating& r : ratings) ++start[r.user + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
}

/// The same ratings by items, with the parts of user and item exchanged.
CORPUS_REGION void exchange(const Ratings& ratings, Numbers& start, Ratings& out) {
  for (const Rating& r : ratings) ++start[r.item + 2];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (const Rating& r : ratings) out[start[r.item + 1]++] = {r.item, r.user, r.value};
}

/// Solves a x = b by Cholesky's method; a has its lower triangle.
void solve(std::array<Row, rank>& a, Row& x) {
  for (std::size_t j = 0; j < rank; ++j) {
    for (std::size_t k = 0; k < j; ++k)
      for (std::size_t i = j; i < rank; ++i) a[i][j] -= a[i][k] * a[j][k];
    const float scale = 1 / std::sqrt(a[j][j]);
    for (std::size_t i = j; i < rank; ++i) a[i][j] *= scale;
  }
  for (std::size_t i = 0; i < rank; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
  for (std::size_t i = rank; i-- > 0;) {
    for (std::size_t k = i + 1; k < rank; ++k) x[i] -= a[k][i] * x[k];
    x[i] /= a[i][i];
  }
}

/// A least-squares problem of 16 unknowns for each row.
CORPUS_REGION void alternate(const Ratings& ratings, const Numbers& start, Rows& rows, const Rows& others) {
#pragma omp parallel for schedule(dynamic, 32)
  for (std::size_t u = 0; u < rows.size(); ++u) {
    std::array<Row, rank> a{};
    Row b{};
    for (std::size_t k = 0; k < rank; ++k) a[k][k] = 0.1f;
    for (std::size_t r = start[u]; r < start[u + 1]; ++r) {
      const Row& x = others[ratings[r].item];
      for (std::size_t i = 0; i < rank; ++i) {
        for (std::size_t j = 0; j <= i; ++j) a[i][j] += x[i] * x[j];
        b[i] += ratings[r].value * x[i];
      }
    }
    solve(a, b);
    rows[u] = b;
  }
}

/// What the factors leave of each rating, kept for the updates below.
CORPUS_REGION void residuals(const Ratings& ratings, const Rows& users, const Rows& items, Floats& rest) {
#pragma omp parallel for
  for (std::size_t r = 0; r < ratings.size(); ++r)
    rest[r] = ratings[r].value - dot(users[ratings[r].user], items[ratings[r].item]);
}

/// One column of the factor of users: a number of each row of 64 bytes.
CORPUS_REGION void coordinate(const Ratings& ratings, const Numbers& start, std::size_t k, Rows& users,
                              const Rows& items, Floats& rest) {
#pragma omp parallel for schedule(static, 64)
  for (std::size_t u = 0; u < users.size(); ++u) {
    float above = 0, below = 0.1f;
    for (std::size_t r = start[u]; r < start[u + 1]; ++r) {
      const float x = items[ratings[r].item][k];
      above += (rest[r] + users[u][k] * x) * x;
      below += x * x;
    }
    const float step = above / below - users[u][k];
    for (std::size_t r = start[u]; r < start[u + 1]; ++r) rest[r] -= step * items[ratings[r].item][k];
    users[u][k] += step;
  }
}

CORPUS_REGION double square_sum(const Floats& values) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < values.size(); ++i)
    sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return sum;
}

/// Non-negative factors: each row is multiplied by what it should be over what it is.
CORPUS_REGION void multiply_rows(const Ratings& ratings, const Numbers& start, Rows& users, const Rows& items) {
#pragma omp parallel for schedule(dynamic, 32)
  for (std::size_t u = 0; u < users.size(); ++u) {
    Row above{}, below{};
    for (std::size_t r = start[u]; r < start[u + 1]; ++r) {
      const Row& item = items[ratings[r].item];
      const float is = dot(users[u], item);
      for (std::size_t k = 0; k < rank; ++k) above[k] += ratings[r].value * item[k], below[k] += is * item[k];
    }
    for (std::size_t k = 0; k < rank; ++k) users[u][k] *= above[k] / (below[k] + 1e-9f);
  }
}

/// What was rated is to rank before a random item: three rows a step.
CORPUS_REGION void rank_pairs(const Ratings& ratings, Rows& users, Rows& items, corpus::Random& random) {
  for (std::size_t r = 0; r < ratings.size(); r += 4) {
    Row &user = users[ratings[r].user], &better = items[ratings[r].item], &worse = items[random.below(items.size())];
    const float step = 0.05f / (1 + std::exp(dot(user, better) - dot(user, worse)));
    for (std::size_t k = 0; k < rank; ++k) {
      const float difference = better[k] - worse[k];
      better[k] += step * user[k];
      worse[k] -= step * user[k];
      user[k] += step * difference;
    }
  }
}

/// Pairs of the features of a sample (a user, an item, its kind), by sums and squares of their rows.
CORPUS_REGION void predict_machine(const Ratings& ratings, const Rows& users, const Rows& items, Floats& out) {
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t r = 0; r < ratings.size(); ++r) {
    const Row &a = users[ratings[r].user], &b = items[ratings[r].item], &c = items[ratings[r].item / 8];
    float sum = 0;
    for (std::size_t k = 0; k < rank; ++k) {
      const float all = a[k] + b[k] + c[k];
      sum += (all * all - a[k] * a[k] - b[k] * b[k] - c[k] * c[k]) / 2;
    }
    out[r] = sum;
  }
}

CORPUS_REGION float check_machine(const Ratings& ratings, const Rows& users, const Rows& items, const Floats& out) {
  float worst = 0;
  for (std::size_t r = 0; r < ratings.size(); r += 8) {
    const Row &a = users[ratings[r].user], &b = items[ratings[r].item], &c = items[ratings[r].item / 8];
    worst = std::max(worst, std::fabs(out[r] - dot(a, b) - dot(a, c) - dot(b, c)) / (1 + std::fabs(out[r])));
  }
  return worst;
}

/// A word's row moves towards those of the words around it, away from four random ones.
CORPUS_REGION void skip_grams(const Numbers& text, Rows& inside, Rows& outside, corpus::Random& random) {
  for (std::size_t w = 1; w + 1 < text.size(); w += 2) {
    Row change{};
    Row& word = inside[text[w]];
    for (std::size_t sample = 0; sample < 6; ++sample) {
      Row& other = outside[sample < 2 ? text[w - 1 + 2 * sample] : random.below(outside.size())];
      const float step = 0.05f * ((sample < 2 ? 1.0f : 0.0f) - 1 / (1 + std::exp(-dot(word, other))));
      for (std::size_t k = 0; k < rank; ++k) change[k] += step * other[k], other[k] += step * word[k];
    }
    for (std::size_t k = 0; k < rank; ++k) word[k] += change[k];
  }
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const std::size_t n = input.pick<std::size_t>(80'000, 130'000), many = input.pick<std::size_t>(10'000, 16'000);
  const std::size_t few = many / 2;
  Rows users(many), items(many);
  make_rows(users, input.seed);
  make_rows(items, input.seed + 1);
  Ratings ratings(n), by_items(n);
  make_ratings(ratings, few, many, input.seed + 2);
  Numbers start(many + 1), item_start(many + 2), text(n / 4);
  count_starts(ratings, start);
  exchange(ratings, item_start, by_items);
  const double first = error(ratings, users, items);
  multiply_rows(ratings, start, users, items);
  const double second = error(ratings, users, items);
  descend(ratings, users, items, 0.02f);
  const double third = error(ratings, users, items);
  alternate(ratings, start, users, items);
  alternate(by_items, item_start, items, users);
  const double fourth = error(ratings, users, items);
  Floats rest(n);
  residuals(ratings, users, items, rest);
  const double left = square_sum(rest);
  for (std::size_t k = 0; k < 3; ++k) coordinate(ratings, start, k, users, items, rest);
  bool right = second < first && third < second && fourth < third && square_sum(rest) < left * 1.05;
  predict_machine(ratings, users, items, rest);
  right = right && check_machine(ratings, users, items, rest) < 1e-3f;
  rank_pairs(ratings, users, items, random);
  for (std::size_t w = 0; w < text.size(); ++w) text[w] = by_items[w * 4].user;
  skip_grams(text, users, items, random);
  return {.checksum = fourth + static_cast<double>(users[7][3] + items[9][1]), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
