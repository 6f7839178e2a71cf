// The room EngineWire.
