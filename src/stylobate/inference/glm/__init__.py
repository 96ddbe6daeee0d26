"""Inference for generalised linear models."""
