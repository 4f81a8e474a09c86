// Blocks of malloc that reach glibc's own functions past the front, in every way that programs have. As a plug-in
// (-DPLUGIN) it is bound to libc first (RTLD_DEEPBIND). Ends with 0 if every block is what it was.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  void (*release)(void*);
  void* (*resize)(void*, size_t);
  size_t (*size)(void*);
  void* (*give)(size_t);
} Calls;

#ifdef PLUGIN
static void release(void* block) { free(block); }
static void* resize(void* block, size_t bytes) { return realloc(block, bytes); }
static size_t size(void* block) { return malloc_usable_size(block); }
static void* give(size_t bytes) { return malloc(bytes); }
void fill_in(Calls* calls, const char* how) {
  *calls = (Calls){release, resize, size, give};
  if (strcmp(how, "behind")) return;
  calls->release = (void (*)(void*))dlsym(RTLD_NEXT, "free");
  calls->resize = (void* (*)(void*, size_t))dlsym(RTLD_NEXT, "realloc");
}
/// What registers itself is never looked into by dlsym.
void come_in(const Calls* calls) __attribute__((weak));
__attribute__((constructor)) static void register_calls(void) {
  if (come_in) come_in(&(Calls){release, resize, size, give});
}
#else

static Calls registered;
void come_in(const Calls* calls) { registered = *calls; }

#ifdef __x86_64__
#define VERSION "GLIBC_2.2.5"
#else
#define VERSION "GLIBC_2.17"
#endif
enum { large = 300001, rounds = 40, small_rounds = 300000 };

static int is_object(void* block) { return malloc_usable_size(block) == large; }  // malloc rounds up what is odd
static void* fresh(int i, size_t bytes) {
  void* block = malloc(bytes);
  if (i % 3 == 1 && posix_memalign(&block, 1 << 16, bytes) != 0) abort();
  return memset(block, i, bytes);
}
static void need(int right, const char* what) {
  if (right) return;
  printf("wrong: %s\n", what);
  exit(1);
}
static int holds(const char* block, int value, size_t bytes) {
  return block[0] == value && block[bytes / 2] == value && block[bytes - 1] == value;
}

static void large_blocks(const Calls* calls) {
  for (int i = 0; i < rounds; ++i) {
    char* block = fresh(i, large);
    need(calls->size(block) >= large, "size");
    block = calls->resize(block, 2 * large);
    need(block && holds(block, i, large), "grown");
    block = i % 2 ? realloc(block, 3 * large) : calls->resize(block, large / 2);
    need(block && holds(block, i, large / 2), "resized again");
    i % 4 ? calls->release(block) : free(block);
    calls->release(fresh(i, large));
    char* theirs = memset(calls->give(large), i, large);
    theirs = realloc(theirs, 2 * large);
    need(theirs && holds(theirs, i, large), "theirs");
    free(theirs);
  }
}

static void small_blocks(const Calls* calls) {
  for (int i = 0; i < small_rounds; ++i) {
    char* block = memset(malloc(40), i % 100, 40);
    need(calls->size(block) >= 40, "small size");
    if (i % 16 == 0) block = calls->resize(block, 200);
    need(block && holds(block, i % 100, 40), "small block");
    calls->release(block);
  }
}

/// As debuggers find a function: in libc's table of symbols, which ends where their names begin.
static void* in_table(const char* name) {
  void* const libc = dlopen("libc.so.6", RTLD_LAZY);
  struct link_map* map = NULL;
  const ElfW(Sym)* symbol = NULL;
  const char* names = NULL;
  dlinfo(libc, RTLD_DI_LINKMAP, &map);
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SYMTAB) symbol = (const ElfW(Sym)*)entry->d_un.d_ptr;
    if (entry->d_tag == DT_STRTAB) names = (const char*)entry->d_un.d_ptr;
  }
  for (; (const char*)symbol < names; ++symbol)
    if (symbol->st_value && !strcmp(names + symbol->st_name, name)) return (char*)map->l_addr + symbol->st_value;
  return NULL;
}

extern void __libc_free(void*);
extern void* __libc_realloc(void*, size_t);

static Calls calls_of(const char* how, const char* plugin) {
  Calls calls = {free, realloc, malloc_usable_size, malloc};
  void* const libc = dlopen("libc.so.6", RTLD_LAZY);
  if (!strcmp(how, "libc-names")) {
    calls.release = __libc_free;
    calls.resize = __libc_realloc;
  } else if (!strcmp(how, "looked-up")) {
    calls.release = (void (*)(void*))dlsym(libc, "free");
    calls.resize = (void* (*)(void*, size_t))dlsym(libc, "realloc");
    calls.size = (size_t (*)(void*))dlsym(libc, "malloc_usable_size");
    calls.give = (void* (*)(size_t))dlsym(libc, "malloc");
  } else if (!strcmp(how, "by-version")) {
    calls.release = (void (*)(void*))dlvsym(libc, "free", VERSION);
    calls.resize = (void* (*)(void*, size_t))dlvsym(libc, "realloc", VERSION);
  } else if (!strcmp(how, "past-us")) {
    calls.release = (void (*)(void*))in_table("free");
    calls.resize = (void* (*)(void*, size_t))in_table("realloc");
    calls.size = (size_t (*)(void*))in_table("malloc_usable_size");
  } else if (!strcmp(how, "registered") || !strcmp(how, "two")) {
    need(dlopen(plugin, RTLD_NOW | RTLD_DEEPBIND) != NULL, "dlopen");
    calls = registered;
    if (!strcmp(how, "two")) need(dlopen("second.so", RTLD_NOW | RTLD_DEEPBIND) != NULL, "second dlopen");
  } else if (!strcmp(how, "this-space")) {
    need(dlmopen(LM_ID_BASE, plugin, RTLD_NOW | RTLD_DEEPBIND) != NULL, "dlmopen");
    calls = registered;
  } else {
    const int deep = strcmp(how, "behind") ? RTLD_DEEPBIND : 0;
    void* const library = dlopen(plugin, deep | (strcmp(how, "lazy") ? RTLD_NOW : RTLD_LAZY));
    need(library != NULL, "dlopen");
    ((void (*)(Calls*, const char*))dlsym(library, "fill_in"))(&calls, how);
  }
  return calls;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum += 1;
  const Calls calls = calls_of(argv[1], argv[2]);
  large_blocks(&calls);
  if (strcmp(argv[1], "past-us")) small_blocks(&calls);
  char* kept[rounds];
  for (int i = 0; i < rounds; ++i) kept[i] = fresh(i, large);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < rounds; ++i) sum += kept[i][large / 2] == i;
  printf("%s: %s, %s\n", argv[1], is_object(kept[0]) ? "objects" : "no objects", sum >= rounds ? "right" : "wrong");
  for (int i = 0; i < rounds; ++i) free(kept[i]);
  return 0;
}
#endif
