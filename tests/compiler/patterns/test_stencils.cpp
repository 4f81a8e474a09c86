// Are stencils found with all their points, and nothing else taken for one?
#include <gtest/gtest.h>

#include "tests/compiler/patterns/pattern_table.h"

namespace lbhm::test {
namespace {

const std::vector<Loop> stencils{
    {"paper",  // section 4 of the Merchandiser paper
     "void paper(double* a, int n) { for (int i = 1; i < n - 1; ++i) a[i] = a[i - 1] + a[i + 1]; }",
     {"a: stencil -1 1 read", "a: stencil -1 1 write"}},
    {"three_points",
     "void three_points(double* restrict a, const double* restrict b, int n) {"
     " for (int i = 1; i < n - 1; ++i) a[i] = b[i - 1] + 2 * b[i] + b[i + 1]; }",
     {"a: stream 8 write", "b: stencil -1 0 1 read"}},
    {"five_points",
     "void five_points(double* restrict a, const double* restrict b, int n) {"
     " for (int i = 1; i < n - 1; ++i) for (int j = 1; j < n - 1; ++j)"
     " a[i * n + j] = b[i * n + j] + b[i * n + j - 1] + b[i * n + j + 1] + b[(i - 1) * n + j] + b[(i + 1) * n + j]; }",
     {"a: stream 8 write", "b: stencil -n -1 0 1 n read"}},
    {"nine_points",
     "void nine_points(double (*restrict a)[300], double (*restrict b)[300]) {"
     " for (int i = 1; i < 299; ++i) for (int j = 1; j < 299; ++j)"
     " a[i][j] = b[i - 1][j - 1] + b[i - 1][j] + b[i - 1][j + 1] + b[i][j - 1] + b[i][j] + b[i][j + 1]"
     " + b[i + 1][j - 1] + b[i + 1][j] + b[i + 1][j + 1]; }",
     {"a: stream 8 write", "b: stencil -301 -300 -299 -1 0 1 299 300 301 read"}},
    {"seven_points",
     "#define B(i, j, k) b[((long)(i) * m + (j)) * l + (k)]\n"
     "void seven_points(double* restrict a, const double* restrict b, int n, int m, int l) {"
     " for (int i = 1; i < n - 1; ++i) for (int j = 1; j < m - 1; ++j) for (int k = 1; k < l - 1; ++k)"
     " a[((long)i * m + j) * l + k] = B(i, j, k) + B(i - 1, j, k) + B(i + 1, j, k) + B(i, j - 1, k) + B(i, j + 1, k)"
     " + B(i, j, k - 1) + B(i, j, k + 1); }",
     {"a: stream 8 write", "b: stencil -m*l -l -1 0 1 l m*l read"}},
    {"cube",  // 27 points
     "void cube(float (*restrict a)[64][64], float (*restrict b)[64][64]) {"
     " for (int i = 1; i < 63; ++i) for (int j = 1; j < 63; ++j) for (int k = 1; k < 63; ++k) { float s = 0;"
     " \n#pragma clang loop unroll(full)\n for (int x = -1; x < 2; ++x)\n#pragma clang loop unroll(full)\n for (int y "
     "= -1; y < 2; ++y)\n#pragma clang loop unroll(full)\n for (int z = -1; z < 2; ++z) s += b[i + x][j + y][k + "
     "z];"
     " a[i][j][k] = s; } }",
     {"a: stream 4 write",
      "b: stencil -4161 -4160 -4159 -4097 -4096 -4095 -4033 -4032 -4031 -65 -64 -63 -1 0 1 63 64 65 4031 4032 4033 "
      "4095 "
      "4096 4097 4159 4160 4161 read"},
     {"b: strided 16384 read"}},
    {"gauss_seidel",
     "void gauss_seidel(double (*a)[512]) { for (int i = 1; i < 511; ++i) for (int j = 1; j < 511; ++j)"
     " a[i][j] = .25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]); }",
     {"a: stencil -512 -1 1 512 read", "a: stencil -512 -1 1 512 write"}},
    {"time_steps",
     "void time_steps(double* a, double* b, int n, int steps) { for (int t = 0; t < steps; ++t) {"
     " for (int i = 1; i < n - 1; ++i) b[i] = a[i - 1] + a[i] + a[i + 1];"
     " for (int i = 1; i < n - 1; ++i) a[i] = b[i - 1] + b[i] + b[i + 1]; } }",
     {"a: stencil -1 0 1 read", "a: stream 8 write", "b: stencil -1 0 1 read", "b: stream 8 write"}},
    {"every_other",
     "void every_other(double* restrict a, const double* restrict b, int n) {"
     " for (int i = 2; i < n - 2; i += 2) a[i] = b[i - 2] + b[i] + b[i + 2]; }",
     {"a: strided 16 write", "b: stencil -2 0 2 read"}},
    {"forward_difference",
     "void forward_difference(float* restrict a, const float* restrict b, int n) {"
     " for (int i = 0; i < n; ++i) a[i] = b[i + 1] - b[i]; }",
     {"a: stream 4 write", "b: stencil 0 1 read"}},
    {"automaton",  // of integers, but not side by side
     "void automaton(int* restrict a, const int* restrict b, int n) {"
     " for (int i = 1; i < n - 1; ++i) a[i] = b[i - 1] ^ b[i + 1]; }",
     {"a: stream 4 write", "b: stencil -1 1 read"}},
    {"complex_stencil",
     "void complex_stencil(_Complex double* restrict a, const _Complex double* restrict b, int n) {"
     " for (int i = 1; i < n - 1; ++i) a[i] = b[i - 1] + b[i + 1]; }",
     {"a: stream 16 write", "b: stencil -1 1 read"}},
    {"distance_by_argument",
     "double distance_by_argument(const double* a, int d, int n) { double s = 0;"
     " for (int i = d; i < n - d; ++i) s += a[i - d] * a[i] * a[i + d]; return s; }",
     {"a: stencil -d 0 d by input read"}},
    {"distances_from_memory",
     "double distances_from_memory(const double* a, const int* off, int n) { double s = 0; int p = off[0], q = off[1];"
     " for (int i = 0; i < n; ++i) s += a[i] + a[i + p] + a[i + q]; return s; }",
     {"a: stencil 0 p q by input read"}},
};

const std::vector<Loop> others{
    {"two_planes",  // arrays behind one another
     "double two_planes(const double* a, int n) { double s = 0;"
     " for (int i = 0; i < n; ++i) s += a[i] * a[i + n] + a[i + 2 * n]; return s; }",
     {"a: stream 8 read"}},
    {"points",
     "struct point { double x, y, z; };\n"
     "void points(struct point* p, int n) { for (int i = 0; i < n; ++i) { p[i].x += 1; p[i].y += 2; p[i].z *= 3; } }",
     {"p: stream 24 read", "p: stream 24 write"}},
    {"one_field",
     "struct body { double x, y, z; };\n"
     "void one_field(struct body* p, int n) { for (int i = 0; i < n; ++i) p[i].x += 1; }",
     {"p: strided 24 read", "p: strided 24 write"}},
    {"two_of_three_fields",
     "struct three { double x, y, z; };\n"
     "double two_of_three_fields(struct three* p, int n) { double s = 0; for (int i = 0; i < n; ++i) s += p[i].x * "
     "p[i].z; return s; }",
     {"p: strided 24 read"}},
    {"separate_arrays",
     "struct arrays { double *x, *y; };\n"
     "void separate_arrays(const struct arrays* s, int n) { double* x = s->x; double* y = s->y;"
     " for (int i = 0; i < n; ++i) x[i] += y[i]; }",
     {"x: stream 8 read", "x: stream 8 write", "y: stream 8 read"}},
    {"complex_numbers",
     "void complex_numbers(_Complex double* a, _Complex double q, int n) { for (int i = 0; i < n; ++i) a[i] += q; }",
     {"a: stream 16 read", "a: stream 16 write"}},
    {"halves",
     "void halves(double* a, int n) { for (int i = 0; i < n; ++i) { double x = a[i], y = a[i + 4096]; a[i] = x + y; "
     "a[i + 4096] = x - y; } }",
     {"a: stencil 0 4096 read", "a: stencil 0 4096 write"}},
    {"small_matrices",
     "void small_matrices(double* restrict y, const double (*m)[4], const double* restrict x, int n) { for (int e = 0; "
     "e < n; ++e) {"
     " y[2 * e] = m[e][0] * x[0] + m[e][1] * x[1]; y[2 * e + 1] = m[e][2] * x[0] + m[e][3] * x[1]; } }",
     {"m: stream 32 read", "y: stream 16 write"},
     {"x: fixed read"}},
    {"row_limits",
     "void row_limits(int* len, const int* rp, int n) { for (int i = 0; i < n; ++i) { int c = 0;"
     " for (int k = rp[i]; k < rp[i + 1]; ++k) c += k & 3; len[i] = c; } }",
     {"len: stream 4 write", "rp: stream 4 read"}},
    {"row_lengths",
     "void row_lengths(long* len, const long* index, int n) {"
     " for (int i = 0; i < n; ++i) len[i] = index[i + 1] - index[i]; }",
     {"index: stream 8 read", "len: stream 8 write"}},
    {"row_begins",
     "void row_begins(int* index, int n) { for (int i = 0; i < n; ++i) index[i + 1] += index[i]; }",
     {"index: stream 4 read", "index: stream 4 write"}},
    {"row_ranges",
     "long use(const double*, const double*);\n"
     "long row_ranges(const double* v, const int* index, int n) { long s = 0;"
     " for (int i = 0; i < n; ++i) s += use(v + index[i], v + index[i + 1]); return s; }",
     {"index: stream 4 read"}},
};

const std::vector<Loop> rows{
    {"rows_of_pointers",
     "void rows_of_pointers(double** to, double** from, int n, int m) { for (int i = 1; i < n - 1; ++i)"
     " for (int j = 1; j < m - 1; ++j)"
     " to[i][j] = from[i][j] + from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]; }",
     {"from: stencil -1 0 1 read", "from[]: stencil -row -1 0 1 row read", "to: stream 8 read",
      "to[]: stream 8 write"}},
    {"rows_in_place",
     "void rows_in_place(float** a, int n, int m) { for (int i = 1; i < n - 1; ++i) for (int j = 1; j < m - 1; ++j)"
     " a[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]; }",
     {"a: stencil -1 0 1 read", "a[]: stencil -row -1 1 row read", "a[]: stencil -row -1 1 row write"}},
    {"rows_above_each_other",
     "double rows_above_each_other(double** a, int n, int m) { double s = 0; for (int i = 0; i < n - 2; ++i)"
     " for (int j = 0; j < m; ++j) s += a[i + 2][j] - 2 * a[i + 1][j] + a[i][j]; return s; }",
     {"a: stencil -1 0 1 read", "a[]: stencil -row 0 row read"}},
    {"two_tables",
     "void two_tables(double** a, double** b, int n, int m) { for (int i = 1; i < n; ++i) for (int j = 0; j < m; ++j)"
     " a[i][j] = b[i - 1][j] * 2; }",
     {"a: stream 8 read", "a[]: stream 8 write", "b: stream 8 read", "b[]: stream 8 read"}},
    {"chosen_rows",  // not rows of one matrix, one after the other
     "double chosen_rows(double** a, const int* k, int n, int m) { double s = 0; for (int i = 0; i < n; ++i)"
     " for (int j = 0; j < m; ++j) s += a[k[i]][j]; return s; }",
     {"a: gather read", "a[]: stream 8 read", "k: stream 4 read"}},
};

class StencilsAtFlags : public testing::TestWithParam<std::string> {};

TEST_P(StencilsAtFlags, stencils) { expect_tables(stencils, GetParam(), "c"); }
TEST_P(StencilsAtFlags, rows_behind_pointers) { expect_tables(rows, GetParam(), "c"); }
TEST_P(StencilsAtFlags, what_only_looks_like_one) { expect_tables(others, GetParam(), "c"); }

INSTANTIATE_TEST_SUITE_P(Stencils, StencilsAtFlags, testing::ValuesIn(flag_sets()));

// As in a lattice Boltzmann method: in each of nine directions to a neighbour that tables name.
TEST(Stencils, by_many_entries_of_tables) {
  const nlohmann::json text = patterns_of(
      "void streaming(double* restrict to, const double* restrict from, const int* x, const int* y, long q, long n,"
      " long m) { for (long j = 1; j < m; ++j) for (long i = 1; i < n; ++i)\n#pragma clang loop unroll(full)\n"
      " for (int k = 0; k < 9; ++k) to[(j * n + i) * q + k] = from[((j - y[k]) * n + i - x[k]) * q + k]; }",
      "-O2 -g");
  const nlohmann::json& accesses = text["nests"][0]["accesses"];
  const auto found = std::count_if(accesses.begin(), accesses.end(), [](const nlohmann::json& access) {
    return access["kind"] == "stencil" && access["input_dependent"] && access["points"] > 2;
  });
  EXPECT_GE(found, 3);
}

}  // namespace
}  // namespace lbhm::test
