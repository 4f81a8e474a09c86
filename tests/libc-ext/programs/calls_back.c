// A library between a program and what it calls. It uses the register of the frame pointer for something else, if it is
// built without one.
void apply(void (*work)(int), int number) {
  volatile long values[8];
  for (int i = 0; i < 8; ++i) values[i] = number + i;
  const long a = values[0], b = values[1], c = values[2], d = values[3], e = values[4], f = values[5];
  work(number);
  values[0] = a + b * c + d * e + f;
}
