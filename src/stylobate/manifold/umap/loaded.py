"""What a model file says of a map, checked before it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stylobate.exceptions import ModelFileError

if TYPE_CHECKING:
    from stylobate.manifold.umap.estimator import UMAP


def check_map(model: UMAP) -> None:
    """Refuse a map that has not one finite place for each remembered row."""
    index, places = model._index, model.embedding_
    fits = isinstance(places, np.ndarray) and places.ndim == 2 and places.dtype.kind == "f"
    if not fits or places.shape[0] != index.n_samples_fit_ or not np.isfinite(places).all():
        raise ModelFileError("UMAP: the file's map has not one place for each of its rows.")
    if not 1 <= model.n_neighbors_ <= index.n_samples_fit_ or model.n_epochs_ < 0:
        raise ModelFileError("UMAP: the file's counts of neighbours or epochs cannot be.")
