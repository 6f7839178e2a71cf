import SynthSpeechDispatcher

// In a build folder, `sd_synthhost` is not a link to `synthhost` but a separate program, which only starts the module.
ModuleProgram.run()
