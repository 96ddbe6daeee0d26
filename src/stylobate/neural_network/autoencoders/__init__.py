"""Autoencoders, deep and linear."""
