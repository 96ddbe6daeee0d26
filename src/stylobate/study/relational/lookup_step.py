"""The first step of a study's model: from rows of one table to columns of all."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator
from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds import Schema
from stylobate.exceptions import InvalidDataError
from stylobate.joins import Join, StoredJoin
from stylobate.joins.collected import collected


class TableLookup(BaseEstimator):
    """A step that looks up and aggregates what a model needs of other tables, which it keeps.

    Parameters
    ----------
    join : StoredJoin
        The schema, the columns that are made, and the tables they come from. Newer tables take
        the place of stored ones by ``step.join = step.join.with_tables(customers=…)``.

    Examples
    --------
    >>> import stylobate
    >>> from stylobate.linear_model import LinearRegression
    >>> orders = {"customer": [1, 2, 1, 3], "days": [2.0, 4.0, 2.0, 6.0]}
    >>> customers = {"customer": [1, 2, 3], "age": [30.0, 50.0, 70.0]}
    >>> joined = stylobate.join(orders).with_(customers, on="customer")
    >>> step = TableLookup(LinearRegression().fit(joined, target="days").join_).fit(None)
    >>> step.feature_names_in_.tolist(), step.get_feature_names_out().tolist()
    (['customer'], ['customers.age'])
    >>> step.transform({"customer": [3, 1]})["customers.age"].tolist()
    [70.0, 30.0]
    """

    schema_: Schema  # of the columns of new rows, as commands that read files want to know

    def __init__(self, join: StoredJoin) -> None:
        self.join = join

    def fit(self, X: Any, y: Any = None) -> TableLookup:
        """Tell which columns of the facts are needed; nothing is learnt."""
        schema = self.join.schema
        own = f"{schema.facts}."
        names = [c for edge in schema.edges for t, c in edge.parents if t == schema.facts]
        names += [n.removeprefix(own) for n in self.join.features if n.startswith(own)]
        ordered = [name for name in schema.columns_of(schema.facts) if name in names]
        self.feature_names_in_ = np.array(ordered, dtype=object)
        self.n_features_in_ = len(ordered)
        return self

    def transform(self, X: Any) -> ColumnTable:
        """The columns that the model was fitted to, for rows of the facts.

        Parameters
        ----------
        X : data frame, mapping of columns, Relation, ColumnTable, or array of shape (n, p)
            With the columns `feature_names_in_`; an array has them in this order.
        """
        if isinstance(X, np.ndarray):
            X = {name: X[:, j] for j, name in enumerate(self.feature_names_in_)}
        joined = self.join.with_facts(X, "predict", "model.steps[0][1].join.with_tables")
        if not isinstance(joined, Join):
            raise InvalidDataError(
                "predict: the rows must have names of columns; pass a data frame, a dict of "
                f"arrays or a file with {', '.join(map(str, self.feature_names_in_))}."
            )
        return collected(joined, self.join.features)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns that are made."""
        return np.array(self.join.features, dtype=object)
