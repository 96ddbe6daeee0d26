"""Cross-validation, and single splits."""
