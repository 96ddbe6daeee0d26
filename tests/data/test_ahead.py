"""Items made on a thread: in order, with their errors, and no thread left behind."""

from __future__ import annotations

import threading
import time

import pytest

import stylobate
from stylobate.data.streams.ahead import ahead


def test_items_come_in_order_and_the_thread_ends():
    before = threading.active_count()
    assert list(ahead(iter(range(50)))) == list(range(50))
    assert threading.active_count() == before


def test_no_more_items_are_made_than_allowed():
    made = []

    def items():
        for k in range(10):
            made.append(k)
            yield k

    found = ahead(items(), most=2)
    assert next(found) == 0
    time.sleep(0.2)
    assert len(made) <= 4  # one given, two that wait, one in the hands of the thread
    found.close()


def test_an_error_comes_where_the_item_would():
    def items():
        yield 1
        raise KeyError("gone")

    found = ahead(items())
    assert next(found) == 1
    with pytest.raises(KeyError, match="gone"):
        next(found)


@pytest.mark.parametrize("end", ["close", "throw"])
def test_leaving_early_closes_the_items_and_the_thread(end):
    closed = []
    before = threading.active_count()

    def items():
        try:
            while True:
                yield 0
        finally:
            closed.append(threading.current_thread().name)

    found = ahead(items())
    next(found)
    if end == "close":
        found.close()
    else:
        with pytest.raises(KeyboardInterrupt):
            found.throw(KeyboardInterrupt())
    assert closed == ["stylobate-ahead"]
    assert threading.active_count() == before


def test_settings_of_the_caller_hold_on_the_thread():
    def items():
        yield stylobate.get_config()["collect_limit"]

    with stylobate.config_context(collect_limit=77):
        assert list(ahead(items())) == [77]
