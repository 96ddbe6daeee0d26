"""Methods that an estimator of your own has only sometimes."""

from __future__ import annotations

from stylobate.base.availability import available_if

__all__ = ["available_if"]
