import SynthHost
import System

/// Sessions that stay loaded after their speech. The one that was used longest ago goes first. Any thread may use it.
final class WarmVoices: Sendable {
    private struct Place {
        let session: SpeechSession
        var lastUse: ContinuousClock.Instant
        var speeches = 0
    }
    private struct State {
        var places: [String: Place] = [:]
        var isClosed = false
    }
    private let limits: ServiceLimits
    private let backend: any ServiceBackend
    private let state = Monitor(State())
    /// One voice is found and made at a time, so that none is made twice.
    private let making = Lock()

    init(_ backend: any ServiceBackend, _ limits: ServiceLimits) {
        self.backend = backend
        self.limits = limits
    }

    /// The session of a voice, for one speech; `end` follows. Blocks, but loads nothing.
    func begin(_ voice: SpeechVoice) throws(SpeechFailure) -> SpeechSession {
        let key = Self.key(of: voice)
        return try making.withLock { () throws(SpeechFailure) in
            if let session = use(key) { return session }
            makeRoom()
            let session = try backend.session(voice)
            state.update { state in
                if !state.isClosed { state.places[key] = Place(session: session, lastUse: .now, speeches: 1) }
            }
            return session
        }
    }

    func end(_ voice: SpeechVoice) {
        state.update { state in
            state.places[Self.key(of: voice)]?.speeches -= 1
            state.places[Self.key(of: voice)]?.lastUse = .now
        }
        while count > limits.voices, dropOldest() {}
    }

    /// How many voices are loaded, or about to be.
    var count: Int { state.read { $0.places.count } }

    /// Drops what nobody used for a while.
    ///
    /// - Returns: when to look again; nil = nothing is kept.
    func dropIdle(at now: ContinuousClock.Instant = .now) -> ContinuousClock.Instant? {
        state.update { state in
            state.places = state.places.filter { $0.value.speeches > 0 || now - $0.value.lastUse < limits.idle }
            return state.places.values.filter { $0.speeches == 0 }.map { $0.lastUse + limits.idle }.min()
        }
    }

    /// Nothing is kept any more.
    func close() {
        state.update { state in
            state.isClosed = true
            state.places = [:]
        }
    }

    private func use(_ key: String) -> SpeechSession? {
        state.update { state in
            state.places[key]?.speeches += 1
            state.places[key]?.lastUse = .now
            return state.places[key]?.session
        }
    }

    /// The memory of a voice comes back after a while, and not at all while another voice of its engine is loaded: one voice
    /// goes for each that comes.
    private func makeRoom() {
        while count >= limits.voices, dropOldest() {}
        if backend.memory() > limits.memory { _ = dropOldest() }
    }

    /// False if all are in use.
    private func dropOldest() -> Bool {
        let dropped: SpeechSession? = state.update { state in
            let unused = state.places.filter { $0.value.speeches == 0 }
            guard let oldest = unused.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return nil }
            return state.places.removeValue(forKey: oldest.key)?.session
        }
        return dropped != nil
    }

    private static func key(of voice: SpeechVoice) -> String { "\(voice.engine)/\(voice.id)/\(voice.title)" }
}
