"""Ensembles: bagging, voting, stacking, forests, boosting by weights and by gradients."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.ensemble.adaboost_classifier import AdaBoostClassifier
    from stylobate.ensemble.adaboost_regressor import AdaBoostRegressor
    from stylobate.ensemble.bagging_classifier import BaggingClassifier
    from stylobate.ensemble.bagging_regressor import BaggingRegressor
    from stylobate.ensemble.boosting.classifier import HistGradientBoostingClassifier
    from stylobate.ensemble.boosting.regressor import HistGradientBoostingRegressor
    from stylobate.ensemble.forest_classifiers import ExtraTreesClassifier, RandomForestClassifier
    from stylobate.ensemble.forest_importances import ForestImportances
    from stylobate.ensemble.forest_regressors import ExtraTreesRegressor, RandomForestRegressor
    from stylobate.ensemble.isolation_forest import IsolationForest
    from stylobate.ensemble.random_trees_embedding import RandomTreesEmbedding
    from stylobate.ensemble.stacking_models import StackingClassifier, StackingRegressor
    from stylobate.ensemble.voting import VotingClassifier, VotingRegressor

__all__ = [
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "BaggingClassifier",
    "BaggingRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "ForestImportances",
    "HistGradientBoostingClassifier",
    "HistGradientBoostingRegressor",
    "IsolationForest",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RandomTreesEmbedding",
    "StackingClassifier",
    "StackingRegressor",
    "VotingClassifier",
    "VotingRegressor",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "AdaBoostClassifier": "adaboost_classifier",
        "AdaBoostRegressor": "adaboost_regressor",
        "BaggingClassifier": "bagging_classifier",
        "BaggingRegressor": "bagging_regressor",
        "ExtraTreesClassifier": "forest_classifiers",
        "ExtraTreesRegressor": "forest_regressors",
        "ForestImportances": "forest_importances",
        "HistGradientBoostingClassifier": "boosting.classifier",
        "HistGradientBoostingRegressor": "boosting.regressor",
        "IsolationForest": "isolation_forest",
        "RandomForestClassifier": "forest_classifiers",
        "RandomForestRegressor": "forest_regressors",
        "RandomTreesEmbedding": "random_trees_embedding",
        "StackingClassifier": "stacking_models",
        "StackingRegressor": "stacking_models",
        "VotingClassifier": "voting",
        "VotingRegressor": "voting",
    },
)
