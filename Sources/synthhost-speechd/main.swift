import SynthSpeechDispatcher

// For a build folder, in which each product is a file of its own.
ModuleProgram.run()
