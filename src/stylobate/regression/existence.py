"""Whether the maximum exists: targets that columns separate, said in words."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array, Mask
from stylobate.regression.likelihood_fit import LikelihoodFit, LikelihoodModel, RowsOfFit

SUSPICION = 1e-5  # a probability or a mean of a zero so small asks whether it would like to be 0


def separation(
    model: LikelihoodModel, rows: RowsOfFit, fit: LikelihoodFit
) -> tuple[str | None, Mask | None]:
    """A sentence and the coefficients that have no finite estimate; None if all have.

    Binary targets and targets in order are asked by linear programs, counts by the null space of
    the rows that are positive; and only if the fit gives a row next to no chance of being other.
    """
    names = fit.names
    used = slice(None) if rows.weights is None else rows.weights > 0
    x, y = rows.x[used], rows.y[used]
    predictors = model.predictors(rows)
    if model.family.target in ("binary", "ordered"):
        found = model.likelihood().at(rows.y, predictors.at(fit.coef)).value[used]
        if fit.converged and not (found > -SUSPICION).any():
            return None, None
    elif model.family.exponential and model.link == "log":
        mu = np.exp(predictors.at(fit.coef)[:, 0])[used]
        if not (mu[y == 0] < SUSPICION * y.mean()).any():
            return None, None
    if model.family.target == "binary":
        return _binary(x, y, names)
    if model.family.target == "ordered":
        return _ordered(x, y, names, model.n_classes)
    if model.family.exponential and model.link == "log" and model.family.target == "count":
        return _zeros(x, y, names)
    return None, None


def _binary(x: Array, y: Array, names: tuple[str, ...]) -> tuple[str | None, Mask | None]:
    from stylobate.optimize.logistic.separation import find_separation

    if not ((y == 0) | (y == 1)).all() or y.min() == y.max():
        if len(y) and y.min() == y.max() and y[0] in (0.0, 1.0):
            return (
                f"The target is {int(y[0])} in every row, so there is nothing to tell apart.",
                np.ones(len(names), dtype=bool),
            )
        return None, None
    found = find_separation(x, y.astype(np.intp), 2, fit_intercept=False)
    if found is None:
        return None, None
    direction = found.coef[1] - found.coef[0] if len(found.coef) > 1 else found.coef[0]
    return _said(np.ravel(direction), names, found.words(list(names)))


def _ordered(
    x: Array, y: Array, names: tuple[str, ...], n_classes: int
) -> tuple[str | None, Mask | None]:
    """One direction has to separate every cut of the classes: looked for cut by cut."""
    from stylobate.optimize.logistic.separation import find_separation

    words, direction = None, None
    for cut in range(n_classes - 1):
        above = (y > cut).astype(np.intp)
        found = find_separation(x, above, 2, fit_intercept=True)
        if found is None:
            return None, None
        own = found.coef[1] - found.coef[0] if len(found.coef) > 1 else found.coef[0]
        direction, words = np.ravel(own), found.words(list(names))
    if direction is None or words is None:
        return None, None
    padded = np.concatenate([direction, np.ones(n_classes - 1)])
    return _said(padded, names, words)


def _zeros(x: Array, y: Array, names: tuple[str, ...]) -> tuple[str | None, Mask | None]:
    from stylobate.optimize.glm.zeros import find_separated_zeros

    found = find_separated_zeros(x, y, fit_intercept=False)
    if found is None:
        return None, None
    said = found.words(list(names))
    lost = np.zeros(len(names), dtype=bool)
    lost[found.columns] = True
    return said[0].upper() + said[1:], lost


def _said(direction: Array, names: tuple[str, ...], words: str) -> tuple[str, Mask]:
    size = np.abs(direction)
    lost = np.zeros(len(names), dtype=bool)
    lost[: len(size)] = size > 1e-9 * size.max()
    said = words[0].upper() + words[1:]
    return (
        f"{said.rstrip('.')}. The likelihood rises without end along it, so these coefficients "
        "have no finite estimate; leave the column out, merge levels, or add a penalty.",
        lost,
    )
