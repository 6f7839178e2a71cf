import SynthCatalogue
import SynthSpeech
import SynthSystem
import SynthUserVoices

/// A queue's sessions. The queue may need audio from several channels at the same time, so each channel has its own
/// sessions and never waits for a lane that another channel is using.
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
        /// The sessions in order of last use, most recent last.
        var sessions: [(key: Key, session: SpeechSession)] = []
        /// The recognizers, keyed by language.
        var recognizers: [String?: RecognizerSource] = [:]
        /// For each of the program's sessions, the channel that uses it directly.
        var owners: [ObjectIdentifier: SpeechQueue.Channel] = [:]
    }
    private let host: SpeechHost
    private let state = Monitor(State())
    /// Serializes loading, so that a voice is loaded only once even if several items need it. Loading takes seconds.
    private let loading = Lock()

    /// The maximum number of loaded voices. The least recently used voices are unloaded and then reloaded when they are
    /// needed again.
    private static let most = 8

    init(_ host: SpeechHost) { self.host = host }

    /// Returns a loaded session for a voice. Blocks while the voice is loading.
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

    /// Returns the given session for the first channel that uses it, and a separate session with the same voice for
    /// every other channel.
    func session(_ given: SpeechSession, on channel: SpeechQueue.Channel) -> SpeechSession {
        let isOwner = state.update { state in
            if state.owners.count > 1000 { state.owners = [:] }
            let owner = state.owners[ObjectIdentifier(given)] ?? channel
            state.owners[ObjectIdentifier(given)] = owner
            return owner == channel
        }
        if isOwner { return given }
        let key = Key(origin: .session(ObjectIdentifier(given)), channel: channel)
        // The address alone does not identify a session, because a session that has since been released may have had
        // the same address.
        if let known = known(key), known.voice == given.voice { return known }
        let session = given.sibling()
        keep(session, key)
        return session
    }

    /// Returns the recognizer for a language (BCP 47), or a recognizer that detects the language if the argument is
    /// nil.
    func recognizerSource(_ language: String?) throws(SpeechError) -> RecognizerSource {
        try loading.withLock { () throws(SpeechError) in
            if let known = state.read({ $0.recognizers[language] }) { return known }
            let source = try host.backend.recognizerSource(model: nil, language: language)
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
        // Releasing a session may block, so do not release it while holding the lock.
        let dropped = state.update { state -> SpeechSession? in
            state.sessions.append((key, session))
            return state.sessions.count > Self.most ? state.sessions.removeFirst().session : nil
        }
        withExtendedLifetime(dropped) {}
    }
}
