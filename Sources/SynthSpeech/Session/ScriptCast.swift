import SynthCatalogue
package import SynthScript
package import SynthSystem

/// The sessions of the voices that a script asks for. Any thread may use it.
package final class ScriptCast: Sendable {
    /// Finds the voice for a part of a script; nil if none is needed, or there is none for a language or a gender.
    package typealias Find =
        @Sendable (ScriptVoice, _ main: SpeechVoice) throws(SpeechError) -> SpeechSession?

    /// For a session that knows no other voices.
    package static let noOther: Find = { asked, _ throws(SpeechError) in
        if let name = asked.name { throw SpeechError(VoiceError.unknownVoice(name, near: [])) }
        return nil
    }

    private let mainSession: SpeechSession
    private let find: Find
    /// Who speaks for sessions whose engines failed.
    private let standIns = Monitor<[ObjectIdentifier: SpeechSession]>([:])
    /// The ids of those engines: who spoke for one of them once is not asked to again.
    private let failed = Monitor<Set<String>>([])
    private let players = Monitor<[ScriptRole: ScriptPlayer]>([:])
    private let sessions = Monitor<[ScriptVoice: SpeechSession]>([:])
    private let replaced = Monitor<[VoiceReplacement]>([])

    /// - Parameter main: speaks what asks for nobody else.
    init(_ main: SpeechSession, find: @escaping Find) {
        mainSession = main
        self.find = find
    }

    /// Speaks what asks for nobody else.
    var main: ScriptPlayer { standingIn(ScriptPlayer(session: mainSession, speaksLanguage: true)) }

    /// Which voices were found for names that no voice has, in the order in which they were asked for.
    var replacements: [VoiceReplacement] { replaced.read { $0 } }

    /// The ids of the engines that failed so far.
    var failedEngines: Set<String> { failed.read { $0 } }

    /// An engine failed.
    ///
    /// - Returns: all that did so far.
    func engineFailed(_ engine: String) -> Set<String> {
        failed.update { failed in
            failed.insert(engine)
            return failed
        }
    }

    /// From now on another session speaks what this one would.
    func replace(_ session: SpeechSession, by other: SpeechSession) {
        standIns.update { standIns in
            for (id, standIn) in standIns where standIn === session { standIns[id] = other }
            standIns[ObjectIdentifier(session)] = other
        }
    }

    /// Who speaks for a session whose engine failed, or the same.
    func standingIn(_ player: ScriptPlayer) -> ScriptPlayer {
        guard let session = standIns.read({ $0[ObjectIdentifier(player.session)] }) else { return player }
        return ScriptPlayer(session: session, speaksLanguage: player.speaksLanguage)
    }

    /// Finds the voices that a script asks for.
    ///
    /// - Throws: as speaking it would for one that is not there.
    package func add(voicesOf script: SpokenScript) throws(SpeechError) {
        _ = try gather(script.roles)
    }

    /// Finds all voices, so that nothing is spoken of a script that asks for one that is not there.
    ///
    /// - Returns: the sessions beside the main one.
    func gather(_ roles: [ScriptRole]) throws(SpeechError) -> [SpeechSession] {
        var others: [SpeechSession] = []
        for role in roles {
            let session = try player(of: role).session
            if session !== mainSession, !others.contains(where: { $0 === session }) { others.append(session) }
        }
        return others
    }

    func player(of role: ScriptRole) throws(SpeechError) -> ScriptPlayer {
        if let player = players.read({ $0[role] }) { return standingIn(player) }
        let player = try newPlayer(of: role)
        players.update { $0[role] = player }
        return standingIn(player)
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
        // A voice that was named speaks whatever it is given.
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
        // Whatever a document calls a voice, it is loaded once.
        let known = sessions.read { $0.values.first { $0.voice.choice == found.voice.choice } }
        let session = known ?? found
        sessions.update { $0[voice] = session }
        return session
    }

    /// Whether the main language is the same.
    private static func speaks(_ voice: SpeechVoice, _ language: String) -> Bool {
        RelatedLanguages.areSame(voice.language, language)
    }
}

extension ScriptVoice {
    /// What many names of voices begin with: "de-DE-Katja".
    fileprivate var languageOfName: String? {
        let parts = (name ?? "").split(separator: "-", maxSplits: 2)
        guard parts.count == 3, parts[0].utf8.count == 2, parts[1].utf8.count == 2,
            parts[0].allSatisfy({ $0.isASCII && $0.isLowercase }), parts[1].allSatisfy({ $0.isASCII && $0.isUppercase })
        else { return nil }
        return "\(parts[0])-\(parts[1])"
    }
}

/// Who speaks a part of a script.
struct ScriptPlayer: Sendable {
    let session: SpeechSession
    /// Whether the voice speaks the language that the part is marked with; its own otherwise.
    let speaksLanguage: Bool
}
