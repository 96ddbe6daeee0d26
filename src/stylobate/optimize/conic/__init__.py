"""Linear, quadratic, quadratically constrained and semidefinite programs through one front."""
