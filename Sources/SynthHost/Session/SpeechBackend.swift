package import System

/// What a host is made of: this machine, or a double of it for tests. Everything but the download blocks.
package protocol SpeechBackend: Sendable {
    /// The device of the configuration; nil = the default one.
    var device: String? { get }

    /// The clips of the configuration.
    var clips: ClipLibrary { get }

    /// Files that no sound may replace.
    var inUse: FilesInUse { get }

    /// All voices that are known; those that could speak now come first.
    func voices() throws(SpeechError) -> [SpeechVoice]

    /// - Parameter name: nil = the one that the user chose.
    func voice(_ name: String?) throws(SpeechError) -> SpeechVoice

    func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession

    /// - Returns: the voice as it is known then.
    func setProfile(_ profile: VoiceProfile, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice

    /// Puts a voice on a list or takes it off.
    ///
    /// - Returns: the voice as it is known then.
    func set(_ list: VoiceList, _ isOn: Bool, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice

    func download(_ voice: SpeechVoice) -> VoiceDownload
}
