// libomp keeps the descriptors of threads when a program asks for larger and larger teams; these leaks are not ours.
extern "C" [[gnu::visibility("default"), gnu::used]] const char* __lsan_default_suppressions() {
  return "leak:libomp.so\n";
}
