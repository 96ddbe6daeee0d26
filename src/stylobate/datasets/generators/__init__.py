"""Made-up data: the draws of scikit-learn's generators, number by number, for the same seed."""
