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

FORMER_MODULES = {
    f"stylobate.{former}": f"stylobate.{present}"
    for former, present in {
        "inference.glm_rows": "inference.glm.rows",
        "metrics.accumulation": "metrics.scoring.accumulation",
        "metrics.at_thresholds": "metrics.curves.at_thresholds",
        "metrics.indicators": "metrics.ranking.indicators",
        "metrics.label_ranking": "metrics.ranking.label_ranking",
        "metrics.margins": "metrics.classification.margins",
        "metrics.outputs": "metrics.regression.outputs",
        "metrics.scorers": "metrics.scoring.scorers",
        "metrics.thresholds": "metrics.curves.thresholds",
        "neighbors.box_counts": "neighbors.density.box_counts",
        "neighbors.brute": "neighbors.indexes.brute",
        "neighbors.bump_sums": "neighbors.density.bump_sums",
        "neighbors.callable_tree": "neighbors.indexes.callable_tree",
        "neighbors.classification": "neighbors.predictions.classification",
        "neighbors.density_sums": "neighbors.density.sums",
        "neighbors.hnsw": "neighbors.indexes.hnsw",
        "neighbors.hnsw_growing": "neighbors.indexes.hnsw_growing",
        "neighbors.nearest_rows": "neighbors.indexes.nearest_rows",
        "neighbors.regression": "neighbors.predictions.regression",
        "neighbors.trees": "neighbors.indexes.trees",
        "neighbors.weights": "neighbors.predictions.weights",
        "preprocessing.categories": "preprocessing.encoding.categories",
        "preprocessing.columns": "preprocessing.scaling.columns",
        "preprocessing.power": "preprocessing.scaling.power",
        "preprocessing.power_streams": "preprocessing.scaling.power_streams",
        "preprocessing.subsample": "preprocessing.scaling.subsample",
        "preprocessing.table_durations": "preprocessing.table.durations",
        "preprocessing.table_parts": "preprocessing.table.parts",
        "preprocessing.table_similar": "preprocessing.table.similar",
        "preprocessing.table_streams": "preprocessing.table.streams",
        "preprocessing.table_text": "preprocessing.table.text",
        "statistics.category_counts": "statistics.groups.category_counts",
        "statistics.class_columns": "statistics.groups.class_columns",
        "statistics.column_values": "statistics.columns.column_values",
        "statistics.group_moments": "statistics.groups.group_moments",
        "statistics.order_statistics": "statistics.columns.order_statistics",
        "statistics.stack": "statistics.moments.stack",
        "statistics.table_sample": "statistics.sketches.table_sample",
        "statistics.value_counts": "statistics.columns.value_counts",
        "svm.base": "svm.machines.base",
        "svm.classification": "svm.machines.classification",
        "svm.dual": "svm.duals.dual",
        "svm.duality": "svm.duals.duality",
        "svm.kernel_points": "svm.kernel_matrix.kernel_points",
        "svm.known_answers": "svm.duals.known_answers",
        "svm.linear_choice": "svm.linear.choice",
        "svm.linear_hinges": "svm.linear.hinges",
        "svm.linear_interior": "svm.linear.interior",
        "svm.linear_joint": "svm.linear.joint",
        "svm.linear_newton": "svm.linear.newton",
        "svm.linear_problem": "svm.linear.problem",
        "svm.machine": "svm.machines.machine",
        "svm.one_vs_one": "svm.machines.one_vs_one",
        "svm.pair_solver": "svm.duals.pair_solver",
        "svm.quarter_start": "svm.duals.quarter_start",
        "svm.regression": "svm.machines.regression",
        "svm.single": "svm.machines.single",
        "svm.svc_grid": "svm.choice.svc_grid",
        "svm.working_sets": "svm.duals.working_sets",
    }.items()
}


def present_name(name: str) -> str:
    """Where a class that a file names is now.

    >>> present_name("stylobate.svm.machine.Machine")
    'stylobate.svm.machines.machine.Machine'
    """
    name = FORMER_NAMES.get(name, name)
    module, dot, own = name.rpartition(".")
    return f"{FORMER_MODULES.get(module, module)}{dot}{own}"
