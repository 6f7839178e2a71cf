import SynthCatalogue
import SynthEngineWire
import SynthHost
import SynthHostTesting
import SynthSystem

@testable import SynthService

/// A library without files. A test sets its voices and controls their downloads. A voice's key consists of its engine's id and
/// its own: "test/Ann".
final class LibraryDouble: VoiceLibraryBackend {
    private struct State {
        var voices: [(id: String, state: SpeechVoice.State)] = []
        var profiles: [String: VoiceProfile] = [:]
        var chosen: String?
        var marks: [VoiceList: Set<String>] = [:]
        var failure: SpeechError?
        var problem: SpeechError?
        /// The downloads of each voice, in request order.
        var downloads: [String: [ScriptedDownload]] = [:]
        var isObedient = true
        var readings = 0
        var isHeld = false
        /// Whether a list request is waiting.
        var isWaiting = false
    }
    private let state = Monitor(State())

    static let size: Int64 = 1000

    init(ready: [String], missing: [String] = []) {
        state.update { state in
            state.voices = ready.map { ($0, .ready) } + missing.map { ($0, .notDownloaded(bytes: Self.size)) }
            state.chosen = ready.first.map { "test/\($0)" }
        }
    }

    // MARK: - Methods for the test

    func set(_ id: String, _ voiceState: SpeechVoice.State) {
        state.update { state in
            if let place = state.voices.firstIndex(where: { $0.id == id }) { state.voices[place].state = voiceState }
        }
    }

    func add(_ id: String) { state.update { $0.voices.append((id, .notDownloaded(bytes: Self.size))) } }

    /// Makes listing the voices fail from now on.
    func fail(_ failure: SpeechError?) { state.update { $0.failure = failure } }

    /// While this is set, list requests wait.
    func hold(_ isHeld: Bool) { state.update { $0.isHeld = isHeld } }

    /// Blocks until a list request is waiting.
    func waitForReading() { _ = state.wait { $0.isWaiting ? true : nil } }

    /// Rejects changes from now on.
    func refuse(_ problem: SpeechError?) { state.update { $0.problem = problem } }

    /// Prevents cancelled downloads from ending until the test allows it.
    func disobey() { state.update { $0.isObedient = false } }

    /// A voice's download by its number, counted from 1. Blocks until it has been requested.
    func download(of id: String, _ number: Int = 1) -> ScriptedDownload {
        state.wait { state in
            let all = state.downloads[id] ?? []
            return all.count >= number ? all[number - 1] : nil
        } ?? ScriptedDownload()
    }

    func downloadCount(of id: String) -> Int { state.read { $0.downloads[id]?.count ?? 0 } }

    /// Ends a download successfully.
    func finish(_ id: String) {
        let download = download(of: id, downloadCount(of: id))
        set(id, .ready)
        download.end(.ready)
    }

    var profiles: [String: VoiceProfile] { state.read { $0.profiles } }
    /// The number of list requests.
    var readings: Int { state.read { $0.readings } }

    // MARK: - Methods for the service

    func library() throws(SpeechError) -> LibraryList {
        if state.update({ state in
            state.readings += 1
            state.isWaiting = state.isHeld
            return state.isHeld
        }) {
            _ = state.wait { $0.isHeld ? nil : true }
        }
        let state = state.read { $0 }
        if let failure = state.failure { throw failure }
        var voices: [LibraryVoice] = []
        for (place, voice) in state.voices.enumerated() {
            do throws(RegistryError) {
                let declared = DeclaredVoice(
                    id: voice.id, name: voice.id, language: "en-US", accent: "American", licence: "CC0-1.0")
                var configuration = Configuration()
                configuration.profiles = state.profiles
                configuration.favourites = state.marks[.favourites].map(Array.init) ?? []
                configuration.hidden = state.marks[.hidden].map(Array.init) ?? []
                let known = SpeechVoice(
                    VoiceChoice(voice: try Voice(declared, by: "test")), state: voice.state,
                    VoiceMarks(configuration))
                voices.append(
                    LibraryVoice(
                        known, starter: place == 0 ? 1 : nil, size: Self.size,
                        isRemovable: voice.state == .ready && voice.id != "Ann"))
            } catch {
                throw SpeechError(error)
            }
        }
        return LibraryList(voices, chosen: state.chosen)
    }

    func download(_ voice: SpeechVoice) -> VoiceDownload {
        let (download, isReady) = state.update { state in
            let download = ScriptedDownload(isObedient: state.isObedient)
            state.downloads[voice.id, default: []].append(download)
            return (download, state.voices.contains { $0.id == voice.id && $0.state == .ready })
        }
        // A voice that has become ready meanwhile needs no download.
        if isReady { download.end(.ready) }
        return download.download
    }

    func remove(_ voice: LibraryVoice) throws(SpeechError) -> Int64 {
        if let problem = state.read({ $0.problem }) { throw problem }
        set(voice.voice.id, .notDownloaded(bytes: Self.size))
        return Self.size
    }

    func tune(_ voice: LibraryVoice, to profile: VoiceProfile) throws(SpeechError) {
        if let problem = state.read({ $0.problem }) { throw problem }
        state.update { $0.profiles[voice.key] = profile }
    }

    func mark(_ voice: LibraryVoice, _ list: VoiceList, _ isOn: Bool) throws(SpeechError) {
        if let problem = state.read({ $0.problem }) { throw problem }
        state.update { state in
            for each in [VoiceList.favourites, .hidden] { state.marks[each]?.remove(voice.key) }
            if isOn { state.marks[list, default: []].insert(voice.key) }
        }
    }

    func choose(_ voice: LibraryVoice) throws(SpeechError) {
        if let problem = state.read({ $0.problem }) { throw problem }
        state.update { $0.chosen = voice.key }
    }

    /// The key of the model that the service double loads.
    func model(of voice: LibraryVoice) -> ModelKey? { ModelKey(plugin: "", LoadRequest(id: voice.voice.id)) }
}
