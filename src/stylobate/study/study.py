"""`stylobate.Study`: from a table and a target to a chosen, explained model."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stylobate.data.kinds.schema import Kind
from stylobate.exceptions import InvalidParameterError
from stylobate.study.events import Listener
from stylobate.study.results import StudyResult


class Study:
    """The whole way from a table to a model, in one call.

    Reads and explores the table, locks a hold-out away, cross-validates every suitable family of
    models within a time budget (the baseline first), compares them with intervals and paired
    tests, takes the simplest one within a standard error of the best, asks the hold-out once,
    refits to all rows and explains. With a folder everything is written there, and an interrupted
    study goes on where it stopped.

    Parameters
    ----------
    source : str, path, Relation, data frame, dictionary of columns, Database or Join
        A shipped data set by name, a file, an address, a query: what `stylobate.read` takes. Of
        `stylobate.database`, or the path of one with several tables, the tables that the target's
        table points at are looked up, and those with many rows for one of its rows aggregated,
        before its moment where both have times; a `stylobate.join` is taken as it is.
    target : str
        The column to predict, of a database ``table.column``. Two values or categories are
        classified, numbers estimated.
    task : {"classification", "regression"} or None, default=None
        What to do with it, where that is to be decided by you: numbers may be classes.
    kinds : mapping from name to kind, default={}
        Kinds of columns you know better than their values tell (see `stylobate.data.kinds.KINDS`),
        such as ``{"zip": "nominal", "name": "text"}``.
    metric : str or None, default=None
        What models are judged by, such as "accuracy", "auc", "rmse", "mae"; None: by the target.
    models : sequence of str, mapping of str to estimator, or None, default=None
        Families to try, such as ("logistic", "neighbours"); estimators of your own; None: all.
    time : float in (0, inf), default=60
        Seconds the whole study may take, about, from reading to explaining.
    holdout : float in (0, 0.9), default=0.2
        Share of the rows to lock away.
    cv : int in [2, 50], default=5
        Folds.
    group : str or None, default=None
        A column whose rows of equal value must stay together (patients, customers).
    time_column : str or None, default=None
        A column to order the rows by: the past predicts the future.
    split : {"auto", "random"}, default="auto"
        How rows are divided where neither `group` nor `time_column` says it. "auto" looks whether
        they are in the order of time, are several about the same one, or repeat each other, and
        divides accordingly; "random" draws them.
    horizon : int in [1, inf) or None, default=None
        Of a series in equal steps of time: how many steps ahead predictions are asked for. The
        target up to so many steps before a row is then known, and its past (single values, those of
        a season before, means) is among the columns. None: rows are predicted without it.
    positive : str or None, default=None
        Of two classes the one looked for; None: "1", "yes", "true" …, else the rarer one.
    cost : (float, float) or None, default=None
        What a false alarm and what a miss costs: models are judged by, and decide for, the least
        expected cost.
    drop, keep : sequence of str, default=()
        Columns to leave out (of a database also tables, as ``"table.*"``); columns to keep
        although they look like the target itself, or are keys of many values.
    random_state : int, default=0
        Seed of all draws.
    threads : int or None, default=None
        Threads to use; None: all that `stylobate.set_threads` allows.
    memory : float in (0, inf], default=256
        Megabytes that the values of the table may take (rows × columns × 8 bytes). Of a larger one
        a sample of rows is searched, drawn by a hash of their numbers and so small that about as
        much is taken by all that is made of it; the chosen model is then fitted to all rows and
        scored on all locked ones in batches, where it can learn so.
    folder : str, path or None, default=None
        Where to write; None: nowhere, the result is all there is.
    engine : {"dask", "ray", "spark"} or None, default=None
        Where all rows are: on the cluster that is connected to, or on one of this machine's
        threads. As of a table larger than memory, a sample of the rows is searched, drawn by a hash
        of their numbers; the chosen model is fitted to all rows, and scored on all locked ones,
        where they are. A source that is the engine's own collection needs no engine to be named.

    Examples
    --------
    >>> from stylobate import Study
    >>> result = Study("penguins", "species", models=["lda"], time=10).run()
    >>> result.status, result.choice.family
    ('complete', 'lda')
    >>> result.holdout.scores[0].label
    'accuracy'
    """

    def __init__(
        self,
        source: Any,
        target: str,
        *,
        task: str | None = None,
        kinds: Mapping[str, Kind] | None = None,
        metric: str | None = None,
        models: Sequence[str] | Mapping[str, Any] | None = None,
        time: float = 60,
        holdout: float = 0.2,
        cv: int = 5,
        group: str | None = None,
        time_column: str | None = None,
        split: str = "auto",
        horizon: int | None = None,
        positive: str | None = None,
        cost: tuple[float, float] | None = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        random_state: int = 0,
        threads: int | None = None,
        memory: float = 256,
        folder: str | os.PathLike[str] | None = None,
        engine: str | None = None,
    ) -> None:
        self.source, self.target = source, target
        self.task, self.kinds = task, dict(kinds or {})
        self.metric, self.models, self.time = metric, models, time
        self.holdout, self.cv = holdout, cv
        self.group, self.time_column, self.split = group, time_column, split
        self.horizon = horizon
        self.positive, self.cost = positive, cost
        self.drop = (drop,) if isinstance(drop, str) else tuple(drop)
        self.keep = (keep,) if isinstance(keep, str) else tuple(keep)
        self.random_state, self.threads = random_state, threads
        self.memory = memory
        self.folder = None if folder is None else Path(folder)
        self.engine = engine
        self._check()

    def run(self, callback: Listener | None = None) -> StudyResult:
        """Do the study, or go on with it.

        Parameters
        ----------
        callback : callable, optional
            Called with every `stylobate.study.Event`.

        Returns
        -------
        StudyResult
            Complete; or partial, if Ctrl-C came after the first fits: run the study again to go on.
        """
        from stylobate.parallel import threads
        from stylobate.study.run import StudyRun

        with threads(self.threads):
            return StudyRun(self, callback).run()

    def _check(self) -> None:
        if self.engine is not None:
            from stylobate.sources.clusters.sessions import check_engine

            check_engine(self.engine, "Study")
        number = isinstance(self.time, int | float) and not isinstance(self.time, bool)
        if not number or not 0 < self.time < float("inf"):
            raise InvalidParameterError(
                f"time={self.time!r} must be a number of seconds above 0, such as 60."
            )
        if isinstance(self.memory, bool) or not isinstance(self.memory, int | float):
            raise InvalidParameterError(f"memory={self.memory!r} must be a number of megabytes.")
        if not self.memory > 0:
            raise InvalidParameterError(f"memory={self.memory!r} must be above 0 megabytes.")
        ahead = self.horizon
        whole = isinstance(ahead, int) and not isinstance(ahead, bool)
        if ahead is not None and (not whole or ahead < 1):
            raise InvalidParameterError(
                f"horizon={ahead!r} must be a whole number of steps ahead, 1 or more."
            )
        seed = self.random_state
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**32:
            raise InvalidParameterError(
                f"random_state={seed!r} must be a whole number from 0 to 2³² − 1."
            )
        if isinstance(self.target, list | tuple):
            raise InvalidParameterError(
                f"target={self.target!r} names several columns, and a study predicts one: run one "
                "study for each, and drop the other targets from it."
            )
        if not isinstance(self.target, str) or not self.target:
            raise InvalidParameterError(f"target={self.target!r} must be the name of a column.")
