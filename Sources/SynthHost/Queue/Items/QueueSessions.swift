import SynthCatalogue
import SynthSpeech
import SynthSystem
import SynthUserVoices

/// The sessions of a queue. Each channel has separate ones, so that no channel waits for a lane that another one holds.
/// The queue may need audio from both at the same time.
final class QueueSessions: Sendable {
    private struct Key: Hashable {
        enum Origin: Hashable {
            case voice(String?)
            case session(ObjectIdentifier)
        }
        let origin: Origin
        let channel: SpeechQueue.Channel
    }
    private struct State {
        /// The sessions in order of use, the most recent one last.
        var sessions: [(key: Key, session: SpeechSession)] = []
        /// The recognizers by language.
        var recognizers: [String?: RecognizerSource] = [:]
        /// The channel that uses a session of the program directly.
        var owners: [ObjectIdentifier: SpeechQueue.Channel] = [:]
    }
    private let host: SpeechHost
    private let state = Monitor(State())
    /// Loading takes seconds, and a second item may need the same voice.
    private let loading = Lock()

    /// The maximum number of loaded voices. Others are reloaded when they are needed again.
    private static let most = 8

    init(_ host: SpeechHost) { self.host = host }

    /// Returns a loaded session of a voice. Blocks while it is loaded.
    func session(of voice: String?, on channel: SpeechQueue.Channel) throws(SpeechError) -> SpeechSession {
        try loading.withLock { () throws(SpeechError) in
            let key = Key(origin: .voice(voice), channel: channel)
            if let known = known(key) { return known }
            let session = try host.backend.session(try host.backend.voice(VoiceQuery(name: voice)))
            try session.load()
            keep(session, key)
            return session
        }
    }

    /// Returns the given session for the first channel that uses it, and separate sessions of its voice for other
    /// channels.
    func session(_ given: SpeechSession, on channel: SpeechQueue.Channel) -> SpeechSession {
        let isOwner = state.update { state in
            if state.owners.count > 1000 { state.owners = [:] }
            let owner = state.owners[ObjectIdentifier(given)] ?? channel
            state.owners[ObjectIdentifier(given)] = owner
            return owner == channel
        }
        if isOwner { return given }
        let key = Key(origin: .session(ObjectIdentifier(given)), channel: channel)
        // A released session may have had the same address.
        if let known = known(key), known.voice == given.voice { return known }
        let session = given.sibling()
        keep(session, key)
        return session
    }

    /// Returns the recognizer for a language (BCP-47), or for automatic detection if it is nil.
    func hearing(_ language: String?) throws(SpeechError) -> RecognizerSource {
        try loading.withLock { () throws(SpeechError) in
            if let known = state.read({ $0.recognizers[language] }) { return known }
            let source = try host.backend.hearing(model: nil, language: language)
            state.update { $0.recognizers[language] = source }
            return source
        }
    }

    private func known(_ key: Key) -> SpeechSession? {
        state.update { state in
            guard let index = state.sessions.firstIndex(where: { $0.key == key }) else { return nil }
            let found = state.sessions.remove(at: index)
            state.sessions.append(found)
            return found.session
        }
    }

    private func keep(_ session: SpeechSession, _ key: Key) {
        // Releasing a session may block, so it must not happen under the lock.
        let dropped = state.update { state -> SpeechSession? in
            state.sessions.append((key, session))
            return state.sessions.count > Self.most ? state.sessions.removeFirst().session : nil
        }
        withExtendedLifetime(dropped) {}
    }
}
