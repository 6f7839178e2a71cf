import SynthSpeechDispatcher

// A build folder has a separate file for each product, so this one starts the module.
ModuleProgram.run()
