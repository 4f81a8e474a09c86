/* Built twice into one program: two static functions of one name, file and shape. */
static double total(const double* values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum;
}

double NAME(const double* values, int count);
double NAME(const double* values, int count) { return total(values, count); }
