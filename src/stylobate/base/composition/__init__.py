"""What estimators made of named estimators share: pipelines, unions, column transformers."""
