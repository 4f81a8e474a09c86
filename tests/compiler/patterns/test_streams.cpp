// Are streams, transposes and strides told apart, however the loop is written?
#include <gtest/gtest.h>

#include "tests/compiler/patterns/pattern_table.h"

namespace lbhm::test {
namespace {

const std::vector<Loop> streams{
    {"delta",
     "void delta(double* a, double d, long n) { for (long i = 0; i < n; ++i) a[i] += d; }",
     {"a: stream 8 read", "a: stream 8 write"}},
    {"triad",
     "void triad(double* a, const double* b, const double* c, int n) { for (int i = 0; i < n; ++i) a[i] = b[i] + 3 * "
     "c[i]; }",
     {"a: stream 8 write", "b: stream 8 read", "c: stream 8 read"}},
    {"reduction",
     "float reduction(const float* a, unsigned n) { float s = 0; for (unsigned i = 0; i < n; ++i) s += a[i]; return s; "
     "}",
     {"a: stream 4 read"}},
    {"dot",
     "double dot(const double* a, const double* b, int n) { double s = 0; for (int i = 0; i < n; ++i) s += a[i] * "
     "b[i]; return s; }",
     {"a: stream 8 read", "b: stream 8 read"}},
    {"backwards",
     "void backwards(double* a, const double* b, int n) { for (int i = n - 1; i >= 0; --i) a[i] = b[i] * 2; }",
     {"a: stream -8 write", "b: stream -8 read"}},
    {"backwards_unsigned",
     "long backwards_unsigned(const long* a, unsigned n) { long s = 0; for (unsigned i = n; i-- > 0;) s = s * 3 + "
     "a[i]; return s; }",
     {"a: stream -8 read"}},
    {"pointers",
     "void pointers(double* to, const double* from, const double* end) { while (from != end) *to++ = *from++ + 1; }",
     {"from: stream 8 read", "to: stream 8 write"}},
    {"characters",
     "long characters(const char* text, long n) { long s = 0; for (long i = 0; i < n; ++i) s += text[i] == ' '; return "
     "s; }",
     {"text: stream 1 read"}},
    {"string_end",
     "long string_end(const short* text) { long n = 0; while (text[n] != 0) ++n; return n; }",
     {"text: stream 2 read"}},
    {"mixed_widths",
     "void mixed_widths(double* a, const float* b, const short* c, int n) { for (int i = 0; i < n; ++i) a[i] = b[i] * "
     "c[i]; }",
     {"a: stream 8 write", "b: stream 4 read", "c: stream 2 read"}},
    {"conditional",
     "void conditional(double* a, const int* flag, int n) { for (int i = 0; i < n; ++i) if (flag[i]) a[i] = a[i] / 3; "
     "}",
     {"a: stream 8 read", "a: stream 8 write", "flag: stream 4 read"}},
    {"early_exit",
     "int early_exit(const int* a, int key, int n) { for (int i = 0; i < n; ++i) if (a[i] == key) return i; return -1; "
     "}",
     {"a: stream 4 read"}},
    {"computed_end",
     "void computed_end(double* a, int n) { int i = 0, end = n * n / 2 + 3; while (i < end) { a[i] = a[i] * a[i]; i = "
     "i + 1; } }",
     {"a: stream 8 read", "a: stream 8 write"}},
    {"unrolled",
     "void unrolled(double* a, const double* b, int n) { for (int i = 0; i < n; i += 4) {"
     " a[i] = b[i] + 1; a[i + 1] = b[i + 1] * 2; a[i + 2] = b[i + 2] - 3; a[i + 3] = b[i + 3] / 4; } }",
     {"a: stream 32 write", "b: stream 32 read"}},
    {"compaction",
     "int compaction(int* out, const int* in, int n) { int k = 0; for (int i = 0; i < n; ++i) if (in[i] > 0) out[k++] "
     "= in[i]; return k; }",
     {"in: stream 4 read", "out: stream 4 sometimes write"}},
    {"merge",
     "void merge(int* out, const int* a, const int* b, int n, int m) { int i = 0, j = 0, k = 0;"
     " while (i < n && j < m) { if (a[i] < b[j]) out[k++] = a[i++]; else out[k++] = b[j++]; } }",
     {"a: stream 4 sometimes read", "b: stream 4 sometimes read", "out: stream 4 write"}},
    {"merge_by_pointers",
     "void merge_by_pointers(int* out, const int* a, const int* b, const int* a_end, const int* b_end) {"
     " while (a < a_end && b < b_end) *out++ = *a <= *b ? *a++ : *b++; }",
     {"a: stream 4 sometimes read", "b: stream 4 sometimes read", "out: stream 4 write"}},
    {"merge_rest",  // goes on where the first loop ended
     "void merge_rest(int* out, const int* a, const int* b, int n, int m) { int i = 0, j = 0, k = 0;"
     " while (i < n && j < m) out[k++] = b[j] < a[i] ? b[j++] : a[i++];"
     " while (i < n) out[k++] = a[i++] + 1; while (j < m) out[k++] = b[j++] + 1; }",
     {"a: stream 4 sometimes read", "b: stream 4 sometimes read", "out: stream 4 write", "a: stream 4 read",
      "b: stream 4 read"}},
    {"intersection",
     "int intersection(const int* a, const int* b, int n, int m) { int i = 0, j = 0, s = 0;"
     " while (i < n && j < m) { int x = a[i], y = b[j]; s += x == y; i += x <= y; j += y <= x; } return s; }",
     {"a: stream 4 sometimes read", "b: stream 4 sometimes read"}},
    {"intersection_of_structures",
     "struct item { int key, more[3]; };\n"
     "int intersection_of_structures(const struct item* a, const struct item* b, const struct item* a_end,"
     " const struct item* b_end) { int s = 0;"
     " while (a < a_end && b < b_end) { int x = a->key, y = b->key; s += x == y; a += x <= y; b += y <= x; } return s; "
     "}",
     {"a: strided 16 sometimes read", "b: strided 16 sometimes read"}},
    {"two_or_four",  // a step in every iteration
     "void two_or_four(int* out, const char* in, int n) { int k = 0; for (int i = 0; i < n; ++i) {"
     " out[k] = i; k += in[i] > 7 ? 4 : 2; } }",
     {"in: stream 1 read", "out: strided 8 write"}},
    {"partition",  // Hoare's: inner loops move the counters of the outer one
     "void partition(int* a, long n, int p) { int* low = a; int* high = a + n; while (low <= high) {"
     " while (*low < p) ++low; while (*high > p) --high;"
     " if (low <= high) { int x = *low; *low++ = *high; *high-- = x; } } }",
     {"a: stream 4 read", "a: stream -4 read", "a: stream 4 sometimes write", "a: stream -4 sometimes write"}},
    {"forth_and_back",
     "void forth_and_back(int* out, const char* in, int n) { int k = 0; for (int i = 0; i < n; ++i) {"
     " out[k] = i; k += in[i] > 7 ? 1 : -1; } }",
     {"in: stream 1 read", "out: unknown write"}},
    {"running_sum",
     "void running_sum(double* a, const double* b, int n) { double s = 0; for (int i = 0; i < n; ++i) { s += b[i]; "
     "a[i] = s; } }",
     {"a: stream 8 write", "b: stream 8 read"}},
    {"masked",
     "void masked(double* a, const double* b, int n) { for (int i = 0; i < n; ++i) a[i & 1023] += b[i]; }",
     {"a: stream 8 read", "a: stream 8 write", "b: stream 8 read"}},
    {"modulo",
     "void modulo(double* a, const double* b, int n, int m) { for (int i = 0; i < n; ++i) a[i % m] += b[i]; }",
     {"a: stream 8 read", "a: stream 8 write", "b: stream 8 read"}},
    {"half_speed",
     "void half_speed(double* a, const double* b, int n) { for (int i = 0; i < n; ++i) a[i] = b[i / 2]; }",
     {"a: stream 8 write", "b: stream 8 read"},
     {"b: stream 4 read"}},
    {"fixed_place",
     "void fixed_place(volatile int* flag, double* a, int n) { for (int i = 0; i < n; ++i) { *flag = i; a[i] *= 2; } }",
     {"flag: fixed write", "a: stream 8 read", "a: stream 8 write"}},
};

const std::vector<Loop> strides{
    {"stride", "void stride(double* a, int n) { for (int i = 0; i < n; ++i) a[i * 7] = 1; }", {"a: strided 56 write"}},
    {"stride_down",
     "double stride_down(const double* a, int n) { double s = 0; for (int i = n; i > 0; i -= 3) s += a[i]; return s; }",
     {"a: strided -24 read"}},
    {"stride_by_argument",
     "void stride_by_argument(double* a, int n, int m) { for (int i = 0; i < n; ++i) a[i * m] = 1; }",
     {"a: strided 8*m write"}},
    {"column",
     "double column(const double* a, int n) { double s = 0; for (int i = 0; i < n; ++i) s += a[(long)i * n + 5]; "
     "return s; }",
     {"a: strided 8*n read"}},
    {"scrambled",
     "void scrambled(double* a, unsigned n) { for (unsigned i = 0; i < n; ++i) a[(i * 2654435761u) & 1023] += 1; }",
     {"a: unknown read", "a: unknown write"}},
    {"quadratic",
     "void quadratic(double* a, long n) { for (long i = 0; i < n; ++i) a[i * (i + 1) / 2] += 1; }",
     {"a: unknown read", "a: unknown write"}},
    {"sieve",
     "void sieve(char* composite, long n) { for (long i = 2; i < n; ++i) for (long j = i * i; j < n; j += i) "
     "composite[j] ^= 1; }",
     {"composite: strided ? read", "composite: strided ? write"}},
};

const std::vector<Loop> matrices{
    {"transpose",
     "void transpose(double* restrict a, const double* restrict b, int n) {"
     " for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) a[i * n + j] = b[j * n + i]; }",
     {"a: stream 8 write", "b: stream transpose 8*n read"}},
    {"transpose_fixed",
     "void transpose_fixed(double (*restrict a)[512], double (*restrict b)[512]) {"
     " for (int i = 0; i < 512; ++i) for (int j = 0; j < 512; ++j) a[i][j] = b[j][i]; }",
     {"a: stream 8 write", "b: stream transpose 4096 read"}},
    {"product_ijk",
     "void product_ijk(double* restrict c, const double* a, const double* b, int n) {"
     " for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) for (int k = 0; k < n; ++k) c[i * n + j] += a[i * n + "
     "k] * b[k * n + j]; }",
     {"a: stream 8 read", "b: stream transpose 8*n read", "c: stream 8 read", "c: stream 8 write"}},
    {"product_ikj",
     "void product_ikj(double* restrict c, const double* a, const double* b, int n) {"
     " for (int i = 0; i < n; ++i) for (int k = 0; k < n; ++k) for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + "
     "k] * b[k * n + j]; }",
     {"a: stream 8 read", "b: stream 8 read", "c: stream 8 read", "c: stream 8 write"}},
    {"product_jki",
     "void product_jki(double* restrict c, const double* a, const double* b, int n) {"
     " for (int j = 0; j < n; ++j) for (int k = 0; k < n; ++k) for (int i = 0; i < n; ++i) c[i * n + j] += a[i * n + "
     "k] * b[k * n + j]; }",
     {"a: stream transpose 8*n read", "b: stream transpose 8*n read", "c: stream transpose 8*n read",
      "c: stream transpose 8*n write"}},
    {"triangle",
     "double triangle(const double* a, int n) { double s = 0;"
     " for (int i = 0; i < n; ++i) for (int j = 0; j <= i; ++j) s += a[i * n + j]; return s; }",
     {"a: stream 8 read"}},
    {"elimination",
     "void elimination(double* a, int n) { for (int k = 0; k < n; ++k) for (int i = k + 1; i < n; ++i)"
     " for (int j = k + 1; j < n; ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j]; }",
     {"a: stream 8 read", "a: stream 8 write", "a: stream transpose 8*n read"}},
    {"tensor",
     "void tensor(double* restrict c, const double* a, const double* b, int n, int m) { for (int i = 0; i < n; ++i)"
     " for (int j = 0; j < n; ++j) for (int k = 0; k < m; ++k) for (int l = 0; l < m; ++l)"
     " c[i * n + j] += a[(i * m + k) * m + l] * b[(l * m + k) * n + j]; }",
     {"a: stream 8 read", "b: stream transpose 8*n*m read", "c: stream 8 read", "c: stream 8 write"}},
    {"copies",
     "void copies(char* to, const char* from, int n, int len) {"
     " for (int i = 0; i < n; ++i) __builtin_memcpy(to + (long)i * len, from + (long)i * len, len); }",
     {"from: stream len read", "to: stream len write"}},
    {"copies_apart",
     "void copies_apart(char* to, const char* from, int n) {"
     " for (int i = 0; i < n; ++i) __builtin_memcpy(to + (long)i * 128, from + (long)i * 512, 128); }",
     {"from: strided 512 read", "to: stream 128 write"}},
    {"vectors",
     "typedef double four __attribute__((vector_size(32)));\n"
     "void vectors(four* a, const four* b, int n) { for (int i = 0; i < n; ++i) a[i] = b[i] + b[i]; }",
     {"a: stream 32 write", "b: stream 32 read"}},
};

class AtFlags : public testing::TestWithParam<std::string> {};

TEST_P(AtFlags, streams) { expect_tables(streams, GetParam(), "c"); }
TEST_P(AtFlags, strides) { expect_tables(strides, GetParam(), "c"); }
TEST_P(AtFlags, matrices) { expect_tables(matrices, GetParam(), "c"); }

INSTANTIATE_TEST_SUITE_P(Streams, AtFlags, testing::ValuesIn(flag_sets()));

}  // namespace
}  // namespace lbhm::test
