import SynthScript
import SynthSystem

extension SpeechSession {
    /// Speaks SSML: breaks, marks, prosody, voices, also of other engines, whatever the engine of this session knows of it.
    ///
    /// Nothing is spoken of a document that is malformed (`script`, with line and column) or that asks for a voice that is not
    /// there (`voice`, `notDownloaded`). It names no file and no address: a clip is one
    /// of the configuration.
    public func speak(ssml: String, _ options: SpeechOptions = SpeechOptions()) -> Speech {
        speak(ssml, as: .ssml, options)
    }

    /// Speaks a text of another form, such as Markdown. Its places are those in the text as it is given.
    public func speak(_ text: String, as form: SpeechForm, _ options: SpeechOptions = SpeechOptions()) -> Speech {
        speak(options) { [source] () throws(SpeechError) in
            try ScriptSource(try SpokenScript(Array(text.utf8), as: form), clips: source.clips)
        }
    }

    /// Speaks a text of any source, with settings that say everything: nothing of the configuration applies.
    ///
    /// - Parameters:
    ///   - cast: the sessions of its voices, if several texts share them.
    ///   - settings: of each voice that takes part.
    package func speak(
        _ text: any TextSource, cast: ScriptCast? = nil,
        _ settings: @escaping @Sendable (SpeechSession) -> SpeechSettings
    ) -> Speech {
        speech(lookAhead: SpeechOptions().lookAhead) { [self] run, sound, listener throws(SpeechError) in
            try perform(text, cast, settings, run, sound, for: listener)
        }
    }

    /// Speaks a text as the user configured it.
    package func speak(
        _ options: SpeechOptions, text: @escaping @Sendable () throws(SpeechError) -> any TextSource
    ) -> Speech {
        speech(lookAhead: options.lookAhead) { [self] run, sound, listener throws(SpeechError) in
            let settings = { (session: SpeechSession) in
                var settings = session.settings(options)
                // That of the text, and not of words in another one.
                if session !== self { settings.language = nil }
                return settings
            }
            try perform(try text(), nil, settings, run, sound, for: listener)
        }
    }

    /// Sessions for texts that share them, this one first: no voice is loaded twice, and who spoke for another keeps doing so.
    package func cast() -> ScriptCast { ScriptCast(self, find: source.findVoice) }

    /// Blocks until all of a text is queued, or the run was cancelled. Nothing is spoken if a voice is missing that it asks
    /// for.
    private func perform(
        _ text: any TextSource, _ cast: ScriptCast?, _ settings: (SpeechSession) -> SpeechSettings, _ run: SpeechRun,
        _ sound: SoundQueue,
        for listener: SpeechRun.Listener
    ) throws(SpeechError) {
        defer { text.stop() }
        let script = text as? ScriptSource
        let cast = cast ?? self.cast()
        let own = settings(self)
        warmUp(try cast.gather(script?.roles(in: own) ?? []))
        for replacement in cast.replacements { run.note(.voiceReplaced(replacement)) }
        let turns = VoiceTurns(text, cast, LanguageSwitch(cast, own), beginsWithMain: script == nil)
        var position = SoundPosition()
        while !run.isCancelled, let player = try turns.begin() {
            if own.fallsBack, let other = standIn(for: player.session, cast, avoiding: own.avoids) {
                cast.replace(player.session, by: other)
                continue
            }
            do {
                let isWanted = try player.session.synthesize(
                    turns, settings(player.session), run, sound, from: &position,
                    clips: script?.clips ?? ScriptClips(), for: listener,
                    whileReplaceable: { [source, voice = player.session.voice] in
                        source.findFallback(voice, cast.failedEngines.union([voice.engine])) != nil
                    })
                if !isWanted { return }
            } catch {
                let voice = player.session.voice
                guard own.fallsBack, !run.isCancelled, error.isOfEngine,
                    let other = source.findFallback(voice, cast.engineFailed(voice.engine))
                else { throw error }
                run.note(.voiceReplaced(VoiceReplacement(voice, by: other.voice, because: error)))
                cast.replace(player.session, by: other)
                turns.takeBack(from: position.brokenWord)
                position.brokenWord = nil
            }
        }
        position.finish(in: sound, sourceEnd: text.byteCount ?? 0)
    }

    /// Who speaks for a voice whose engine is not to be asked; nil if it is, or nobody else can.
    private func standIn(
        for session: SpeechSession, _ cast: ScriptCast, avoiding avoided: Set<String>
    ) -> SpeechSession? {
        guard avoided.contains(session.voice.engine) else { return nil }
        return source.findFallback(session.voice, cast.failedEngines.union(avoided))
    }

    /// Loads voices while others speak. A few: nobody knows whether the script gets so far.
    private func warmUp(_ sessions: [SpeechSession]) {
        if sessions.isEmpty { return }
        _ = source.startingThreads("warm-up") {
            // What fails here fails again when the voice is to speak.
            for session in sessions.prefix(3) { try? session.load() }
        }
    }
}

extension ScriptSource {
    /// The voices that it asks for.
    package func roles(in settings: SpeechSettings) -> [ScriptRole] {
        guard settings.keepsVoice else { return roles }
        return roles.map { ScriptRole(voice: $0.voice) }
    }
}
