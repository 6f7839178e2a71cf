import SynthSpeech
import SynthSystem
import SynthUserVoices

/// The sessions that a queue speaks with. Those of two channels are two, so that none waits for a lane of an engine that the
/// other one holds: the queue may wait for both at once.
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
        /// The one that was used last comes last.
        var sessions: [(key: Key, session: SpeechSession)] = []
        /// Of each language that is listened to.
        var recognizers: [String?: HearingSource] = [:]
        /// The channel of a session that the program gave.
        var owners: [ObjectIdentifier: SpeechQueue.Channel] = [:]
    }
    private let host: SpeechHost
    private let state = Monitor(State())
    /// Loading takes seconds, and a second item may need the same voice.
    private let loading = Lock()

    /// More voices than that are loaded anew when they speak again.
    private static let most = 8

    init(_ host: SpeechHost) { self.host = host }

    /// A session of a voice, loaded. Blocks meanwhile.
    func session(of voice: String?, on channel: SpeechQueue.Channel) throws(SpeechError) -> SpeechSession {
        try loading.withLock { () throws(SpeechError) in
            let key = Key(origin: .voice(voice), channel: channel)
            if let known = known(key) { return known }
            let session = try host.backend.session(try host.backend.voice(voice))
            try session.load()
            keep(session, key)
            return session
        }
    }

    /// The session for the first channel that uses it, and others of its voice for other channels.
    func session(_ given: SpeechSession, on channel: SpeechQueue.Channel) -> SpeechSession {
        let isOwner = state.update { state in
            if state.owners.count > 1000 { state.owners = [:] }
            let owner = state.owners[ObjectIdentifier(given)] ?? channel
            state.owners[ObjectIdentifier(given)] = owner
            return owner == channel
        }
        if isOwner { return given }
        let key = Key(origin: .session(ObjectIdentifier(given)), channel: channel)
        // Another session may have been at the same address before.
        if let known = known(key), known.voice == given.voice { return known }
        let session = given.sibling()
        keep(session, key)
        return session
    }

    /// The recognizer for a language (BCP-47); nil = it finds out.
    func hearing(_ language: String?) throws(SpeechError) -> HearingSource {
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
        // Its end may block, which must not be under the lock.
        let dropped = state.update { state -> SpeechSession? in
            state.sessions.append((key, session))
            return state.sessions.count > Self.most ? state.sessions.removeFirst().session : nil
        }
        withExtendedLifetime(dropped) {}
    }
}
