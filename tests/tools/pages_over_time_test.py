"""Is the most that objects hold during a life what counting gives, and is it found fast enough for large profiles?"""

from __future__ import annotations

import random
import time

import pytest

from lbhm.optimize.pages_over_time import PagesOverTime


@pytest.mark.parametrize("seed", range(50))
def test_the_most_is_that_of_counting_moment_by_moment(seed):
    dice = random.Random(seed)
    lives = [(born, born + dice.randint(1, 12)) for born in (dice.randint(0, 20) for _ in range(dice.randint(1, 30)))]
    held, found = [], PagesOverTime(born for born, _ in lives)
    for born, dies in lives:
        counted = (sum(pages for begin, end, pages in held if begin <= now < end) for now in range(born, dies))
        assert found.most(born, dies) == max(counted)
        held.append((born, dies, dice.randint(1, 9)))
        found.add(*held[-1])


def test_a_life_without_length_holds_nothing():
    found = PagesOverTime([1.0, 2.0])
    found.add(2.0, 2.0, 5)
    assert found.most(1.0, 9.0) == 0
    found.add(1.0, 3.0, 5)
    assert found.most(2.0, 2.0) == 5


def test_large_profiles_take_no_minutes():
    """Counting object by object took hours for as many as a profile may hold."""
    count, begin = 1 << 15, time.process_time()
    found = PagesOverTime(range(count))
    for born in range(count):
        found.most(born, born + count)
        found.add(born, born + count, 1)
    assert found.most(0, 2 * count) == count
    assert time.process_time() - begin < 30
