"""Minimisation under inequalities and equalities: Lagrangian, conditions, a solver."""
