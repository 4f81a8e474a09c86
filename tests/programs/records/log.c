#include <stdio.h>

#include "records.h"

void log_line(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
}

void log_values(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  for (int i = 0; i < count; ++i) {
    const char* name = va_arg(arguments, const char*);
    const long long value = va_arg(arguments, long long);
    printf("%s%s=%lld", i == 0 ? "" : " ", name, value);
  }
  va_end(arguments);
  putchar('\n');
}
