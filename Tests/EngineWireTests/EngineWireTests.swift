// EngineWireTests
