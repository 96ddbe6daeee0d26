"""What a fitted model answers to rows of a cluster, as columns of the engine's own type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stylobate.exceptions import UnsupportedDataError
from stylobate.parallel import threads
from stylobate.sources.clusters.messages import library_version, refuse_other_version

_MOST_SPARSE = 2000  # columns that are made dense for a frame
_PREFIX = {
    "predict": "prediction",
    "predict_proba": "probability",
    "predict_log_proba": "log_probability",
    "decision_function": "decision",
    "score_samples": "score",
    "transform": "column",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """A method of a fitted model, sent to the workers.

    Parameters
    ----------
    model : fitted estimator
    method : str
    options : dict
        More arguments of the method.
    features : tuple of str, optional
        The columns the model looks at; all others are handed on. None: it looks at all.
    """

    model: Any
    method: str
    options: dict[str, Any] = field(default_factory=dict)
    features: tuple[str, ...] | None = None
    version: str = field(default_factory=library_version)

    def of_array(self, x: Any) -> Any:
        """The answer to an array."""
        refuse_other_version(self.version)
        with threads(1):
            found = getattr(self.model, self.method)(x, **self.options)
        if isinstance(found, tuple):
            raise UnsupportedDataError(
                f"{type(self.model).__name__}.{self.method} answers with several arrays, which a "
                "cluster's collection cannot hold; ask for it on rows in memory."
            )
        return found

    def of_item(self, item: Any) -> Any:
        """The answer to an item of a bag: X, or X with its target."""
        return self.of_array(item[0] if isinstance(item, tuple) else item)

    def of_frame(self, frame: Any) -> Any:
        """The answer to a pandas frame, with its index: a series, or a frame of several columns.

        A transformer hands on the columns that it was not fitted to.
        """
        import pandas as pd

        names, columns = self._columns(self.of_array(self._features(frame)))
        if self.method != "transform" and len(columns) == 1:
            return pd.Series(columns[0], index=frame.index, name=names[0])
        made = dict(zip(names, columns, strict=True))
        if self.method == "transform":
            made |= {name: frame[name] for name in self._others(frame.columns) if name not in made}
        return pd.DataFrame(made, index=frame.index)

    def of_arrow(self, batch: Any) -> Any:
        """The answer to rows of Arrow's, beside their columns (a transformer's: in their place)."""
        import pyarrow as pa

        table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
        chosen = table if self.features is None else table.select(list(self.features))
        names, columns = self._columns(self.of_array(chosen))
        kept = self._others(table.column_names) if self.method == "transform" else None
        arrays = {name: pa.array(each) for name, each in zip(names, columns, strict=True)}
        for name in table.column_names if kept is None else kept:
            arrays.setdefault(name, table[name])
        return pa.table(arrays)

    def _features(self, frame: Any) -> Any:
        return frame if self.features is None else frame[list(self.features)]

    def _others(self, names: Any) -> list[Any]:
        return [] if self.features is None else [n for n in names if n not in self.features]

    def _columns(self, found: Any) -> tuple[list[str], list[Any]]:
        """Names and columns of an answer."""
        if hasattr(found, "tocsr"):
            if found.shape[1] > _MOST_SPARSE:
                raise UnsupportedDataError(
                    f"{type(self.model).__name__}.{self.method} gives {found.shape[1]:,} sparse "
                    "columns, which a cluster's frame would hold one by one, zeros and all; put it "
                    "into a pipeline before the model that wants them."
                )
            found = found.toarray()
        if hasattr(found, "column_names"):  # Arrow's
            return list(found.column_names), [np.asarray(each) for each in found.columns]
        if hasattr(found, "columns"):
            return [str(name) for name in found.columns], [
                found[name].to_numpy() for name in found.columns
            ]
        found = np.asarray(found)
        if found.ndim == 1:
            return [self._prefix], [found]
        return self._names(found.shape[1]), list(np.ascontiguousarray(found.T))

    @property
    def _prefix(self) -> str:
        return _PREFIX.get(self.method, self.method)

    def _names(self, count: int) -> list[str]:
        known: Sequence[Any] | None = None
        if self.method == "transform" and hasattr(self.model, "get_feature_names_out"):
            known = [str(each) for each in self.model.get_feature_names_out()]
        elif self.method in ("predict_proba", "predict_log_proba", "decision_function"):
            classes = getattr(self.model, "classes_", ())
            if len(classes) == count:
                known = [f"{self._prefix}_{each}" for each in classes]
        return list(known or [f"{self._prefix}_{k}" for k in range(count)])
