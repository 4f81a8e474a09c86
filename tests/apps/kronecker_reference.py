"""The generator of apps/spgemm once more, from its description: where the numbers in kronecker_test.cpp come from.

python3 tests/apps/kronecker_reference.py SCALE SEED
"""

import sys


def mt19937_64(seed):
    """Matsumoto and Nishimura's 64-bit Mersenne Twister, as std::mt19937_64 seeds it."""
    mask = (1 << 64) - 1
    state = [seed & mask]
    for i in range(1, 312):
        state.append((6364136223846793005 * (state[-1] ^ (state[-1] >> 62)) + i) & mask)
    while True:
        for i in range(312):
            x = (state[i] & 0xFFFFFFFF80000000) | (state[(i + 1) % 312] & 0x7FFFFFFF)
            state[i] = state[(i + 156) % 312] ^ (x >> 1) ^ (0xB5026F5AA96619E9 if x & 1 else 0)
        for y in state:
            y ^= (y >> 29) & 0x5555555555555555
            y ^= (y << 17) & 0x71D67FFFEDA60000
            y ^= (y << 37) & 0xFFF7EEE000000000
            yield (y ^ (y >> 43)) & mask


def kronecker(scale, seed):
    draws = mt19937_64(seed)
    a, b, c = (int(p * 2**32) for p in (0.57, 0.57 + 0.19, 0.57 + 0.19 + 0.19))
    edges = []
    for _ in range(16 << scale):
        row = column = 0
        for _ in range(scale):
            point = next(draws) >> 32
            quarter = (point >= a) + (point >= b) + (point >= c)
            row, column = 2 * row + quarter // 2, 2 * column + quarter % 2
        edges.append((row, column))
    name = list(range(1 << scale))
    for last in range(1 << scale, 1, -1):
        other = (next(draws) * last) >> 64
        name[last - 1], name[other] = name[other], name[last - 1]
    return sorted({(name[row], name[column]) for row, column in edges})


def main():
    scale, seed = int(sys.argv[1]), int(sys.argv[2])
    cells = kronecker(scale, seed)
    print("row pointers:", [sum(row < r for row, _ in cells) for r in range((1 << scale) + 1)])
    print("columns:", [column for _, column in cells])


if __name__ == "__main__":
    main()
