"""The texts to speak."""

TEXT = "The quick brown fox jumps over the lazy dog near the river bank."
# Symbols that both models support, for a run whose audio is discarded.
IDS = [0, *range(43, 73), 0]
# The style file in the folder with the graphs.
STYLE = "style.bin"
