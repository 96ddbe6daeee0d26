"""What a selector takes over from the estimator it is built around."""

from __future__ import annotations

from stylobate.base.delegation import inner_has, is_fitted, tags_of

__all__ = ["inner_has", "is_fitted", "tags_of"]
