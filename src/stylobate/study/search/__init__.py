"""The search of a study: families on folds within a budget, and the choice."""
