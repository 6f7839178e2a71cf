// The room EngineKit.
