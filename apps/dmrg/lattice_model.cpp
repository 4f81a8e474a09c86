#include "apps/dmrg/lattice_model.h"

#include <algorithm>
#include <utility>

#include "apps/common/mini_app.h"

namespace dmrg {
namespace {

/// An operator of one site: a dense matrix of (bra, ket).
struct LocalOperator {
  Quantum charge;  ///< what it adds to the quantum number
  std::vector<std::vector<double>> values;
};

/// One kind of term: factor * first_i * second_j, with `string` on all sites between i and j.
struct PairTerm {
  LocalOperator first, second;
  double factor;
};

struct Site {
  std::vector<Quantum> states;
  LocalOperator identity, string, on_site;
  std::vector<PairTerm> pairs;
};

Site spin_half() {
  const LocalOperator identity{{}, {{1, 0}, {0, 1}}};
  const LocalOperator z{{}, {{0.5, 0}, {0, -0.5}}};
  const LocalOperator plus{{2, 0}, {{0, 1}, {0, 0}}};
  const LocalOperator minus{{-2, 0}, {{0, 0}, {1, 0}}};
  return {.states = {{1, 0}, {-1, 0}},
          .identity = identity,
          .string = identity,
          .on_site = {{}, {{0, 0}, {0, 0}}},
          .pairs = {{z, z, 1}, {plus, minus, 0.5}, {minus, plus, 0.5}}};
}

/// States: empty, up, down, both = c+_up c+_down |empty>. The parity F of a site stands right of the first operator of
/// a pair and on all sites between (Jordan-Wigner).
Site electrons(double interaction) {
  using Matrix = std::vector<std::vector<double>>;
  // c+_up F and c_up F; c_up and c+_up; with the order up before down, c_down has the parity of up on its own site.
  const LocalOperator identity{{}, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
  const LocalOperator parity{{}, {{1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, 1}}};
  const Matrix create_up{{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}};
  const Matrix create_down{{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, -1, 0, 0}};
  const auto adjoint = [](Matrix m) {
    for (std::size_t i = 0; i < m.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) std::swap(m[i][j], m[j][i]);
    }
    return m;
  };
  const auto times_parity = [&](Matrix m) {
    for (auto& row : m) {
      for (std::size_t j = 0; j < row.size(); ++j) row[j] *= parity.values[j][j];
    }
    return m;
  };
  Matrix both(4, std::vector<double>(4, 0.0));
  both[3][3] = interaction;
  Site site{.states = {{0, 0}, {1, 0}, {0, 1}, {1, 1}},
            .identity = identity,
            .string = parity,
            .on_site = {{}, both},
            .pairs = {}};
  for (const auto& [create, charge] : {std::pair{create_up, Quantum{1, 0}}, std::pair{create_down, Quantum{0, 1}}}) {
    const Quantum less = Quantum{} - charge;
    const Matrix destroy = adjoint(create);
    // -(c+_i c_j + c+_j c_i), and c+_j c_i = -c_i c+_j.
    site.pairs.push_back({{charge, times_parity(create)}, {less, destroy}, -1});
    site.pairs.push_back({{less, times_parity(destroy)}, {charge, create}, +1});
  }
  return site;
}

void add_operator(std::vector<Element>& elements, std::size_t left, std::size_t right, const LocalOperator& op,
                  double factor) {
  for (std::size_t bra = 0; bra < op.values.size(); ++bra) {
    for (std::size_t ket = 0; ket < op.values.size(); ++ket) {
      if (op.values[bra][ket] != 0) elements.push_back({left, right, bra, ket, factor * op.values[bra][ket]});
    }
  }
}

/// An operator that waits for its partner: channel 0 has nothing yet, channel 1 has everything.
struct Waiting {
  std::size_t site, pair, last;
};

using Neighbours = std::vector<std::pair<std::size_t, std::size_t>>;

/// The last site that has this one as its first neighbour, or this one.
std::size_t last_partner(const Neighbours& neighbours, std::size_t site) {
  std::size_t last = site;
  for (const auto& [first, second] : neighbours) {
    if (first == site) last = std::max(last, second);
  }
  return last;
}

/// Neel order: neighbours differ.
std::size_t first_state(const ModelOptions& options, std::size_t site) {
  const bool even = (site / options.width + site % options.width) % 2 == 0;
  return options.kind == Kind::heisenberg ? (even ? 0 : 1) : (even ? 1 : 2);
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> neighbours_of(const ModelOptions& options) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t x = 0; x < options.length; ++x) {
    for (std::size_t y = 0; y < options.width; ++y) {
      const std::size_t i = x * options.width + y;
      if (y + 1 < options.width) pairs.emplace_back(i, i + 1);
      if (x + 1 < options.length) pairs.emplace_back(i, i + options.width);
    }
  }
  return pairs;
}

Model make_model(const ModelOptions& options) {
  const std::size_t sites = options.length * options.width;
  if (sites < 3) throw apps::InputError("--length, --width: there must be at least 3 sites.");
  const Site site = options.kind == Kind::heisenberg ? spin_half() : electrons(options.interaction);
  const auto neighbours = neighbours_of(options);
  Model model{.states = site.states, .elements = {}, .channels = {{{}, {}}}, .product_state = {}};
  std::vector<Waiting> left;
  for (std::size_t i = 0; i < sites; ++i) {
    const std::size_t last = last_partner(neighbours, i);
    std::vector<Waiting> right;
    for (const Waiting& waiting : left) {
      if (waiting.last > i) right.push_back(waiting);
    }
    for (std::size_t pair = 0; pair < site.pairs.size() && last > i; ++pair) right.push_back({i, pair, last});

    auto& elements = model.elements.emplace_back();
    add_operator(elements, 0, 0, site.identity, 1);
    add_operator(elements, 1, 1, site.identity, 1);
    add_operator(elements, 0, 1, site.on_site, 1);
    for (std::size_t l = 0; l < left.size(); ++l) {
      const PairTerm& pair = site.pairs[left[l].pair];
      if (std::ranges::count(neighbours, std::pair{left[l].site, i}) != 0) {
        add_operator(elements, l + 2, 1, pair.second, pair.factor);
      }
      for (std::size_t r = 0; r < right.size(); ++r) {
        if (right[r].site == left[l].site && right[r].pair == left[l].pair) {
          add_operator(elements, l + 2, r + 2, site.string, 1);
        }
      }
    }
    auto& channels = model.channels.emplace_back(2);
    for (std::size_t r = 0; r < right.size(); ++r) {
      if (right[r].site == i) add_operator(elements, 0, r + 2, site.pairs[right[r].pair].first, 1);
      channels.push_back(site.pairs[right[r].pair].first.charge);
    }
    left = std::move(right);
    model.product_state.push_back(first_state(options, i));
  }
  return model;
}

}  // namespace dmrg
