// Calls a plug-in from a thread of its own while another is opened and called.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static int (*work)(int);
static int wrong;

static void* call(void* unused) {
  (void)unused;
  for (int i = 0; i < 200; ++i) wrong += work(100) < 1;
  return 0;
}

int main(int count, char** names) {
  if (count != 3) return 2;
  void* plugin = dlopen(names[1], RTLD_NOW | RTLD_LOCAL);
  if (!plugin) return puts(dlerror()), 1;
  work = (int (*)(int))dlsym(plugin, "work");
  pthread_t thread;
  pthread_create(&thread, 0, call, 0);
  for (int i = 0; i < 50; ++i) {
    void* other = dlopen(names[2], RTLD_NOW | RTLD_LOCAL);
    wrong += ((int (*)(int))dlsym(other, "work"))(100) < 1;
  }
  pthread_join(thread, 0);
  printf("wrong: %d\n", wrong);
  return 0;
}
