"""`FrozenEstimator`: a fitted estimator that no meta-estimator fits again."""

from __future__ import annotations

from typing import Annotated, Any, Self

from stylobate.base import BaseEstimator, HasMethods, Tags
from stylobate.base.availability import available_if
from stylobate.base.delegation import is_fitted, tags_of
from stylobate.exceptions import InvalidParameterError, NotFittedError, joined

_REFITS = ("fit_predict", "fit_transform")


class FrozenEstimator(BaseEstimator):
    """A fitted estimator whose `fit` does nothing, for use inside meta-estimators.

    Everything public is that of the estimator inside, but for `fit` (nothing happens),
    `fit_predict` and `fit_transform` (not there). `clone` gives the object itself.

    Parameters
    ----------
    estimator : fitted estimator
        The one to keep.

    Examples
    --------
    >>> from stylobate.frozen import FrozenEstimator
    >>> from stylobate.linear_model import Ridge
    >>> frozen = FrozenEstimator(Ridge(0.0).fit([[0.0], [1.0]], [0.0, 2.0]))
    >>> frozen.fit([[0.0], [1.0]], [5.0, 5.0]).predict([[3.0]]).round(9)
    array([6.])
    """

    _for_given_columns = True  # no check that fits it says anything

    def __init__(self, estimator: Annotated[Any, HasMethods("fit")]) -> None:
        self.estimator = estimator

    def __getattr__(self, name: str) -> Any:
        # private names stay apart: by them our own tools would find ways to fit what is inside
        if name.startswith("_") or name == "estimator":
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}.")
        if name in _REFITS:
            raise AttributeError(f"{name} is not available for frozen estimators.")
        return getattr(self.estimator, name)

    @available_if(lambda self: hasattr(self.estimator, "__getitem__"), "as it has no parts")
    def __getitem__(self, key: Any) -> Any:
        """A step of a frozen pipeline."""
        return self.estimator[key]

    @available_if(lambda self: hasattr(self.estimator, "_formula"), "as the one inside has none")
    def _formula(self, columns: Any) -> Any:
        return self.estimator._formula(columns)

    def _tags(self) -> Tags:
        return tags_of(self.estimator).but(exempt=True)

    def __sklearn_clone__(self) -> Self:
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return is_fitted(self.estimator)

    def fit(self, X: Any, y: Any = None, *args: Any, **fit_params: Any) -> Self:
        """Nothing happens; an estimator that is not fitted is refused.

        Parameters
        ----------
        X, y, *args, **fit_params : object
            Ignored.

        Returns
        -------
        self
        """
        if not is_fitted(self.estimator):
            name = type(self.estimator).__name__
            raise joined(NotFittedError)(
                f"This {name} instance is not fitted yet. Call 'fit' with appropriate arguments "
                "before it is frozen."
            )
        return self

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The estimator alone: parameters inside cannot change.

        Parameters
        ----------
        deep : bool, default=True
            Ignored.

        Returns
        -------
        dict
        """
        return {"estimator": self.estimator}

    def set_params(self, **params: Any) -> Self:
        """Replace the estimator.

        Parameters
        ----------
        **params : object
            ``estimator`` alone.

        Returns
        -------
        self
        """
        others = sorted(set(params) - {"estimator"})
        if others:
            raise InvalidParameterError(
                "You cannot set parameters of the inner estimator in a frozen estimator since "
                f"calling `fit` has no effect: {', '.join(others)}. You can use "
                "`frozenestimator.estimator.set_params` to set parameters of the inner estimator."
            )
        self.estimator = params.get("estimator", self.estimator)
        return self
