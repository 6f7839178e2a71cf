import SynthModuleProgram

// For a build folder, in which each product is a file of its own.
ModuleProgram.run()
