"""scikit-learn's display classes, for those who know them by heart."""
