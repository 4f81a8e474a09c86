"""Errors and rank correlation, with answers by hand."""

import pytest
from harness.fidelity.statistics import mean_absolute_error, ranks, signed_error, spearman


def test_signed_error():
    assert signed_error(3, 2) == pytest.approx(0.5)
    assert signed_error(1, 2) == pytest.approx(-0.5)


def test_errors_of_both_signs_do_not_cancel():
    assert mean_absolute_error([1, 3], [2, 2]) == pytest.approx(0.5)


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(ValueError):
        mean_absolute_error([1], [2, 2])


def test_equal_values_share_their_ranks():
    assert ranks([30, 10, 20, 20]) == [4, 1, 2.5, 2.5]


def test_spearman_sees_order_only():
    assert spearman([1, 2, 3, 4], [10, 200, 3000, 40000]) == pytest.approx(1)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)


def test_spearman_of_one_swap():
    # 1 - 6 sum(d^2) / (n (n^2 - 1)) = 1 - 6 * 2 / (4 * 15)
    assert spearman([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
