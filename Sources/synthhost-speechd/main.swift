import SynthSpeechDispatcher

// In a build folder, `sd_synthhost` is a separate program instead of a link to `synthhost`, and only starts the module.
ModuleProgram.run()
