"""Settings: checked, scoped, and private to a thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from stylobate.config import config_context, get_config, set_config
from stylobate.exceptions import InvalidParameterError

INITIAL = {
    "transform_output": "input",
    "display": "diagram",
    "assume_finite": False,
    "cross_validation": "auto",
    "collect_limit": 1 << 30,
}


@pytest.fixture(autouse=True)
def _restored():
    with config_context():
        yield


def test_initial_settings_are_a_copy():
    assert get_config() == INITIAL
    get_config()["display"] = "text"
    assert get_config() == INITIAL


def test_none_changes_nothing():
    set_config(display="text")
    set_config(assume_finite=True)
    assert get_config() == INITIAL | {"display": "text", "assume_finite": True}


def test_context_restores_even_after_errors():
    def fail_inside():
        with config_context(transform_output="polars"):
            set_config(display="text")
            assert get_config() == INITIAL | {"transform_output": "polars", "display": "text"}
            raise KeyError

    with pytest.raises(KeyError):
        fail_inside()
    assert get_config() == INITIAL


def test_threads_have_their_own_settings():
    with config_context(display="text"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(get_config).result() == INITIAL
        pool.submit(set_config, assume_finite=True).result()
        assert not get_config()["assume_finite"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("display", "html"), ("transform_output", "arrow"), ("assume_finite", 1), ("display", True)],
)
def test_bad_values_are_refused(name, value):
    with pytest.raises(InvalidParameterError, match=f"{name} must be one of .*got {value!r}"):
        set_config(**{name: value})
    assert get_config() == INITIAL


def test_unknown_settings_are_refused():
    with pytest.raises(InvalidParameterError, match="no setting 'colour'; the settings are"):
        config_context(colour="red").__enter__()
