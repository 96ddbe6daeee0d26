"""Classes that have moved since files were written, under the names those files know them by.

Public names never change; only values that an estimator keeps to itself are written with their
module, and a line here lets older files find them.
"""

from __future__ import annotations

FORMER_NAMES = {
    f"stylobate.{former}": f"stylobate.{present}"
    for former, present in {
        "base.composition.passing.PassThrough": "base.composition.pass_through.PassThrough",
        "linear_model.fits.FitFacts": "linear_model.shared.fit_facts.LinearFitFacts",
        "linear_model.logistic_fitting.LogisticFacts": "linear_model.logistic.fit.LogisticFacts",
        "linear_model.update_history.UpdateHistory": (
            "linear_model.stochastic.update_history.UpdateHistory"
        ),
        "model_selection.halving.PartOfRows": "model_selection.search.halving.PartOfRows",
        "optimize.glm.rows.FitFacts": "optimize.glm.rows.GLMFitFacts",
        "study.metrics.ExpectedCost": "study.question.metrics.ExpectedCost",
    }.items()
}
