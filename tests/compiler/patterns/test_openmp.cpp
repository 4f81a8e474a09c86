// Are patterns the same in OpenMP's regions, whatever the schedule makes of the loop?
#include <gtest/gtest.h>

#include "tests/compiler/patterns/pattern_table.h"

namespace lbhm::test {
namespace {

#define OMP(text) "\n#pragma omp " text "\n"

const std::vector<Loop> loops{
    {"static_loop",
     "void static_loop(double* a, const double* b, int n) {" OMP(
         "parallel for") "for (int i = 0; i < n; ++i) a[i] = 2 * b[i]; }",
     {"a: stream 8 write", "b: stream 8 read"}},
    {"static_chunks",
     "void static_chunks(double* a, const double* b, int n) {" OMP(
         "parallel for schedule(static, 16)") "for (int i = 0; i < n; ++i) a[i] = 2 * b[i]; }",
     {"a: stream 8 write", "b: stream 8 read"}},
    {"dynamic_loop",
     "void dynamic_loop(double* a, const double* b, int n) {" OMP(
         "parallel for schedule(dynamic, 4)") "for (int i = 0; i < n; ++i) a[i] = 2 * b[i]; }",
     {"a: stream 8 write", "b: stream 8 read"},
     {"&a: fixed read", "&b: fixed read"}},
    {"guided_loop",
     "void guided_loop(long* a, const long* b, long n) {" OMP(
         "parallel for schedule(guided)") "for (long i = 0; i < n; ++i) a[i] = 2 * b[i]; }",
     {"a: stream 8 write", "b: stream 8 read"},
     {"&a: fixed read", "&b: fixed read"}},
    {"captured_characters",  // char* may alias the captured pointers themselves
     "void captured_characters(char* a, const char* b, int n) {" OMP(
         "parallel for") "for (int i = 0; i < n; ++i) a[i] = b[i] ^ 1; }",
     {"a: stream 1 write", "b: stream 1 read"},
     {"&a: fixed read", "&b: fixed read"}},
    {"captured_pointers",
     "void captured_pointers(void** a, void** b, int n) {" OMP(
         "parallel for schedule(dynamic)") "for (int i = 0; i < n; ++i) a[i] = b[i]; }",
     {"a: stream 8 write", "b: stream 8 read"},
     {"&a: fixed read", "&b: fixed read"}},
    {"captured_complex",
     "void captured_complex(_Complex double* a, const _Complex double* b, int n) {" OMP(
         "parallel for") "for (int i = 0; i < n; ++i) a[i] = a[i] + b[i]; }",
     {"a: stream 16 write", "a: stream 16 read", "b: stream 16 read"},
     {"&a: fixed read", "&b: fixed read"}},
    {"collapsed",
     "void collapsed(double* a, const double* b, int n, int m) {" OMP(
         "parallel for collapse(2)") "for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) a[i * m + j] = b[j * n + "
                                     "i]; }",
     {"a: stream 8 write", "b: stream transpose 8*n read"}},
    {"collapsed_three",
     "void collapsed_three(float* a, const float* b, int n, int m, int l) {" OMP(
         "parallel for collapse(3)") "for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) for (int k = 0; k < l; "
                                     "++k)"
                                     " a[(i * m + j) * l + k] = b[(i * m + j) * l + k]; }",
     {"a: stream 4 write", "b: stream 4 read"}},
    {"jacobi",
     "void jacobi(double* a, const double* b, int n) {" OMP(
         "parallel for") "for (int i = 1; i < n - 1; ++i) for (int j = 1; j < n - 1; ++j)"
                         " a[i * n + j] = b[i * n + j - 1] + b[i * n + j + 1] + b[(i - 1) * n + j] + b[(i + 1) * n + "
                         "j]; }",
     {"a: stream 8 write", "b: stencil -n -1 1 n read"}},
    {"reduced",
     "double reduced(const double* a, int n) { double s = 0;" OMP(
         "parallel for reduction(+ : s)") "for (int i = 0; i < n; ++i) s += a[i]; return s; }",
     {"a: stream 8 read"}},
    {"sparse_rows",
     "void sparse_rows(const int* rp, const int* col, const double* val, const double* x, double* y, int n) {" OMP(
         "parallel for schedule(dynamic, 8)") "for (int i = 0; i < n; ++i) { double s = 0; for (int k = rp[i]; k < "
                                              "rp[i + 1]; ++k) s += val[k] * x[col[k]]; y[i] = s; } }",
     {"col: stream 4 read", "rp: stream 4 read", "val: stream 8 read", "x: gather read", "y: stream 8 write"},
     {"&col: fixed read", "&rp: fixed read", "&val: fixed read", "&x: fixed read", "&y: fixed read",
      "rp: strided 0 read"}},
    {"bins_of_all",
     "void bins_of_all(int* bins, const int* key, int n) {" OMP("parallel for") "for (int i = 0; i < n; ++i) {" OMP(
         "atomic") "bins[key[i]] += 1; } }",
     {"bins: scatter write", "key: stream 4 read"},
     {"&bins: fixed read", "&key: fixed read"}},
    {"one_region",
     "void one_region(double* a, double* b, int n) {" OMP("parallel") "{" OMP(
         "for") "for (int i = 0; i < n; ++i) a[i] = i;" OMP("for") "for (int i = 0; i < n; ++i) b[i] = a[n - 1 - i]; } "
                                                                   "}",
     {"a: stream 8 write", "a: stream -8 read", "b: stream 8 write"},
     {"n: fixed read", "&a: fixed read", "&b: fixed read"}},
};

class OpenmpAtFlags : public testing::TestWithParam<std::string> {};

TEST_P(OpenmpAtFlags, loops) { expect_tables(loops, GetParam(), "c"); }

INSTANTIATE_TEST_SUITE_P(Openmp, OpenmpAtFlags, testing::ValuesIn(flag_sets()));

TEST(Openmp, nests_of_regions_know_their_line) {
  const std::string source =
      "void f(double* a, int n) {\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) a[i] = i; }\n"
      "void g(double* a, int n) { for (int i = 0; i < n; ++i) a[i] = i; }\n";
  for (const auto& nest : patterns_of(source, "-O2 -g")["nests"]) {
    const bool parallel = nest["name"].get<std::string>().starts_with("f");
    EXPECT_EQ(nest["parallel"], parallel);
    EXPECT_EQ(nest.contains("region"), parallel);
    if (parallel) {
      EXPECT_EQ(nest["region"], 2);
      EXPECT_EQ(nest["line"], 2) << "of a loop that OpenMP shares out its line is the directive's";
      EXPECT_EQ(nest["bases"][0]["through"], "captured");
    }
  }
}

TEST(Openmp, tasks_belong_to_regions) {
  const std::string source =
      "void f(double* a, int n) {\n#pragma omp parallel\n#pragma omp single\nfor (int b = 0; b < n; b += 100) {\n"
      "#pragma omp task\nfor (int i = b; i < b + 100; ++i) a[i] = i; } }\n";
  int tasks = 0;
  for (const auto& nest : patterns_of(source, "-O2 -g")["nests"]) {
    if (!nest["function"].get<std::string>().starts_with(".omp_task_entry")) continue;
    ++tasks;
    EXPECT_TRUE(nest["parallel"]);
    EXPECT_EQ(nest["accesses"][0]["kind"], "stream");
  }
  EXPECT_EQ(tasks, 1);
}

}  // namespace
}  // namespace lbhm::test
