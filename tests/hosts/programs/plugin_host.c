// Opens, calls and closes each plug-in of the command line, three times. With "keep" in front they stay open: GNU's
// runtime does not always survive that it is unloaded.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int count, char** names) {
  const int keep = count > 1 && strcmp(names[1], "keep") == 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 1 + keep; i < count; ++i) {
      void* plugin = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
      if (!plugin) return puts(dlerror()), 1;
      int (*work)(int) = (int (*)(int))dlsym(plugin, "work");
      printf("%d\n", work(1000));
      if (!keep) dlclose(plugin);
    }
  }
  return 0;
}
