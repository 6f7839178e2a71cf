package import SynthHost

/// Where the voices of a service are kept: this machine, or a double of it for tests. All but `download` blocks. Any thread
/// may use it.
package protocol VoiceLibraryBackend: Sendable {
    /// All voices that are known, in the order of a list, and the key of the one that speaks if none is named.
    func library() throws(SpeechFailure) -> LibraryList

    /// Downloads what is missing of a voice. Begins at once, and returns.
    func download(_ voice: SpeechVoice) -> VoiceDownload

    /// Removes the files of a voice, and those of its model if no other voice needs them. A voice that was chosen is
    /// forgotten.
    ///
    /// - Returns: the bytes that are free again.
    func remove(_ voice: LibraryVoice) throws(LibraryProblem) -> Int64

    /// Tunes a voice, for all who speak with it from now on.
    func tune(_ voice: LibraryVoice, to profile: VoiceProfile) throws(LibraryProblem)

    /// From now on this voice speaks if none is named.
    func choose(_ voice: LibraryVoice) throws(LibraryProblem)

    /// What is loaded to speak with a voice; nil = its files are not all here.
    func model(of voice: LibraryVoice) -> ModelKey?
}
