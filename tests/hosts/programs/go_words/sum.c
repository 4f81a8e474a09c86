int sum(int n) {
  int result = 0;
#pragma omp parallel for reduction(+ : result)
  for (int i = 0; i < n; ++i) result += i;
  return result;
}
