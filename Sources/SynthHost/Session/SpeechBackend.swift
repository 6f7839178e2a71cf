/// What a host is made of: this machine, or a double of it for tests. Everything but the download blocks.
package protocol SpeechBackend: Sendable {
    /// All voices that are known; those that could speak now come first.
    func voices() throws(SpeechError) -> [SpeechVoice]

    /// - Parameter name: nil = the one that the user chose.
    func voice(_ name: String?) throws(SpeechError) -> SpeechVoice

    func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession

    func download(_ voice: SpeechVoice) -> VoiceDownload
}
