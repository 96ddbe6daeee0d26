"""Chains and unions of transformers that end in a model: scikit-learn's, with ours and theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.pipeline.factory import make_pipeline, make_union
    from stylobate.pipeline.pipeline import Pipeline
    from stylobate.pipeline.union import FeatureUnion

__all__ = ["FeatureUnion", "Pipeline", "make_pipeline", "make_union"]

_HOMES = {
    "FeatureUnion": "union",
    "Pipeline": "pipeline",
    "make_pipeline": "factory",
    "make_union": "factory",
}
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
