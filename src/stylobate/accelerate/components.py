"""Principal components: `fit`, and `fit_transform` by way of it."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from stylobate.accelerate.fits import Data, FitAdapter, given_rows, numpy_scalars

_LEARNT = (
    "components_", "explained_variance_", "explained_variance_ratio_", "singular_values_", "mean_",
    "noise_variance_", "n_components_", "n_samples_", "_fit_svd_solver",
)  # fmt: skip


def _odd_number(model: Any, data: Data) -> str | None:
    """scikit-learn refuses these in its own words."""
    k, most = model.n_components, min(data.X.shape)
    fine = k is None or (
        1 <= int(k) <= most
        if isinstance(k, Integral)
        else isinstance(k, Real) and 0.0 < float(k) < 1.0
    )
    return None if fine and most > 1 else f"n_components={k!r}"


@dataclass(frozen=True)
class FitTransform:
    """`fit_transform` of a class whose `fit` is accelerated: `fit`, then `transform`."""

    fits: FitAdapter
    method: str = "fit_transform"

    @property
    def name(self) -> str:
        """The class's name."""
        return self.fits.name

    @property
    def home(self) -> str:
        """The package of the class."""
        return self.fits.home

    def prepared(self, model: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """As `fit` is prepared."""
        given = given_rows(type(model).fit, model, args, options)
        return given if isinstance(given, str) else self.fits.prepared(model, (given.X,), {})

    def answer(self, model: Any, prepared: Data) -> Any:
        """Fit ours, write what it learnt, and transform as scikit-learn does."""
        return self.fits.answer(model, prepared).transform(prepared.X)

    def learnt_by(self, model: Any) -> dict[str, Any]:
        """What `fit` learnt."""
        return self.fits.learnt_by(model)

    def describe(self) -> str:
        """The conditions in words."""
        return self.fits.describe()


_PCA = FitAdapter(
    "decomposition", "PCA", _LEARNT,
    free=("n_components", "copy", "whiten", "tol", "random_state"),
    fixed={"svd_solver": ("auto", "full", "covariance_eigh")}, supervised=False, odd=_odd_number,
    finish=numpy_scalars("noise_variance_"),     smallest=2_000_000,
)  # fmt: skip
COMPONENTS = (_PCA, FitTransform(_PCA))
