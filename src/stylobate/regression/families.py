"""What `family=` may be: each name with its links, its target and its likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

from stylobate.exceptions import InvalidParameterError
from stylobate.losses.response_curves import CURVES

Target = Literal["number", "count", "positive", "binary", "ordered"]
Scale = Literal["known", "estimated"]


@dataclass(frozen=True)
class ModelFamily:
    """A family of models.

    Parameters
    ----------
    name, title : str
    target : {"number", "count", "positive", "binary", "ordered"}
    links : tuple of str
        The first is the default.
    scale : {"known", "estimated"}
        Whether the dispersion is 1 by the distribution.
    power : int or None
        Of the variance, for exponential families.
    quasi : bool
        Whether there is a variance but no likelihood.
    """

    name: str
    title: str
    target: Target
    links: tuple[str, ...]
    scale: Scale = "known"
    power: int | None = None
    quasi: bool = False

    @property
    def exponential(self) -> bool:
        """Whether one predictor and the deviance say everything."""
        return self.power is not None or self.name in ("binomial", "quasi_binomial")

    @property
    def several(self) -> bool:
        """Whether a row's mean, or its chances of classes, follow from several predictors."""
        return self.name == "ordinal" or self.name.startswith("zero_inflated")


_FAMILIES = (
    ModelFamily("gaussian", "Linear regression", "number", ("identity", "log", "inverse"),
                "estimated", 0),
    ModelFamily("binomial", "Binary regression", "binary", CURVES),
    ModelFamily("quasi_binomial", "Quasi-binomial regression", "binary", CURVES, "estimated",
                None, True),
    ModelFamily("poisson", "Poisson regression", "count", ("log", "identity", "sqrt"), "known", 1),
    ModelFamily("quasi_poisson", "Quasi-Poisson regression", "count", ("log", "identity", "sqrt"),
                "estimated", 1, True),
    ModelFamily("gamma", "Gamma regression", "positive", ("log", "inverse", "identity"),
                "estimated", 2),
    ModelFamily("inverse_gaussian", "Inverse Gaussian regression", "positive",
                ("log", "inverse_squared", "inverse", "identity"), "estimated", 3),
    ModelFamily("negative_binomial", "Negative binomial regression", "count", ("log",)),
    ModelFamily("ordinal", "Ordinal regression", "ordered", CURVES),
    ModelFamily("zero_inflated_poisson", "Zero-inflated Poisson regression", "count", ("log",)),
    ModelFamily("zero_inflated_negative_binomial", "Zero-inflated negative binomial regression",
                "count", ("log",)),
)  # fmt: skip
FAMILIES = {family.name: family for family in _FAMILIES}
_ALIASES = {
    "normal": "gaussian",
    "ols": "gaussian",
    "logistic": "binomial",
    "logit": "binomial",
    "bernoulli": "binomial",
    "nb": "negative_binomial",
    "ordered": "ordinal",
}


def family_of(name: Any, link: str | None) -> tuple[ModelFamily, str]:
    """A family and its link, by name.

    Examples
    --------
    >>> family_of("poisson", None)[1]
    'log'
    """
    known = [*FAMILIES, *_ALIASES]
    plain = str(name).casefold().replace("-", "_").replace(" ", "_")
    if plain not in known:
        close = get_close_matches(plain, known, 1)
        meant = f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(FAMILIES)}."
        raise InvalidParameterError(f"model: there is no family {name!r}{meant}")
    family = FAMILIES[_ALIASES.get(plain, plain)]
    if link is None:
        return family, family.links[0]
    if link not in family.links:
        raise InvalidParameterError(
            f"model: family {family.name!r} has the links {', '.join(family.links)}, got {link!r}."
        )
    return family, link
