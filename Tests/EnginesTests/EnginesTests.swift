// EnginesTests
