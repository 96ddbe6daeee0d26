"""Linear models fitted by stochastic gradient descent, and the perceptron."""
