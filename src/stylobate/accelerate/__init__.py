"""scikit-learn's own classes, fitted by Stylobate: existing scripts run faster unchanged.

``stylobate.accelerate()`` replaces the slow methods of classes of scikit-learn by ours and
writes our answer into their instances, so that names imported before are accelerated too,
``isinstance`` holds, and pickles load without us. Whether a call is ours is decided before it, by
conditions one can read (`conditions`), never by trying.

>>> import stylobate
>>> stylobate.accelerate.names()[:3]
['AgglomerativeClustering', 'CountVectorizer', 'DBSCAN']

References
----------
scikit-learn's draft of plug-in engines, https://github.com/scikit-learn/scikit-learn/pull/30250.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from stylobate.accelerate.book import Call, Report
from stylobate.accelerate.switch import Acceleration, accelerate, conditions, names, report, undo

__all__ = ["Acceleration", "Call", "Report", "accelerate", "conditions", "names", "report", "undo"]


class _Callable(ModuleType):
    """A module that can be called: ``stylobate.accelerate()``."""

    def __call__(self, *args: Any, **options: Any) -> Acceleration:
        return accelerate(*args, **options)


sys.modules[__name__].__class__ = _Callable
