/* WRITE is the name of the function. */
void WRITE(long* a, long count) {
  for (long i = 0; i < count; i += 8) a[i] = i;
}
