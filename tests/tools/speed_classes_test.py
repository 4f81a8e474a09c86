"""Are memories of one speed in one class, and others not?"""

import pytest

from lbhm.measure.speed_classes import classes_of, k_means

# PEARS (MEMSYS 2021), figure 3: triad MB/s of nodes 1, 0, 3, 2 from processors 72-95, and of 0, 1, 2, 3 from 48-71.
PEARS = [67649.4, 33573.0, 6189.6, 810.8, 69189.5, 34690.4, 6080.0, 799.5]


def test_three_classes_as_in_pears():
    assert classes_of(PEARS, 3) == [0, 1, 2, 2, 0, 1, 2, 2]


def test_without_a_number_remote_optane_is_a_class_of_its_own():
    assert classes_of(PEARS) == [0, 1, 2, 3, 0, 1, 2, 3]


@pytest.mark.parametrize(
    ("bandwidths", "classes"),
    [
        ([30.0], [0]),
        ([100.0, 90.0, 95.0, 104.0], [0, 0, 0, 0]),
        ([100.0, 90.0, 110.0, 2.0, 0.8], [0, 0, 0, 1, 2]),  # noise of the fast does not hide what is slow
        ([24.0, 248.0, 665.0], [2, 1, 0]),
        ([], []),
    ],
)
def test_a_class_is_as_wide_as_noise(bandwidths, classes):
    assert classes_of(bandwidths) == classes


def test_clusters_are_the_best_ones():
    values = [1.0, 2.0, 9.0, 10.0, 11.0, 25.0]
    assert k_means(values, 3) == [2, 2, 1, 1, 1, 0]
    assert k_means(values, 2) == [1, 1, 1, 1, 1, 0]


def test_equal_values_weigh_as_often_as_they_are_there():
    # One cluster holds 10 three times or once: the best border moves.
    assert k_means([0.0, 6.0, 10.0], 2) == [1, 0, 0]
    assert k_means([0.0, 5.0, 5.0, 5.0, 10.0, 10.0, 10.0], 2) == [1, 1, 1, 1, 0, 0, 0]


def test_more_clusters_than_values():
    assert k_means([3.0, 3.0, 1.0], 5) == [0, 0, 1]
