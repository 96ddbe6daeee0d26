"""What pictures share: axes, themes, texts, planes and bands."""
