extension ConfigurationFile {
    /// Chooses a voice for everything that names none, and its engine with it.
    ///
    /// - Parameter name: what means the voice, a speaker of it, or a blend, among the voices of the engine.
    package func choose(_ name: String, of engine: String) throws(ConfigurationError) {
        try change { document throws(ConfigurationError) in
            try document.set("voices.\(engine)", to: name)
            try document.set("engine", to: engine)
            return true
        }
    }

    /// No voice of an engine is chosen any more.
    ///
    /// - Parameter withEngine: whether the engine is not chosen any more either, if it was.
    /// - Returns: whether the engine was.
    package func forgetVoice(of engine: String, withEngine: Bool) throws(ConfigurationError) -> Bool {
        var wasChosen = false
        try change { document throws(ConfigurationError) in
            let hadVoice = try document.unset("voices.\(engine)")
            guard withEngine, try document.configuration().engine == engine else { return hadVoice }
            wasChosen = try document.unset("engine")
            return hadVoice || wasChosen
        }
        return wasChosen
    }
}
