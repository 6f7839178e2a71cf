// SynthHostTests
