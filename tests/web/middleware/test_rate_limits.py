"""Buckets: what no user meets who plays, and who is forgotten."""

from __future__ import annotations

from cardroom.web.middleware.rate_limits import DEFAULT_LIMITS, ConnectionCounts, PasswordAttempts, Rate, TokenBuckets


class Watch:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_full_bucket_empties_and_fills_again_at_its_rate() -> None:
    watch = Watch()
    buckets = TokenBuckets(Rate(10, 5), watch)
    assert [buckets.take("ann") for _ in range(5)] == [0.0] * 5
    assert round(buckets.take("ann"), 6) == 0.1
    watch.now += 0.2
    assert [round(buckets.take("ann"), 6) for _ in range(3)] == [0.0, 0.0, 0.1]


def test_any_user_waits_as_long_as_shown_is_let_in() -> None:
    watch = Watch()
    buckets = TokenBuckets(Rate(3, 7), watch)
    for _ in range(1_000):
        wait = buckets.take("ann")
        if wait:
            watch.now += wait
            assert buckets.take("ann") == 0.0


def test_a_refusal_costs_nothing() -> None:
    watch = Watch()
    buckets = TokenBuckets(Rate(1, 1), watch)
    buckets.take("ann")
    for _ in range(100):
        assert buckets.take("ann") == 1.0


def test_those_who_have_waited_long_enough_are_forgotten_and_the_memory_is_bounded() -> None:
    watch = Watch()
    buckets = TokenBuckets(Rate(1, 10), watch, max_keys=100)
    for number in range(100):
        buckets.take(f"old-{number}")
    watch.now += 20
    buckets.take("new")
    assert len(buckets) == 1
    for number in range(10_000):  # all at once, from everywhere
        buckets.take(f"flood-{number}")
    assert len(buckets) <= 100


def test_a_program_that_plays_fifty_rounds_a_second_never_meets_the_limit() -> None:
    watch = Watch()
    buckets = TokenBuckets(DEFAULT_LIMITS.calls, watch)
    for _ in range(60 * 50):
        watch.now += 1 / 50
        assert not any(buckets.take("ann") for _ in range(6)), "wagers, answers, a look and advice"


def test_lines_are_given_back() -> None:
    lines = ConnectionCounts(3)
    assert [lines.take("ann") for _ in range(4)] == [True, True, True, False]
    for _ in range(3):
        lines.give_back("ann")
    assert len(lines) == 0


def test_ten_failed_logins_a_minute_and_then_one_every_six_seconds() -> None:
    watch = Watch()
    attempts = PasswordAttempts(clock=watch)
    for _ in range(10):
        assert attempts.begin("192.0.2.7") == 0.0
    assert round(attempts.begin("192.0.2.7"), 6) == 6.0
    assert attempts.begin("192.0.2.8") == 0.0
    watch.now += 6.0
    assert attempts.begin("192.0.2.7") == 0.0
    assert attempts.begin("192.0.2.7") > 0.0


def test_right_passwords_never_make_an_address_wait() -> None:
    attempts = PasswordAttempts(clock=Watch())
    for _ in range(100):
        assert attempts.begin("192.0.2.7") == 0.0
        attempts.give_back("192.0.2.7")


def test_all_addresses_of_one_household_guess_together() -> None:
    attempts = PasswordAttempts(clock=Watch())
    for number in range(10):
        attempts.begin(f"2001:db8:0:1::{number:x}")
    assert attempts.begin("2001:db8:0:1:ffff::1") > 0
    assert attempts.begin("2001:db8:0:2::1") == 0.0
