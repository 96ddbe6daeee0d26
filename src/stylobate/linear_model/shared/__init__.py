"""What linear models share: regressors, classifiers, errors and scores."""
