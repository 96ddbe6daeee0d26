"""Labels as numbers and as zeros and ones, against scikit-learn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn.preprocessing as theirs

import stylobate.preprocessing as ours

LABELS = {
    "text": ["b", "a", "c", "a"],
    "two": ["yes", "no", "yes"],
    "one": [3, 3],
    "numbers": [4, -1, 4, 9],
    "booleans": [True, False],
    "series": pd.Series(["u", "v", "w"]),
}


@pytest.mark.parametrize("name", LABELS)
def test_label_encoder(name):
    y = LABELS[name]
    a, b = theirs.LabelEncoder().fit(y), ours.LabelEncoder().fit(y)
    np.testing.assert_array_equal(b.transform(y), a.transform(y))
    assert b.classes_.tolist() == a.classes_.tolist()
    assert b.inverse_transform(b.transform(y)).tolist() == list(y)
    np.testing.assert_array_equal(ours.LabelEncoder().fit_transform(y), a.transform(y))


def test_label_encoder_refuses_what_it_has_not_seen():
    encoder = ours.LabelEncoder().fit(["a", "b"])
    with pytest.raises(ValueError, match=r"previously unseen labels: \['z'\]"):
        encoder.transform(["z"])
    with pytest.raises(ValueError, match="previously unseen labels"):
        encoder.inverse_transform([2])
    with pytest.raises(ValueError, match="not fitted"):
        ours.LabelEncoder().transform(["a"])


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.parametrize("signs", [(0, 1), (-1, 1), (-2, 3)])
def test_label_binarizer(name, signs):
    y = LABELS[name]
    options = {"neg_label": signs[0], "pos_label": signs[1]}
    a, b = theirs.LabelBinarizer(**options).fit(y), ours.LabelBinarizer(**options).fit(y)
    expected = a.transform(y)
    np.testing.assert_array_equal(b.transform(y), expected)
    assert b.y_type_ == a.y_type_
    assert b.inverse_transform(expected).tolist() == a.inverse_transform(expected).tolist()


def test_label_binarizer_of_several_labels_and_sparse_output():
    y = np.array([[0, 1, 1], [1, 0, 0]])
    a, b = theirs.LabelBinarizer().fit(y), ours.LabelBinarizer().fit(y)
    np.testing.assert_array_equal(b.transform(y), a.transform(y))
    np.testing.assert_array_equal(b.inverse_transform(y), a.inverse_transform(y))
    y = ["a", "b", "c"]
    a, b = (k.LabelBinarizer(sparse_output=True).fit(y) for k in (theirs, ours))
    np.testing.assert_array_equal(b.transform(y).toarray(), a.transform(y).toarray())
    assert b.inverse_transform(b.transform(y)).tolist() == y


@pytest.mark.parametrize(
    "options",
    [{"neg_label": 2}, {"sparse_output": True, "neg_label": -1}],
)
def test_impossible_signs_are_refused(options):
    for kind in (theirs.LabelBinarizer, ours.LabelBinarizer):
        with pytest.raises(ValueError, match="neg_label"):
            kind(**options).fit([1, 2])


@pytest.mark.parametrize(("y", "words"), [([], "0 samples"), ([[1, 2], [3, 4]], "Multioutput")])
def test_impossible_labels_are_refused(y, words):
    for kind in (theirs.LabelBinarizer, ours.LabelBinarizer):
        with pytest.raises(ValueError, match=words):
            kind().fit(y)


@pytest.mark.parametrize(
    ("y", "classes"),
    [([1, 6], [1, 2, 4, 6]), ([1, 6], [1, 6, 4, 2]), (["a", "b"], ["b", "a"]), ([0, 9], [0, 1])],
)
def test_label_binarize(y, classes):
    expected = theirs.label_binarize(y, classes=classes)
    np.testing.assert_array_equal(ours.label_binarize(y, classes=classes), expected)


def test_multilabel_binarizer():
    y = [{"b", "a"}, set(), {"c"}]
    a, b = theirs.MultiLabelBinarizer(), ours.MultiLabelBinarizer()
    expected = a.fit_transform(y)
    np.testing.assert_array_equal(b.fit_transform(y), expected)
    assert b.inverse_transform(expected) == a.inverse_transform(expected)
    with pytest.warns(UserWarning, match=r"unknown class\(es\) \['z'\] will be ignored"):
        np.testing.assert_array_equal(b.transform([{"z", "a"}]), [[1, 0, 0]])
    with pytest.raises(ValueError, match="only 0s and 1s"):
        b.inverse_transform(np.array([[2, 0, 0]]))
    with pytest.raises(ValueError, match="duplicate"):
        ours.MultiLabelBinarizer(classes=[1, 1]).fit([[1]])
    given = ours.MultiLabelBinarizer(classes=["c", "a"], sparse_output=True)
    assert given.fit_transform([["a"], ["c", "a", "a"]]).toarray().tolist() == [[0, 1], [1, 1]]
