// SynthAudioTests
