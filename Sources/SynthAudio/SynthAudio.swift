// The room SynthAudio.
