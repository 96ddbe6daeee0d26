"""From a cluster's container to rows: which engine opens it, imported when one is passed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from stylobate.data.streams import register_opener
from stylobate.data.streams.columns import ColumnRoles

# {first part of the module of a container's class: our module that opens it}
_MODULES = {
    "dask": "stylobate.sources.clusters.dask",
    "ray": "stylobate.sources.clusters.ray",
    "pyspark": "stylobate.sources.clusters.spark",
}


def register_clusters() -> None:
    """Enter the openers; a package is imported no earlier than one of its containers is passed."""
    for package in _MODULES:
        register_opener(package, _open)


def _open(X: Any, roles: ColumnRoles) -> Any:
    from stylobate.sources.clusters.rows import ClusterRows

    package = type(X).__module__.partition(".")[0]
    return ClusterRows(import_module(_MODULES[package]).partitions_of(X, roles))
