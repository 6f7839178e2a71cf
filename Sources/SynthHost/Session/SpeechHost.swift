import System

/// Where speech begins: the engines and voices of this user, and sessions that speak with them.
///
/// A value that may be copied and used from any thread; copies share their engines and downloads. An engine's process ends
/// with the last session that speaks with it.
public struct SpeechHost: Sendable {
    private let backend: any SpeechBackend

    /// A host that stands on something else than this machine.
    package init(_ backend: any SpeechBackend) { self.backend = backend }

    /// This user's engines, voices and configuration, as `synthhost` finds them.
    ///
    /// - Throws: `installation` if synthhost is not installed, `settings` if the configuration cannot be used.
    public init() throws(SpeechError) { backend = try LocalHost.ofThisUser() }

    /// All voices that are known, downloaded or not; those that could speak now come first.
    public func voices() async throws(SpeechError) -> [SpeechVoice] {
        try await blocking { backend throws(SpeechError) in try backend.voices() }
    }

    /// The voice with this name: a name, a name with its accent, an id, a language; with `+speaker` if it has
    /// several; or a blend, as in "Heart*0.7+Emma*0.3".
    ///
    /// - Parameter name: nil = the one that the user chose, else one of the user's language.
    /// - Throws: `voice` if there is none of that name, or more than one.
    public func voice(_ name: String? = nil) async throws(SpeechError) -> SpeechVoice {
        try await blocking { backend throws(SpeechError) in try backend.voice(name) }
    }

    /// A session that speaks with a voice. Its engine is started, and its model loaded, with the first speech or `warmUp`.
    ///
    /// - Throws: `notDownloaded` if files are missing.
    public func session(_ voice: SpeechVoice) async throws(SpeechError) -> SpeechSession {
        try await blocking { backend throws(SpeechError) in try backend.session(voice) }
    }

    /// Downloads what is missing of a voice. Begins at once, and goes on whether anybody reads its states or not.
    public func download(_ voice: SpeechVoice) -> VoiceDownload { backend.download(voice) }

    private func blocking<Value: Sendable>(
        _ body: @escaping @Sendable (any SpeechBackend) throws(SpeechError) -> Value
    ) async throws(SpeechError) -> Value {
        let backend = backend
        return try await onThread("speech-host") { () -> Result<Value, SpeechError> in
            do throws(SpeechError) {
                return .success(try body(backend))
            } catch {
                return .failure(error)
            }
        }.get()
    }
}
