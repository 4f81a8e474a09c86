#include <stdio.h>

#include "records.h"

void fail(struct attempt* attempt, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(attempt->message, sizeof attempt->message, format, arguments);
  va_end(arguments);
  longjmp(attempt->where, 1);
}
