"""What scorers and splitters tell scikit-learn's routers."""

import numpy as np
import pytest
import sklearn

from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.metrics import get_scorer, make_scorer, roc_auc_score
from stylobate.splits import GroupKFold, KFold, ShuffleSplit, TimeSeriesSplit


def test_a_scorer_asks_only_where_requests_are_looked_at():
    with pytest.raises(RuntimeError, match="only available"):
        get_scorer("r2").set_score_request(sample_weight=True)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = get_scorer("r2")
        assert scorer.set_score_request(sample_weight=True) is scorer
        assert scorer.get_metadata_routing().score.requests == {"sample_weight": True}
        assert get_scorer("r2").get_metadata_routing().score.requests == {"sample_weight": None}


def test_a_request_of_what_is_given_already_is_told():
    scorer = make_scorer(roc_auc_score, response_method="predict_proba", labels=[0, 1])
    told = pytest.warns(StylobateWarning, match="already set as kwargs")
    with sklearn.config_context(enable_metadata_routing=True), told:
        scorer.set_score_request(labels=True)


def test_a_search_of_scikit_learn_hands_weights_to_our_scorer():
    from sklearn.model_selection import GridSearchCV

    from stylobate.linear_model import Ridge

    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 2))
    y, w = x[:, 0] + rng.normal(size=40), rng.integers(0, 3, 40).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        model = Ridge().set_fit_request(sample_weight=False)
        asked = get_scorer("neg_mean_squared_error").set_score_request(sample_weight=True)
        found = GridSearchCV(model, {"alpha": [1.0]}, scoring=asked, cv=KFold(2))
        found.fit(x, y, sample_weight=w)
    scores = []
    for train, test in KFold(2).split(x):
        error = y[test] - Ridge().fit(x[train], y[train]).predict(x[test])
        scores.append(-np.average(error**2, weights=w[test]))
    assert found.best_score_ == pytest.approx(np.mean(scores))


def test_splitters_that_go_by_groups_ask_for_them():
    assert GroupKFold(2).get_metadata_routing().split.requests == {"groups": True}
    renamed = GroupKFold(2).set_split_request(groups="clinic")
    assert renamed.get_metadata_routing().split.requests == {"groups": "clinic"}
    assert KFold(2).get_metadata_routing().split.requests == {}
    assert not hasattr(KFold(2), "set_split_request")
    with pytest.raises(InvalidParameterError, match="another name"):
        GroupKFold(2).set_split_request(groups=3)


@pytest.mark.parametrize("splitter", [KFold(2), ShuffleSplit(2), TimeSeriesSplit(2)], ids=repr)
def test_groups_that_are_ignored_are_told_before_the_first_split(splitter):
    with pytest.warns(StylobateWarning, match="groups parameter is ignored"):
        splitter.split(np.zeros((6, 1)), groups=np.zeros(6))
