"""The texts to speak."""

TEXT = "The quick brown fox jumps over the lazy dog near the river bank."
# Symbols that both models have, for a run whose audio is discarded.
IDS = [0, *range(43, 73), 0]
# The file of the style, in the folder of the graphs.
STYLE = "style.bin"
