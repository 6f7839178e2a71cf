package import SynthHost
import VoiceCatalogue

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

    /// Puts a voice on a list, or takes it off.
    func mark(_ voice: LibraryVoice, _ list: VoiceList, _ isOn: Bool) throws(LibraryProblem)

    /// From now on this voice speaks if none is named.
    func choose(_ voice: LibraryVoice) throws(LibraryProblem)

    /// What is loaded to speak with a voice; nil = its files are not all here.
    func model(of voice: LibraryVoice) -> ModelKey?
}

extension LocalHost: VoiceLibraryBackend {
    package func library() throws(SpeechFailure) -> LibraryList {
        let inventory = inventory()
        return LibraryList(try inventory.libraryVoices(), chosen: inventory.chosen?.key)
    }

    package func remove(_ voice: LibraryVoice) throws(LibraryProblem) -> Int64 {
        do {
            return try VoiceLibrary(inventory()).remove(voice.voice.choice.voice).freed
        } catch {
            guard case .store(let cause) = error else { throw error }
            throw .notRemoved(VoiceDownloadProblem(cause), title: voice.voice.title)
        }
    }

    package func tune(_ voice: LibraryVoice, to profile: VoiceProfile) throws(LibraryProblem) {
        do {
            try tune(voice.voice.choice.voice, to: profile)
        } catch {
            throw .configuration(error)
        }
    }

    package func mark(_ voice: LibraryVoice, _ list: VoiceList, _ isOn: Bool) throws(LibraryProblem) {
        do {
            try mark(voice.voice.choice.voice, list, isOn)
        } catch {
            throw .configuration(error)
        }
    }

    package func choose(_ voice: LibraryVoice) throws(LibraryProblem) {
        do {
            try choose(voice.voice.choice.voice)
        } catch {
            throw .configuration(error)
        }
    }

    package func model(of voice: LibraryVoice) -> ModelKey? { inventory().model(of: voice.voice.choice.voice) }
}
