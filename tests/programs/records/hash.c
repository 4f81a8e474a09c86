#include "records.h"

/* The finaliser of splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
uint64_t hash(uint64_t key) {
  key += 0x9e3779b97f4a7c15u;
  key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9u;
  key = (key ^ (key >> 27)) * 0x94d049bb133111ebu;
  return key ^ (key >> 31);
}
