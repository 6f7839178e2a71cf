// CSynthEngineTests
