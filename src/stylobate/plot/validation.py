"""Errors of training and validation against the penalty as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.drawing import PALETTE, Array, axes_or_new, checked_alphas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINES = ("--", ":", "-.")


def plot_validation_curve(
    alphas: Any,
    *,
    train_errors: Any = None,
    validation_errors: Any = None,
    chosen: float | Mapping[str, float] | None = None,
    error: str = "mean squared error",
    ax: Axes | None = None,
) -> Axes:
    """Errors against the penalty: the left end fits the noise, the right end misses the signal.

    Errors of several folds are drawn as their mean and a band of one standard error about it.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,)
        Penalties, all positive.
    train_errors, validation_errors : array-like of shape (n_alphas,) or (n_alphas, n_folds)
        Errors of the rows fitted and of the rows left out, such as `LassoCV.mse_path_`; one of the
        two may be missing.
    chosen : float or mapping of str to float, optional
        A penalty to mark by a vertical line, or several with their labels.
    error : str, default="mean squared error"
        Label of the vertical axis.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LassoCV
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = LassoCV(cv=5).fit(X, y)
    >>> ax = plot_validation_curve(
    ...     model.alphas_, validation_errors=model.mse_path_, chosen=model.alpha_
    ... )
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['validation, mean ± standard error of 5 folds', 'chosen']
    """
    alphas = checked_alphas(alphas, "plot_validation_curve")
    if train_errors is None and validation_errors is None:
        raise InvalidParameterError(
            "plot_validation_curve: there is nothing to draw; give train_errors, validation_errors "
            "or both."
        )
    ax = axes_or_new(ax)
    curves = (("validation", validation_errors, PALETTE[1]), ("training", train_errors, PALETTE[0]))
    for label, errors, color in curves:
        if errors is not None:
            _draw(alphas, _checked(errors, len(alphas), label), label, color, ax)
    marks = chosen if isinstance(chosen, Mapping) else {"chosen": chosen}
    for place, (label, alpha) in enumerate(marks.items()):
        if alpha is not None:
            style = _LINES[place % len(_LINES)]
            ax.axvline(alpha, color="black", lw=1.0, ls=style, label=label, zorder=1)
    ax.set_xscale("log")
    ax.set_xlabel("penalty α (log scale)")
    ax.set_ylabel(error)
    # Above the axes: inside, it would lie on a curve or on a mark.
    above = (0.5, 1.0)
    ax.legend(frameon=False, fontsize="small", loc="lower center", bbox_to_anchor=above, ncols=2)
    return ax


def _checked(errors: Any, count: int, label: str) -> Array:
    checked = np.asarray(errors, dtype=np.float64)
    if checked.ndim not in (1, 2) or len(checked) != count:
        raise InvalidParameterError(
            f"plot_validation_curve: the {label} errors have shape {checked.shape} for {count} "
            f"alphas; they must be ({count},) or ({count}, n_folds)."
        )
    return checked


def _draw(alphas: Array, errors: Array, label: str, color: str, ax: Axes) -> None:
    if errors.ndim == 2:
        folds = errors.shape[1]
        mean = errors.mean(axis=1)
        if folds > 1:
            off = errors.std(axis=1, ddof=1) / np.sqrt(folds)
            ax.fill_between(alphas, mean - off, mean + off, color=color, alpha=0.2, lw=0, zorder=2)
            label = f"{label}, mean ± standard error of {folds} folds"
        errors = mean
    ax.plot(alphas, errors, color=color, lw=1.8, label=label, zorder=3)
