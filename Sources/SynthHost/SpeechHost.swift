import SynthCatalogue
@_exported public import SynthSpeech
import SynthSystem
@_exported public import SynthUserVoices

/// The library's entry point. Provides the user's engines and voices, and sessions that speak with them.
///
/// A host can be copied and used from any thread. Copies share their engines and downloads. An engine process ends when
/// its last session is released.
public struct SpeechHost: Sendable {
    package let backend: any HostBackend

    /// Creates a host with a custom backend instead of the local installation.
    package init(_ backend: any HostBackend) { self.backend = backend }

    /// Creates a host with the current user's engines, voices and configuration, as the `synthhost` command does.
    ///
    /// - Throws: `installationIncomplete` if synthhost is not installed, `environmentInvalid` if an environment
    ///   variable is invalid, or `configurationInvalid` if the configuration is invalid.
    public init() throws(SpeechError) { self.init(try HostSetup.ofThisUser()) }

    /// Creates a host that uses the given setup of this machine.
    package init(_ setup: HostSetup) { backend = setup.host() }

    /// Returns a snapshot of this machine's engines, recognizers and voices. Reading the snapshot's lists blocks.
    package func snapshot(_ scan: HostSnapshot.Scan = .usual) -> HostSnapshot { backend.snapshot(scan) }

    /// The user's configuration, including changes made through this host.
    package var presets: Configuration { backend.presets }

    /// Stops the engine processes immediately when the program is about to exit. Can be called from any thread; does
    /// not block.
    package func abandonEngines() { backend.abandonEngines() }

    /// Returns all known voices, including those that are hidden or not downloaded. Ready voices come first.
    public func voices() async throws(SpeechError) -> [SpeechVoice] {
        try await blocking { backend throws(SpeechError) in try backend.voices(.all) }
    }

    /// Finds a voice by name, by name and accent, by ID or by language. The suffix `+speaker` selects one of several
    /// speakers. A name such as "Heart*0.7+Emma*0.3" creates a blend.
    ///
    /// - Parameter name: the name, or nil for the default voice. If no default is configured, a voice in the user's language is returned.
    /// - Throws: `voiceUnknown` if no voice matches the name, `voiceAmbiguous` if several voices match it, or an error such as
    ///   `speakerUnknown`, `blendInvalid`, `voiceWithoutEngine` or `noEngine`.
    public func voice(_ name: String? = nil) async throws(SpeechError) -> SpeechVoice {
        try await blocking { backend throws(SpeechError) in try backend.voice(VoiceQuery(name: name)) }
    }

    /// Creates a session for a voice. The engine starts and loads the model on first use or when `warmUp` is called.
    ///
    /// - Throws: `voiceNotDownloaded` if files are missing, or an error such as `voiceDamaged`, `voiceWithoutEngine` or
    ///   `lexiconInvalid`.
    public func session(_ voice: SpeechVoice) async throws(SpeechError) -> SpeechSession {
        try await blocking { backend throws(SpeechError) in try backend.session(voice) }
    }

    /// Returns the usable engines. If several engines have the same ID, only the first engine is included.
    public func engines() async -> [SpeechEngine] {
        await onThread("speech-host") { [backend] in backend.usableEngines() }
    }

    /// Returns the installed voices that can replace a voice if its engine fails, best first. They have the same
    /// language as that voice.
    public func fallbacks(for voice: SpeechVoice) async -> [SpeechVoice] {
        await onThread("speech-host") { [backend] in backend.snapshot(.usual).fallbacks(for: voice) }
    }

    /// Makes a voice the default in the user's configuration.
    ///
    /// - Throws: `configurationInvalid` if the configuration file is invalid, or `configurationNotWritten` if it cannot
    ///   be written.
    public func choose(_ voice: SpeechVoice) async throws(SpeechError) {
        try await blocking { backend throws(SpeechError) in _ = try backend.change(.chosen, of: voice) }
    }

    /// Removes a voice's files, and its model if no other voice uses it. If the voice is the default, that setting is removed too.
    ///
    /// - Returns: the number of bytes freed.
    /// - Throws: `voiceNotInstalled`, `filesBusy` if another process is using the files, or an error such as `storeFailed` if they
    ///   cannot be removed.
    public func remove(_ voice: SpeechVoice) async throws(SpeechError) -> Int64 {
        try await blocking { backend throws(SpeechError) in try backend.remove(voice) }
    }

    /// Verifies all files of a voice. A damaged file is removed if it can be downloaded again. Cancelling the task stops the verification.
    ///
    /// - Returns: the voice with its new state, which is `notDownloaded` or `unusable` if a file is damaged.
    /// - Throws: `cancelled`, or an error such as `storeFailed` if the files cannot be read.
    public func verify(_ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice {
        try await backend.verify(voice)
    }

    /// Downloads a voice's missing files. The download continues even if its states are not read.
    public func download(_ voice: SpeechVoice) -> VoiceDownload { backend.download(voice) }

    /// Stores a voice profile in the user's configuration, where it applies to every program. An empty profile removes
    /// the voice's stored profile. For a blend, the profile is stored for the voice with the greatest weight, or for
    /// the first such voice if several share that weight.
    ///
    /// The profile applies to sessions that this host creates afterwards. If two programs change the configuration at
    /// the same time, neither change is lost.
    ///
    /// - Returns: the voice with its new profile.
    /// - Throws: `settingInvalid` if a factor is out of range, `configurationInvalid` if the configuration file is
    ///   invalid, or `configurationNotWritten` if it cannot be written. The configuration is then unchanged.
    @discardableResult
    public func setProfile(_ profile: VoiceProfile, of voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice {
        try await blocking { backend throws(SpeechError) in try backend.change(.profile(profile), of: voice) }
    }

    /// Marks a voice as a favorite in the configuration, or removes the mark. A favorite is never hidden. For a blend,
    /// the voice with the greatest weight is marked.
    ///
    /// - Returns: the updated voice.
    /// - Throws: `configurationInvalid` if the configuration file is invalid, or `configurationNotWritten` if it cannot
    ///   be written.
    @discardableResult
    public func setFavorite(_ isFavorite: Bool, _ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice {
        try await blocking { backend throws(SpeechError) in
            try backend.change(.list(.favorites, isFavorite), of: voice)
        }
    }

    /// Hides a voice in the configuration, or shows it again. A hidden voice is not suggested and cannot be a favorite,
    /// but can still be used by name. For a blend, the voice with the greatest weight is hidden.
    ///
    /// - Returns: the updated voice.
    /// - Throws: `configurationInvalid` if the configuration file is invalid, or `configurationNotWritten` if it cannot
    ///   be written.
    @discardableResult
    public func setHidden(_ isHidden: Bool, _ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice {
        try await blocking { backend throws(SpeechError) in try backend.change(.list(.hidden, isHidden), of: voice) }
    }

    func blocking<Value: Sendable>(
        _ body: @escaping @Sendable (any HostBackend) throws(SpeechError) -> Value
    ) async throws(SpeechError) -> Value {
        try await onThread("speech-host") { [backend] () throws(SpeechError) in try body(backend) }
    }
}
