public import SynthHost
import VoiceCatalogue

extension SpeechHost {
    /// A host for tests: real sessions, streams, cancellation and errors, on an engine that is no process. It reads no
    /// configuration, opens no device and touches no file.
    ///
    /// - Parameters:
    ///   - engine: what speaks.
    ///   - voices: their names; all are ready, and the first is the one that is chosen.
    public init(testing engine: TestEngine, voices: [String] = ["Voice"]) {
        self.init(TestBackend(engine: engine, names: voices))
    }
}
