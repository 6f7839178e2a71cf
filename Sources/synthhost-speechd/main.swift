import SynthSpeechDispatcher

// In a build folder, each product is a separate file, so this program starts the module.
ModuleProgram.run()
