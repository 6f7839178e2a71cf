"""What is spoken."""

TEXT = "The quick brown fox jumps over the lazy dog near the river bank."
# Symbols that both models have, for a run whose sound nobody hears.
IDS = [0, *range(43, 73), 0]
# The file of the style, beside the graphs.
STYLE = "style.bin"
