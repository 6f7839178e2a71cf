import SynthScript
import SynthSystem

extension SpeechSession {
    /// Speaks SSML. Breaks, marks, prosody and voice changes work with every engine. A requested voice may belong to
    /// another engine.
    ///
    /// Errors in the document (`scriptInvalid`, with the line and column) and problems with its voices (such as
    /// `voiceUnknown` and `voiceNotDownloaded`) are reported before synthesis starts. The document cannot refer to
    /// files or URLs. Its clips must be defined in the configuration.
    public func speak(ssml: String, _ options: SpeechOptions = SpeechOptions()) -> Speech {
        speak(ssml, as: .ssml, options)
    }

    /// Speaks text in another format, such as Markdown. Event positions refer to the original text.
    public func speak(_ text: String, as form: SpeechForm, _ options: SpeechOptions = SpeechOptions()) -> Speech {
        speak(options) { [source] () throws(SpeechError) in
            try ScriptSource(try SpokenScript(Array(text.utf8), as: form), clips: source.clips)
        }
    }

    /// Speaks text from any source with fully resolved settings. The user's configuration is ignored.
    ///
    /// - Parameters:
    ///   - cast: the sessions of the voices, or nil if no other text shares them.
    ///   - settings: returns the settings for each voice.
    package func speak(
        _ text: any TextSource, cast: ScriptCast? = nil,
        _ settings: @escaping @Sendable (SpeechSession) -> SpeechSettings
    ) -> Speech {
        speech(lookAhead: SpeechOptions().lookAhead) { [self] run, sound, listener throws(SpeechError) in
            try perform(text, cast, settings, run, sound, for: listener)
        }
    }

    /// Speaks text with the user's configuration.
    package func speak(
        _ options: SpeechOptions, text: @escaping @Sendable () throws(SpeechError) -> any TextSource
    ) -> Speech {
        speech(lookAhead: options.lookAhead) { [self] run, sound, listener throws(SpeechError) in
            try perform(try text(), nil, { settings(options, of: $0) }, run, sound, for: listener)
        }
    }

    /// Creates a cast that several texts can share, with this session as the main session. Each voice is loaded only
    /// once, and once a fallback voice is in use, it also speaks the remaining texts.
    package func cast() -> ScriptCast { ScriptCast(self, find: source.findVoice) }

    /// Blocks until all audio is queued or the run is cancelled. A missing voice is reported before synthesis starts.
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
        for address in script?.clips.skipped ?? [] { run.note(.soundSkipped(address)) }
        let turns = SpeakerTurns(text, cast, LanguageSwitch(cast, own), beginsWithMain: script == nil)
        var position = SoundPosition()
        while !run.isCancelled, let player = try turns.begin() {
            if own.fallsBack, let other = fallback(for: player.session, cast, avoiding: own.avoids) {
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

    /// Returns a fallback for a voice whose engine should be avoided. Returns nil if the engine need not be avoided or if no
    /// other voice is available.
    private func fallback(
        for session: SpeechSession, _ cast: ScriptCast, avoiding avoided: Set<String>
    ) -> SpeechSession? {
        guard avoided.contains(session.voice.engine) else { return nil }
        return source.findFallback(session.voice, cast.failedEngines.union(avoided))
    }

    /// Loads the next few voices while another voice is speaking. Does not load all of them, because playback may stop
    /// early.
    private func warmUp(_ sessions: [SpeechSession]) {
        if sessions.isEmpty { return }
        _ = source.startingThreads("warm-up") {
            // Ignore errors. They are thrown again when the voice is needed.
            for session in sessions.prefix(3) { try? session.load() }
        }
    }
}

extension ScriptSource {
    /// Returns the voices that the script requests.
    package func roles(in settings: SpeechSettings) -> [ScriptRole] {
        guard settings.keepsVoice else { return roles }
        return roles.map { ScriptRole(voice: $0.voice) }
    }
}
