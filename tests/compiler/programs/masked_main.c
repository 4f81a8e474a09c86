/* Addresses begin 40 bytes into a line: elements 0 to 2 lie in line 0, elements 3 to 7 in line 1. */
#include "tests/compiler/programs/blocks.h"

void masked_copy(long* to, const long* from, unsigned char bits);
void gather_scatter(long* to, const long* from, unsigned char bits);
void pack(long* to, const long* from, unsigned char bits);

int main(void) {
  long* low_from = block("low_from", 128);
  long* low_to = block("low_to", 128);
  long* high_from = block("high_from", 128);
  long* none_to = block("none_to", 128);
  long* gathered = block("gathered", 512);
  long* scattered = block("scattered", 512);
  long* packed_from = block("packed_from", 128);
  long* packed_to = block("packed_to", 128);
  masked_copy(low_to + 5, low_from + 5, 0x06);
  masked_copy(none_to + 5, high_from + 5, 0x00);
  masked_copy(low_to + 5, high_from + 5, 0x48);
  gather_scatter(scattered, gathered, 0xa5);
  pack(packed_to + 5, packed_from + 5, 0x92);
  report();
}
