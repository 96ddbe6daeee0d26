"""Models go to open binary files and come back from them."""

from __future__ import annotations

import io

import numpy as np
import pytest

from stylobate.exceptions import ModelFileError
from stylobate.linear_model import Ridge
from stylobate.storage import load, save

X = np.arange(12.0).reshape(6, 2) ** 1.5
MODEL = Ridge().fit(X, X[:, 0])


def test_there_and_back(tmp_path):
    stream = io.BytesIO()
    assert save(MODEL, stream) is None
    assert stream.getvalue() == save(MODEL, tmp_path / "model").read_bytes()
    stream.seek(0)
    assert np.array_equal(load(stream).predict(X), MODEL.predict(X))


@pytest.mark.parametrize("wrong", [io.StringIO(), 7, None])
def test_what_is_no_binary_file(wrong):
    with pytest.raises(ModelFileError, match="a path or an open binary file"):
        save(MODEL, wrong)


def test_a_closed_file():
    stream = io.BytesIO()
    stream.close()
    with pytest.raises(ModelFileError, match="cannot be written"):
        save(MODEL, stream)
