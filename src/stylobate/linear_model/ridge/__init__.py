"""Ridge regression and classification, their paths and penalties chosen by folds."""
