"""Model formulas: `y ~ C(city) * x + log(z)` and a table become a matrix with named columns.

Wilkinson's notation and R's coding of factors; a grammar of its own, which evaluates nothing, so
that a model file may carry a formula. (`stylobate.formula` is the way out: fitted models as SQL.)
"""

from __future__ import annotations

from stylobate.design.design import Design
from stylobate.design.frame import Frame
from stylobate.design.terms import Terms, terms_of

__all__ = ["Design", "Frame", "Terms", "terms_of"]
