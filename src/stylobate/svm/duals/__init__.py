"""The dual problems, their solvers and the proof of their answers."""
