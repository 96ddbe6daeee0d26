"""Calls in parallel, by joblib."""

from __future__ import annotations

from joblib import Parallel, delayed

__all__ = ["Parallel", "delayed"]
