@_exported public import SynthSpeech
import SynthSystem
@_exported public import SynthUserVoices

/// Where speech begins: the engines and voices of this user, and sessions that speak with them.
///
/// A value that may be copied and used from any thread; copies share their engines and downloads. An engine's process ends
/// with the last session that speaks with it.
public struct SpeechHost: Sendable {
    let backend: any SpeechBackend

    /// A host that stands on something else than this machine.
    package init(_ backend: any SpeechBackend) { self.backend = backend }

    /// This user's engines, voices and configuration, as `synthhost` finds them.
    ///
    /// - Throws: `installation` if synthhost is not installed, `settings` if the configuration cannot be used.
    public init() throws(SpeechError) { backend = try LocalHost.ofThisUser() }

    /// All voices that are known, downloaded or not, hidden or not; those that could speak now come first.
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

    /// The engines that could speak, in the order in which the first one of an id is taken.
    public func engines() async -> [SpeechEngine] {
        let backend = backend
        return await onThread("speech-host") { backend.usableEngines() }
    }

    /// Who would speak on for a voice if its engine failed, the best first: voices of its language that are here.
    public func fallbacks(for voice: SpeechVoice) async -> [SpeechVoice] {
        let backend = backend
        return await onThread("speech-host") { backend.fallbacks(for: voice) }
    }

    /// Has a voice speak from now on where none is named: the configuration of this user keeps it.
    ///
    /// - Throws: `settings` if the configuration cannot be written.
    public func choose(_ voice: SpeechVoice) async throws(SpeechError) {
        try await blocking { backend throws(SpeechError) in try backend.choose(voice) }
    }

    /// Removes the files of a voice, and its model if no other voice uses it. A voice that was chosen is forgotten.
    ///
    /// - Returns: the bytes that are free again.
    /// - Throws: `files` with why it is still there.
    public func remove(_ voice: SpeechVoice) async throws(SpeechError) -> Int64 {
        try await blocking { backend throws(SpeechError) in try backend.remove(voice) }
    }

    /// Reads all files of a voice again. What is damaged is removed if it can be downloaded again. A cancelled task stops it.
    ///
    /// - Returns: the voice as it is known then: `notDownloaded` or `unusable` if something was wrong.
    /// - Throws: `files` with why they could not be read.
    public func verify(_ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice {
        try await backend.verify(voice)
    }

    /// Downloads what is missing of a voice. Begins at once, and goes on whether anybody reads its states or not.
    public func download(_ voice: SpeechVoice) -> VoiceDownload { backend.download(voice) }

    /// Tunes a voice for everybody who speaks with it: the configuration of this user keeps the profile. An empty profile
    /// removes it. A blend has the profile of its heaviest voice, the first of equal ones.
    ///
    /// Sessions that this host makes afterwards speak with it; those that are there keep what they had. Two programs that
    /// change the configuration at once do not lose each other's changes.
    ///
    /// - Returns: the voice with its new profile.
    /// - Throws: `settings` if a factor is out of its range, or the configuration cannot be written; nothing is changed
    ///   then.
    @discardableResult
    public func setProfile(_ profile: VoiceProfile, of voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice {
        try await blocking { backend throws(SpeechError) in try backend.setProfile(profile, of: voice) }
    }

    /// Marks a voice as a favourite in the configuration, or takes the mark away. A favourite is not hidden any more. Of
    /// a blend its heaviest voice is meant.
    ///
    /// - Returns: the voice with its new marks.
    /// - Throws: `settings` if the configuration cannot be written.
    @discardableResult
    public func setFavourite(_ isFavourite: Bool, _ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice {
        try await blocking { backend throws(SpeechError) in try backend.set(.favourites, isFavourite, of: voice) }
    }

    /// Hides a voice in the configuration, or shows it again. A hidden voice is suggested nowhere, is no favourite any
    /// more, and speaks when it is named. Of a blend its heaviest voice is meant.
    ///
    /// - Returns: the voice with its new marks.
    /// - Throws: `settings` if the configuration cannot be written.
    @discardableResult
    public func setHidden(_ isHidden: Bool, _ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice {
        try await blocking { backend throws(SpeechError) in try backend.set(.hidden, isHidden, of: voice) }
    }

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
