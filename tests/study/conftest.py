"""What tests of studies share."""

from __future__ import annotations

import pytest


@pytest.fixture
def without_pictures(monkeypatch):
    """Studies that write everything but pictures, which take most of the time of small ones."""
    monkeypatch.setattr("stylobate.study.output.pictures.pictures_of", lambda result: [])
