"""Decision theory: what a rule costs in expectation, and which rule is best."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.decision.bayes_rule import BayesRule, PlugInRule
    from stylobate.decision.best import BestPredictor, best_predictor
    from stylobate.decision.class_densities import ClassDensities
    from stylobate.decision.cost_sensitive import CostSensitiveClassifier
    from stylobate.decision.costs import CostMatrix
    from stylobate.decision.decisions import best_decision, expected_cost, mean_cost
    from stylobate.decision.expectation import expected_prediction_error
    from stylobate.decision.expected_error import ExpectedError
    from stylobate.decision.joint_density import JointDensity
    from stylobate.decision.tables import JointTable
    from stylobate.decision.thresholds import ThresholdCurve, choose_threshold

__all__ = [
    "BayesRule",
    "BestPredictor",
    "ClassDensities",
    "CostMatrix",
    "CostSensitiveClassifier",
    "ExpectedError",
    "JointDensity",
    "JointTable",
    "PlugInRule",
    "ThresholdCurve",
    "best_decision",
    "best_predictor",
    "choose_threshold",
    "expected_cost",
    "expected_prediction_error",
    "mean_cost",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "BayesRule": "bayes_rule",
        "BestPredictor": "best",
        "ClassDensities": "class_densities",
        "CostMatrix": "costs",
        "CostSensitiveClassifier": "cost_sensitive",
        "ExpectedError": "expected_error",
        "JointDensity": "joint_density",
        "JointTable": "tables",
        "PlugInRule": "bayes_rule",
        "ThresholdCurve": "thresholds",
        "best_decision": "decisions",
        "best_predictor": "best",
        "choose_threshold": "thresholds",
        "expected_cost": "decisions",
        "expected_prediction_error": "expectation",
        "mean_cost": "decisions",
    },
)
