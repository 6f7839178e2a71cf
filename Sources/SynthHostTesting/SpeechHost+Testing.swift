public import SynthHost
import VoiceCatalogue

extension SpeechHost {
    /// A host for tests: real sessions, streams, cancellation and errors, with an engine that runs without a process.
    /// It reads no configuration and uses no device and no file but the tables that numbers are read with.
    ///
    /// - Parameters:
    ///   - engine: the engine that speaks.
    ///   - voices: their names. All are ready; the first is the default.
    ///   - recognizer: the recognizer that listens; nil = none is here.
    public init(
        testing engine: TestEngine, voices: [String] = ["Voice"], hearing recognizer: ScriptedRecognizer? = nil
    ) {
        self.init(TestBackend(engine: engine, names: voices, recognizer: recognizer))
    }
}
