"""What the page reads."""

TEXT = "One two three. Four five six! Seven eight nine?"
LONG = " ".join(f"This is sentence number {number} of a long text." for number in range(1, 400))
