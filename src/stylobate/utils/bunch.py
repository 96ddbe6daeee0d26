"""A dictionary with attributes."""

from __future__ import annotations

from stylobate.datasets.bunch import Bunch

__all__ = ["Bunch"]
