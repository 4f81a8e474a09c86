// Are gather, scatter and pointer chase told apart, and from what only looks random?
#include <gtest/gtest.h>

#include "tests/compiler/patterns/pattern_table.h"

namespace lbhm::test {
namespace {

const std::vector<Loop> loops{
    {"gather",
     "void gather(double* a, const double* b, const int* c, int n) { for (int i = 0; i < n; ++i) a[i] = b[c[i]]; }",
     {"a: stream 8 write", "b: gather read", "c: stream 4 read"}},
    {"scatter",
     "void scatter(double* a, const int* b, const double* c, int n) { for (int i = 0; i < n; ++i) a[b[i]] = c[i]; }",
     {"a: scatter write", "b: stream 4 read", "c: stream 8 read"}},
    {"histogram",
     "void histogram(int* bins, const unsigned char* key, int n) { for (int i = 0; i < n; ++i) ++bins[key[i]]; }",
     {"bins: gather read", "bins: scatter write", "key: stream 1 read"}},
    {"atomic_histogram",
     "void atomic_histogram(long* bins, const int* key, int n) {"
     " for (int i = 0; i < n; ++i) __atomic_fetch_add(&bins[key[i]], 1, __ATOMIC_RELAXED); }",
     {"bins: scatter write", "key: stream 4 read"}},
    {"local_table",  // a pass of radix sort: the table is on the stack, and left alone
     "void local_table(int* to, const int* from, int n, int shift) { int next[256] = {0};"
     " for (int i = 0; i < n; ++i) ++next[from[i] >> shift & 255];"
     " for (int i = 1; i < 256; ++i) next[i] += next[i - 1];"
     " for (int i = 0; i < n; ++i) to[next[from[i] >> shift & 255]++] = from[i]; }",
     {"from: stream 4 read", "to: scatter write"}},
    {"two_levels",
     "double two_levels(const double* a, const int* b, const int* c, int n) { double s = 0;"
     " for (int i = 0; i < n; ++i) s += a[b[c[i]]]; return s; }",
     {"a: gather read", "b: gather read", "c: stream 4 read"}},
    {"gathered_blocks",
     "double gathered_blocks(const double* a, const int* b, int n) { double s = 0;"
     " for (int i = 0; i < n; ++i) for (int j = 0; j < 100; ++j) s += a[b[i] * 100 + j]; return s; }",
     {"a: stream 8 read", "b: stream 4 read"}},
    {"spmv",  // rows as compressed sparse rows
     "void spmv(const int* rp, const int* col, const double* val, const double* x, double* y, int n) {"
     " for (int i = 0; i < n; ++i) { double s = 0; for (int k = rp[i]; k < rp[i + 1]; ++k) s += val[k] * x[col[k]]; "
     "y[i] = s; } }",
     {"col: stream 4 read", "rp: stream 4 read", "val: stream 8 read", "x: gather read", "y: stream 8 write"}},
    {"spgemm",  // Gustavson's algorithm
     "void spgemm(int n, const int* ra, const int* ca, const double* va, const int* rb, const int* cb, const double* "
     "vb,"
     " double* acc, int* mark, int* out) { for (int i = 0; i < n; ++i) { int k = 0;"
     " for (int p = ra[i]; p < ra[i + 1]; ++p) { int c = ca[p]; double v = va[p];"
     " for (int q = rb[c]; q < rb[c + 1]; ++q) { int j = cb[q];"
     " if (mark[j] != i) { mark[j] = i; out[k++] = j; acc[j] = 0; } acc[j] += v * vb[q]; } } } }",
     {"acc: gather read", "acc: scatter write", "ca: stream 4 read", "cb: stream 4 read", "mark: gather read",
      "mark: scatter write", "out: stream 4 sometimes write", "ra: stream 4 read", "rb: gather read",
      "va: stream 8 read", "vb: stream 8 read"}},
    {"bfs",
     "void bfs(const int* rp, const int* col, int* dist, int* queue, int s) { int h = 0, t = 0; queue[t++] = s;"
     " while (h < t) { int v = queue[h++]; for (int k = rp[v]; k < rp[v + 1]; ++k) { int w = col[k];"
     " if (dist[w] < 0) { dist[w] = dist[v] + 1; queue[t++] = w; } } } }",
     {"col: stream 4 read", "dist: gather read", "dist: scatter write", "queue: stream 4 read",
      "queue: stream 4 sometimes write", "rp: gather read"}},
    {"list",
     "struct node { struct node* next; double value; };\n"
     "double list(const struct node* at) { double s = 0; while (at) { s += at->value; at = at->next; } return s; }",
     {"at: chase read"}},
    {"list_of_indices",
     "int list_of_indices(const int* next, int at) { int n = 0; while (at >= 0) { at = next[at]; ++n; } return n; }",
     {"next: chase read"}},
    {"tree",
     "struct leaf { long key; struct leaf *left, *right; };\n"
     "struct leaf* tree(struct leaf* at, long key) {"
     " while (at && at->key != key) at = key < at->key ? at->left : at->right; return at; }",
     {"at: chase read"}},
    {"union_find",
     "int union_find(int* parent, int x) { while (parent[x] != x) { parent[x] = parent[parent[x]]; x = parent[x]; } "
     "return x; }",
     {"parent: chase read", "parent: scatter write"}},
    {"update_list",
     "struct item { struct item* next; double value; };\n"
     "void update_list(struct item* at) { for (; at; at = at->next) at->value *= 2; }",
     {"at: chase read", "at: scatter write"}},
    {"hash_table",
     "struct slot { long key, value; };\n"
     "long hash_table(const struct slot* tab, unsigned long mask, const long* keys, int n) { long s = 0;"
     " for (int i = 0; i < n; ++i) { unsigned long h = ((keys[i] * 0x9E3779B97F4A7C15ul) >> 20) & mask;"
     " while (tab[h].key != keys[i]) h = (h + 1) & mask; s += tab[h].value; } return s; }",
     {"keys: stream 8 read", "tab: gather read"}},
    {"hash_chains",
     "struct entry { struct entry* next; long key, value; };\n"
     "long hash_chains(struct entry** heads, const long* keys, int n) { long s = 0; for (int i = 0; i < n; ++i)"
     " for (struct entry* e = heads[keys[i] % 1000]; e; e = e->next) if (e->key == keys[i]) { s += e->value; break; } "
     "return s; }",
     {"heads: chase read", "keys: stream 8 read", "e: chase read"}},
    {"pointers_to_objects",
     "struct object { double value; };\n"
     "double pointers_to_objects(struct object** all, int n) { double s = 0; for (int i = 0; i < n; ++i) s += "
     "all[i]->value; return s; }",
     {"all: stream 8 read", "all[]: gather read"}},
    {"pseudo_random",
     "void pseudo_random(long* table, long n, unsigned long mask) { unsigned long r = 1;"
     " for (long i = 0; i < n; ++i) { r = r * 6364136223846793005ul + 1442695040888963407ul; table[(r >> 33) & mask] "
     "^= r; } }",
     {"table: unknown read", "table: unknown write"}},
    {"by_calls",
     "int any(void);\n"
     "void by_calls(double* a, int n) { for (int i = 0; i < n; ++i) a[any()] += 1; }",
     {"a: unknown read", "a: unknown write"}},
    {"ticket",
     "void ticket(int* tail, int* out, const int* in, int n) {"
     " for (int i = 0; i < n; ++i) if (in[i] > 0) out[__atomic_fetch_add(tail, 1, __ATOMIC_RELAXED)] = in[i]; }",
     {"in: stream 4 read", "out: stream 4 write", "tail: fixed write"}},
};

class RandomAtFlags : public testing::TestWithParam<std::string> {};

TEST_P(RandomAtFlags, loops) { expect_tables(loops, GetParam(), "c"); }

INSTANTIATE_TEST_SUITE_P(Random, RandomAtFlags, testing::ValuesIn(flag_sets()));

}  // namespace
}  // namespace lbhm::test
