"""What part an estimator plays in a study: its family, its settings to try, what it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal

Encoding = Literal["scaled", "words", "plain", "codes", "ordinal", "table"]


@dataclass(frozen=True, slots=True)
class StudyRole:
    """How `stylobate.Study` uses a class, as its attribute ``_study_role``.

    Only a class's own attribute counts: subclasses inherit no role.

    Parameters
    ----------
    family : str
        A short name in lower case, unique among classifiers and among regressors ("logistic").
    title : str
        What people call it ("Logistic regression").
    simplicity : int in [0, 100]
        Of models within noise the one with the smallest is chosen: 0 for baselines, 10 for linear
        models, 20 for sparse or shrunken choices of them, 40 for neighbours, 50 for one tree, 70
        for forests, 80 for boosting.
    space : mapping of str to tuple, default={}
        Values of parameters to try, the one tried first in front. The settings are all
        combinations.
    fixed : mapping of str to object, default={}
        Parameters that all settings share, where the default is not what a study needs.
    encoding : {"scaled", "words", "plain", "codes", "ordinal", "table"}, default="scaled"
        What `fit` is given: numbers of mean 0 and deviation 1 with categories as zeros and ones and
        texts as a few directions; the same as a sparse array with the weights of all words, where
        there are texts; the same as the first without scaling; categories as whole numbers and gaps
        as NaN (trees that split them natively); the same without telling which columns are
        categories (many random trees lose nothing by it, and grow in half the time); or the table
        as it is.
    max_rows, max_columns : int or None, default=None
        Above which the family is left out, because it would take too long or too much memory.
    min_rows : int, default=0
        Below which it is left out, because simpler models learn as much in less time.
    target : {"any", "positive", "count"}, default="any"
        What a numeric target must be.
    target_units : tuple of str, default=()
        Parameters of the space that are in units of a numeric target: the study multiplies their
        values by its standard deviation.
    calibrated : bool, default=False
        Whether a study makes the scores of a classifier probabilities, learnt from rows left out.
    sparse : bool, default=False
        Whether it learns from sparse arrays of many columns quickly: then it is given the words of
        texts themselves.
    for_counts : mapping of str to object, default={}
        Parameters with which a regressor is tried once more where the target counts something.

    Examples
    --------
    >>> role = StudyRole("ridge", "Ridge regression", 10, space={"alpha": (1.0, 0.1)})
    >>> role.settings()
    [{'alpha': 1.0}, {'alpha': 0.1}]
    >>> both = {"alpha": (0.01,), "l1_ratio": (0.5,)}
    >>> net = StudyRole("net", "Elastic net", 13, space=both, target_units=("alpha",))
    >>> net.settings(3.0)
    [{'alpha': 0.02, 'l1_ratio': 0.75}]
    """

    family: str
    title: str
    simplicity: int
    space: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    encoding: Encoding = "scaled"
    max_rows: int | None = None
    max_columns: int | None = None
    min_rows: int = 0
    target: Literal["any", "positive", "count"] = "any"
    target_units: tuple[str, ...] = ()
    calibrated: bool = False
    sparse: bool = False
    for_counts: Mapping[str, Any] = field(default_factory=dict)

    def settings(self, scale: float = 1.0) -> list[dict[str, Any]]:
        """All combinations of the values to try; the first one is tried first.

        Parameters
        ----------
        scale : float, default=1.0
            The standard deviation of a numeric target, for the parameters in its units. Of an
            elastic net's penalty α ρ |w| + α (1 − ρ) w² / 2 only the first part has units: α and ρ
            are chosen such that the second stays as it is.
        """
        names = list(self.space)
        found = [dict(zip(names, each, strict=True)) for each in product(*self.space.values())]
        return [self._scaled(each, scale) for each in found] if self.target_units else found

    def _scaled(self, params: dict[str, Any], scale: float) -> dict[str, Any]:
        found = {k: v * scale if k in self.target_units else v for k, v in params.items()}
        if "l1_ratio" in params and "alpha" in self.target_units:
            absolute = found["alpha"] * params["l1_ratio"]
            found["alpha"] = absolute + params["alpha"] * (1.0 - params["l1_ratio"])
            found["l1_ratio"] = absolute / found["alpha"]
        elif scale != 1.0:  # three digits are enough of a penalty, and read better
            found |= {k: float(f"{found[k]:.3g}") for k in self.target_units}
        return found


def role_of(kind: type) -> StudyRole | None:
    """The role of a class, if it has one of its own.

    >>> role_of(int) is None
    True
    """
    role = vars(kind).get("_study_role")
    return role if isinstance(role, StudyRole) else None
