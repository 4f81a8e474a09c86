// Are the arrays inside of C++'s containers and classes found, and by their names?
#include <gtest/gtest.h>

#include "tests/compiler/patterns/pattern_table.h"

namespace lbhm::test {
namespace {

const std::string head = "#include <array>\n#include <complex>\n#include <span>\n#include <vector>\n";

const std::vector<Loop> loops{
    {"sum_of_vector",
     "double sum_of_vector(const std::vector<double>& v) { double s = 0; for (std::size_t i = 0; i < v.size(); ++i) s "
     "+= v[i]; return s; }",
     {"v: stream 8 read"}},
    {"range_for",
     "void range_for(std::vector<double>& v, double d) { for (double& x : v) x = x * d; }",
     {"v: stream 8 read", "v: stream 8 write"}},
    {"vector_of_bytes",  // char& may alias the vectors' own pointers
     "void vector_of_bytes(std::vector<char>& v, const std::vector<char>& w, int n) { for (int i = 0; i < n; ++i) v[i] "
     "= w[i]; }",
     {"v: stream 1 write", "w: stream 1 read"},
     {"v: fixed read", "w: fixed read"}},
    {"gather_of_vectors",
     "double gather_of_vectors(const std::vector<double>& v, const std::vector<int>& at) { double s = 0; for (int i : "
     "at) s += v[i]; return s; }",
     {"v: gather read", "at: stream 4 read"}},
    {"complex_vector",
     "void complex_vector(std::vector<std::complex<double>>& v, std::complex<double> q) { for (auto& x : v) x += q; }",
     {"v: stream 16 read", "v: stream 16 write"}},
    {"nested_vectors",  // a row pointer is one of three fields of each row's vector
     "void nested_vectors(std::vector<std::vector<double>>& v, int n) {"
     " for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) v[i][j] += 1; }",
     {"v: strided 24 read", "v[]: stream 8 read", "v[]: stream 8 write"}},
    {"rows",
     "void rows(double** a, int n) { for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) a[i][j] += 1; }",
     {"a: stream 8 read", "a[]: stream 8 read", "a[]: stream 8 write"}},
    {"Grid::members",
     "struct Grid { double* data; int n; std::array<double, 100> weight; void members(); };\n"
     "void Grid::members() { for (int i = 0; i < n; ++i) data[i] *= weight[i]; }",
     {"this->data: stream 8 read", "this->data: stream 8 write", "this: stream 8 read"},
     {"this: fixed read"}},
    {"templated",
     "template <class T> void fill(T* a, const T* b, int n) { for (int i = 0; i < n; ++i) a[i] = a[i] + b[i]; }\n"
     "void templated(float* x, float* y, int n) { fill(x, y, n); }",
     {"x: stream 4 read", "x: stream 4 write", "y: stream 4 read"}},
    {"called",
     "static double norm(const double* p, int n) { double s = 0; for (int k = 0; k < n; ++k) s += p[k] * p[k]; return "
     "s; }\n"
     "void called(double* out, const double* in, int n) { for (int i = 0; i < n; ++i) out[i] = norm(in + i * n, n); }",
     {"in: stream 8 read", "out: stream 8 write"}},
    {"global_table",
     "double table[1000];\n"
     "double global_table(const int* at, int n) { double s = 0; for (int i = 0; i < n; ++i) s += table[at[i]]; return "
     "s; }",
     {"table: gather read", "at: stream 4 read"}},
    {"by_regions",
     "void by_regions(std::vector<double>& v, const std::vector<double>& w) {\n#pragma omp parallel for\n"
     "for (long i = 0; i < (long)v.size(); ++i) v[i] = w[i] * 2; }",
     {"v: stream 8 write", "w: stream 8 read"}},
};

class ContainersAtFlags : public testing::TestWithParam<std::string> {};

TEST_P(ContainersAtFlags, loops) { expect_tables(loops, "-std=c++20 " + GetParam(), "cpp", head); }

INSTANTIATE_TEST_SUITE_P(Containers, ContainersAtFlags, testing::Values("-O1 -g", "-O2 -g", "-O3"));

TEST(Containers, a_span_is_a_stream) {
  auto module =
      patterns_of(head + "double f(std::span<const double> s) { double t = 0; for (double x : s) t += x; return t; }",
                  "-O2 -g -std=c++20", "cpp");
  EXPECT_EQ(module["nests"][0]["accesses"][0]["kind"], "stream");
}

}  // namespace
}  // namespace lbhm::test
