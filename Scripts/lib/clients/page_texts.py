"""The texts that the page reads, and the screen sizes."""

TEXT = "One two three. Four five six! Seven eight nine?"
LONG = " ".join(f"This is sentence number {number} of a long text." for number in range(1, 400))
# Two phones, a tablet, a laptop and a large screen.
SIZES = [(360, 640), (390, 844), (820, 1180), (1280, 800), (2560, 1440)]
