// EngineKitTests
