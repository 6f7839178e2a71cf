import SynthCatalogue
package import SynthScript
package import SynthSystem

/// The sessions of the voices in a script. Thread-safe.
package final class ScriptCast: Sendable {
    /// Finds the voice for part of a script. Returns nil if the main voice should be used, or if no voice matches the
    /// language or gender.
    package typealias Find =
        @Sendable (ScriptVoice, _ main: SpeechVoice) throws(SpeechError) -> SpeechSession?

    /// A `Find` function for sessions that cannot use other voices.
    package static let noOther: Find = { asked, _ throws(SpeechError) in
        if let name = asked.name { throw SpeechError(VoiceError.unknownVoice(name, near: [])) }
        return nil
    }

    private let mainSession: SpeechSession
    private let find: Find
    /// Fallback sessions, keyed by the session whose engine failed.
    private let fallbackSessions = Monitor<[ObjectIdentifier: SpeechSession]>([:])
    /// The IDs of the engines that failed. Their voices are not used as fallbacks.
    private let failed = Monitor<Set<String>>([])
    private let players = Monitor<[ScriptRole: ScriptPlayer]>([:])
    private let sessions = Monitor<[ScriptVoice: SpeechSession]>([:])
    private let replaced = Monitor<[VoiceReplacement]>([])

    /// - Parameter main: the session for parts that do not request another voice.
    init(_ main: SpeechSession, find: @escaping Find) {
        mainSession = main
        self.find = find
    }

    /// The player for parts that do not request another voice.
    var main: ScriptPlayer { orFallback(ScriptPlayer(session: mainSession, speaksLanguage: true)) }

    /// The voices that replaced unknown voices, in request order.
    var replacements: [VoiceReplacement] { replaced.read { $0 } }

    var failedEngines: Set<String> { failed.read { $0 } }

    /// Records the failure of an engine.
    ///
    /// - Returns: the IDs of all engines that have failed.
    func engineFailed(_ engine: String) -> Set<String> {
        failed.update { failed in
            failed.insert(engine)
            return failed
        }
    }

    /// Makes `other` speak instead of `session`.
    func replace(_ session: SpeechSession, by other: SpeechSession) {
        fallbackSessions.update { fallbackSessions in
            for (id, fallback) in fallbackSessions where fallback === session { fallbackSessions[id] = other }
            fallbackSessions[ObjectIdentifier(session)] = other
        }
    }

    /// Returns the fallback player if the player's engine failed; otherwise returns the player unchanged.
    func orFallback(_ player: ScriptPlayer) -> ScriptPlayer {
        guard let session = fallbackSessions.read({ $0[ObjectIdentifier(player.session)] }) else { return player }
        return ScriptPlayer(session: session, speaksLanguage: player.speaksLanguage)
    }

    /// Finds the voices that a script requests.
    ///
    /// - Throws: if a voice is missing, the error that speaking the script would throw.
    package func add(voicesOf script: SpokenScript) throws(SpeechError) {
        _ = try gather(script.roles)
    }

    /// Finds all voices in advance, so that missing voices are reported before synthesis starts.
    ///
    /// - Returns: all sessions except the main session.
    func gather(_ roles: [ScriptRole]) throws(SpeechError) -> [SpeechSession] {
        var others: [SpeechSession] = []
        for role in roles {
            let session = try player(of: role).session
            if session !== mainSession, !others.contains(where: { $0 === session }) { others.append(session) }
        }
        return others
    }

    func player(of role: ScriptRole) throws(SpeechError) -> ScriptPlayer {
        if let player = players.read({ $0[role] }) { return orFallback(player) }
        let player = try newPlayer(of: role)
        players.update { $0[role] = player }
        return orFallback(player)
    }

    private func newPlayer(of role: ScriptRole) throws(SpeechError) -> ScriptPlayer {
        var session = mainSession
        var language = role.language
        var isNamed = role.voice?.name != nil
        if let voice = role.voice {
            do {
                if let found = try self.session(voice) { session = found }
            } catch {
                guard voice.mayBeAnother else { throw error }
                isNamed = false
                language = language ?? voice.language ?? voice.languageOfName
                let other = ScriptVoice(language: language, gender: voice.gender)
                if other != ScriptVoice(), let found = try self.session(other) { session = found }
                replaced.update { $0.append(VoiceReplacement(nil, by: session.voice, because: error)) }
            }
        }
        guard let language else { return ScriptPlayer(session: session, speaksLanguage: true) }
        if Self.speaks(session.voice, language) { return ScriptPlayer(session: session, speaksLanguage: true) }
        // If the script requests a voice by name, that voice speaks the role's text, whatever its language.
        if !isNamed,
            let found = try self.session(ScriptVoice(language: language, gender: role.voice?.gender))
        {
            return ScriptPlayer(session: found, speaksLanguage: Self.speaks(found.voice, language))
        }
        return ScriptPlayer(session: session, speaksLanguage: false)
    }

    private func session(_ voice: ScriptVoice) throws(SpeechError) -> SpeechSession? {
        if let session = sessions.read({ $0[voice] }) { return session }
        guard let found = try find(voice, mainSession.voice) else { return nil }
        // Load each voice only once, even if a script refers to it by several names.
        let known = sessions.read { $0.values.first { $0.voice.choice == found.voice.choice } }
        let session = known ?? found
        sessions.update { $0[voice] = session }
        return session
    }

    /// Whether the voice's language has the same primary subtag as `language`.
    private static func speaks(_ voice: SpeechVoice, _ language: String) -> Bool {
        RelatedLanguages.areSame(voice.language, language)
    }
}

extension ScriptVoice {
    /// The language prefix of the voice name: "de-DE" in "de-DE-Katja".
    fileprivate var languageOfName: String? {
        let parts = (name ?? "").split(separator: "-", maxSplits: 2)
        guard parts.count == 3, parts[0].utf8.count == 2, parts[1].utf8.count == 2,
            parts[0].allSatisfy({ $0.isASCII && $0.isLowercase }), parts[1].allSatisfy({ $0.isASCII && $0.isUppercase })
        else { return nil }
        return "\(parts[0])-\(parts[1])"
    }
}

/// The session that speaks part of a script.
struct ScriptPlayer: Sendable {
    let session: SpeechSession
    /// Whether the voice supports the part's language. If not, the voice reads the part as if it were in the voice's
    /// own language.
    let speaksLanguage: Bool
}
