"""Networks for other programs and from them: model files, ONNX, arrays as torch has them."""
