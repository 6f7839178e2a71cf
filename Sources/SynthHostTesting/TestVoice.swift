import SynthCatalogue
public import SynthHost
import SynthSystem

/// A voice of a test host.
package struct TestVoice: Sendable {
    /// The download size of a voice with files, in bytes.
    static let size: Int64 = 1000

    let id: String
    let name: String
    var state = SpeechVoice.State.ready
    /// Whether the voice behaves like a library voice, with an accent, a license and a size.
    private let isOfLibrary: Bool
    private let isStarter: Bool

    /// Creates a ready voice without files.
    ///
    /// - Parameter id: the ID; nil to use the name as the ID.
    package init(_ name: String, id: String? = nil) {
        self.id = id ?? name
        self.name = name
        (isOfLibrary, isStarter) = (false, false)
    }

    /// Creates a library voice. The voice "Ann" cannot be removed.
    init(_ name: String, _ state: SpeechVoice.State, isStarter: Bool = false) {
        (id, self.name, self.state) = (name, name, state)
        (isOfLibrary, self.isStarter) = (true, isStarter)
    }

    var size: Int64 { isOfLibrary ? Self.size : 0 }

    var isRemovable: Bool { isOfLibrary && state == .ready && id != "Ann" }

    func isCalled(_ name: String) -> Bool { name == self.name }

    func speechVoice(of engine: String, _ presets: Configuration) throws(SpeechError) -> SpeechVoice {
        let declared =
            isOfLibrary
            ? DeclaredVoice(id: id, name: name, language: "en-US", accent: "American", license: "CC0-1.0")
            : DeclaredVoice(id: id, name: name, language: "en")
        do {
            var voice = try Voice(declared, by: engine)
            voice.starter = isStarter ? 1 : nil
            return SpeechVoice(
                VoiceChoice(voice: voice), state: state, VoiceMarks(presets), size: size, isRemovable: isRemovable)
        } catch {
            throw SpeechError(error)
        }
    }
}

extension TestBackend {
    struct State {
        var voices: [TestVoice]
        var presets = Configuration()
        var chosen: String?
        var failure: SpeechError?
        var refusal: SpeechError?
        /// The downloads of each voice, in the order of the requests.
        var downloads: [String: [ScriptedDownload]] = [:]
        var obeysCancel = true
        var isHeld = false
        /// The number of list requests received while the backend is held.
        var waiting = 0
        var looks = 0

        mutating func apply(_ change: PreferenceChange, to voice: Voice) -> Configuration {
            switch change {
            case .profile(let profile): presets.profiles[voice.key] = profile.isEmpty ? nil : profile
            case .list(let list, let isOn):
                if isOn || list == .favorites { presets.favorites.removeAll { $0 == voice.key } }
                if isOn || list == .hidden { presets.hidden.removeAll { $0 == voice.key } }
                if isOn, list == .favorites { presets.favorites.append(voice.key) }
                if isOn, list == .hidden { presets.hidden.append(voice.key) }
            case .chosen: chosen = voice.id
            }
            return presets
        }
    }
}

extension SpeechHost {
    /// Creates a host for tests. Sessions, streams, cancellation and errors are real, but the engine runs without a
    /// process. The host reads no configuration and uses no devices, and its only files are the tables for number
    /// expansion.
    ///
    /// - Parameters:
    ///   - engine: the test engine.
    ///   - voices: the names of the voices. All voices are ready, and the first voice is the default.
    ///   - recognizer: the recognizer, or nil for a host without one.
    public init(
        testing engine: TestEngine, voices: [String] = ["Voice"], hearing recognizer: ScriptedRecognizer? = nil
    ) {
        // Voice names may contain any characters, so the IDs are numbers.
        let voices = voices.enumerated().map { TestVoice($1, id: "voice-\($0)") }
        self.init(TestBackend(engine, voices, chosen: voices.first?.id, recognizer: recognizer))
    }
}
