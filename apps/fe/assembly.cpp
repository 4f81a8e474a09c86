// The mesh, the elements' integrals, and the matrix that they are added up in.
#include <algorithm>
#include <cmath>

#include "apps/fe/poisson.h"

namespace fe {
namespace {

constexpr double bend = 0.05;  // of the cube, at most
constexpr int colours = 8;

/// Shape functions of the eight nodes and their derivatives, at one of 2 x 2 x 2 Gauss points, all of weight 1.
struct GaussPoint {
  double shape[8];
  double slope[8][3];
};

constexpr int sign_of_node[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                    {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

std::array<GaussPoint, 8> gauss_points() {
  std::array<GaussPoint, 8> points{};
  const double distance = 1 / std::sqrt(3.0);
  for (int g = 0; g < 8; ++g) {
    for (int i = 0; i < 8; ++i) {
      double along[3];
      for (int d = 0; d < 3; ++d) along[d] = 0.5 * (1 + sign_of_node[i][d] * sign_of_node[g][d] * distance);
      points[g].shape[i] = along[0] * along[1] * along[2];
      for (int d = 0; d < 3; ++d) {
        points[g].slope[i][d] = 0.5 * sign_of_node[i][d] * along[(d + 1) % 3] * along[(d + 2) % 3];
      }
    }
  }
  return points;
}

/// An element at a Gauss point: where it is, what volume it stands for, and the gradients of the shape functions there.
struct Mapped {
  Mapped(const std::array<Point, 8>& corners, const GaussPoint& at) {
    double j[3][3] = {};  // j[a][d]: how position a grows with the element's own coordinate d
    for (int i = 0; i < 8; ++i) {
      const Point& node = corners[i];
      for (int a = 0; a < 3; ++a) {
        position[a] += at.shape[i] * node[a];
        for (int d = 0; d < 3; ++d) j[a][d] += at.slope[i][d] * node[a];
      }
    }
    double cofactor[3][3];
    for (int a = 0; a < 3; ++a) {
      for (int d = 0; d < 3; ++d) {
        const int b = (a + 1) % 3, c = (a + 2) % 3, e = (d + 1) % 3, f = (d + 2) % 3;
        cofactor[a][d] = j[b][e] * j[c][f] - j[b][f] * j[c][e];
      }
    }
    volume = j[0][0] * cofactor[0][0] + j[0][1] * cofactor[0][1] + j[0][2] * cofactor[0][2];
    for (int i = 0; i < 8; ++i) {
      for (int a = 0; a < 3; ++a) {
        gradient[i][a] =
            (cofactor[a][0] * at.slope[i][0] + cofactor[a][1] * at.slope[i][1] + cofactor[a][2] * at.slope[i][2]) /
            volume;
      }
    }
  }
  Point position{};
  double volume;
  double gradient[8][3];
};

struct ElementSystem {
  double matrix[8][8];
  double right[8];
};

ElementSystem integrate(const HexMesh& mesh, int element, const std::array<GaussPoint, 8>& points) {
  ElementSystem sum{};
  const std::array<Point, 8> corners = mesh.corners_of(element);
  for (const GaussPoint& point : points) {
    const Mapped at(corners, point);
    const double strength = source(at.position);
    for (int i = 0; i < 8; ++i) {
      for (int k = 0; k < 8; ++k) {
        const double product = at.gradient[i][0] * at.gradient[k][0] + at.gradient[i][1] * at.gradient[k][1] +
                               at.gradient[i][2] * at.gradient[k][2];
        sum.matrix[i][k] += at.volume * product;
      }
      sum.right[i] += at.volume * point.shape[i] * strength;
    }
  }
  return sum;
}

void add(const HexMesh& mesh, int element, const ElementSystem& part, LinearSystem& system) {
  const std::array<int, 8> nodes = mesh.nodes_of(element);
  for (int i = 0; i < 8; ++i) {
    if (mesh.on_boundary(nodes[i])) continue;
    system.right[nodes[i]] += part.right[i];
    for (int k = 0; k < 8; ++k) {
      if (!mesh.on_boundary(nodes[k])) system.value[find(system, nodes[i], nodes[k])] += part.matrix[i][k];
    }
  }
}

/// The nodes that share an element with this one, itself too, ascending. Returns how many.
int neighbours_of(const HexMesh& mesh, int node, std::array<int, 27>& found) {
  const std::array<int, 3> at = mesh.place(node);
  std::array<int, 3> low, high;
  for (int d = 0; d < 3; ++d) {
    low[d] = std::max(at[d] - 1, 0);
    high[d] = std::min(at[d] + 1, mesh.side);
  }
  int size = 0;
  for (int z = low[2]; z <= high[2]; ++z) {
    for (int y = low[1]; y <= high[1]; ++y) {
      for (int x = low[0]; x <= high[0]; ++x) found[size++] = (z * mesh.width() + y) * mesh.width() + x;
    }
  }
  return size;
}

void make_rows(const HexMesh& mesh, LinearSystem& system) {
  system.first.assign(mesh.nodes() + 1, 0);
#pragma omp parallel for
  for (int n = 0; n < mesh.nodes(); ++n) {
    std::array<int, 27> found;
    system.first[n + 1] = neighbours_of(mesh, n, found);
  }
  for (int n = 0; n < mesh.nodes(); ++n) system.first[n + 1] += system.first[n];
  system.column.resize(system.first.back());
  system.value.assign(system.first.back(), 0);
  system.right.assign(mesh.nodes(), 0);
#pragma omp parallel for
  for (int n = 0; n < mesh.nodes(); ++n) {
    std::array<int, 27> found;
    const int size = neighbours_of(mesh, n, found);
    std::copy(found.begin(), found.begin() + size, system.column.begin() + system.first[n]);
    if (mesh.on_boundary(n)) system.value[find(system, n, n)] = 1;
  }
}

}  // namespace

Point HexMesh::position(int node) const {
  const std::array<int, 3> at = place(node);
  Point even;
  for (int d = 0; d < 3; ++d) even[d] = static_cast<double>(at[d]) / side;
  const double inside = bend * exact_solution(even);  // 1 in the middle, 0 on the boundary
  return {even[0] + inside, even[1] - inside, even[2] + inside};
}

bool HexMesh::on_boundary(int node) const {
  return std::ranges::any_of(place(node), [this](int i) { return i == 0 || i == side; });
}

std::array<int, 8> HexMesh::nodes_of(int element) const {
  const int node = (element / side / side * width() + element / side % side) * width() + element % side;
  const int up = width() * width(), back = width();
  return {node,      node + 1,      node + back + 1,      node + back,
          node + up, node + up + 1, node + up + back + 1, node + up + back};
}

std::array<Point, 8> HexMesh::corners_of(int element) const {
  const std::array<int, 8> nodes = nodes_of(element);
  std::array<Point, 8> corners;
  for (int i = 0; i < 8; ++i) corners[i] = position(nodes[i]);
  return corners;
}

double exact_solution(const Point& at) { return 64 * at[0] * (1 - at[0]) * at[1] * (1 - at[1]) * at[2] * (1 - at[2]); }

double source(const Point& at) {
  const double x = at[0] * (1 - at[0]), y = at[1] * (1 - at[1]), z = at[2] * (1 - at[2]);
  return 128 * (x * y + y * z + z * x);
}

// Elements of a colour are two apart in each direction and so share no node; the colours make the order of additions
// the same for any number of threads.
LinearSystem assemble(const HexMesh& mesh) {
  LinearSystem system;
  make_rows(mesh, system);
  const std::array<GaussPoint, 8> points = gauss_points();
  const int side = mesh.side;
  for (int colour = 0; colour < colours; ++colour) {
    const int from[3] = {colour & 1, colour >> 1 & 1, colour >> 2};
#pragma omp parallel for collapse(2)
    for (int z = from[2]; z < side; z += 2) {
      for (int y = from[1]; y < side; y += 2) {
        for (int x = from[0]; x < side; x += 2) {
          const int element = (z * side + y) * side + x;
          add(mesh, element, integrate(mesh, element, points), system);
        }
      }
    }
  }
  return system;
}

// By layers of elements, each summed up on its own: the same for any number of threads.
double error_of(const HexMesh& mesh, const std::vector<double>& solution) {
  const std::array<GaussPoint, 8> points = gauss_points();
  const int layer = mesh.side * mesh.side;
  std::vector<double> squares(mesh.side, 0);
#pragma omp parallel for
  for (int z = 0; z < mesh.side; ++z) {
    for (int e = z * layer; e < (z + 1) * layer; ++e) {
      const std::array<Point, 8> corners = mesh.corners_of(e);
      const std::array<int, 8> nodes = mesh.nodes_of(e);
      for (const GaussPoint& point : points) {
        const Mapped at(corners, point);
        double difference = -exact_solution(at.position);
        for (int i = 0; i < 8; ++i) difference += point.shape[i] * solution[nodes[i]];
        squares[z] += at.volume * difference * difference;
      }
    }
  }
  double sum = 0;
  for (const double square : squares) sum += square;
  return std::sqrt(sum);
}

}  // namespace fe
