// The room Engines.
