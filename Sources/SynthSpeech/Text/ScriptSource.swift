package import SynthScript
package import SynthSystem

/// A source of a script's steps, which are read lazily.
package final class ScriptSource: TextSource {
    package let byteCount: Int?
    package let file: RegularFile?
    /// The deduplicated voices and languages in the script, in order of appearance.
    package let roles: [ScriptRole]
    /// Whether the script contains a pronunciation without alternative words.
    package let hasBarePhonemes: Bool
    package let clips: ScriptClips
    package let isPlain: Bool
    private let plan: Monitor<ScriptPlan>

    /// - Parameters:
    ///   - clips: resolves clip names. The default library contains no clips.
    ///   - file: the document's file, or nil if there is none.
    /// - Throws: an error such as `clipUnknown` if a clip without alternative text is not a web address and cannot be
    ///   found; `channelUnavailable` if a clip would play in parallel with the speech.
    package init(
        _ script: SpokenScript, clips library: ClipLibrary = ClipLibrary(), file: RegularFile? = nil
    ) throws(SpeechError) {
        var clips = ScriptClips()
        if script.hasClips { try clips.find(in: try script.reader(), library) }
        self.clips = clips
        byteCount = script.document.count
        self.file = file
        hasBarePhonemes = script.hasBarePhonemes
        roles = script.roles
        plan = Monitor(
            ScriptPlan(clips.reader(of: try script.reader()), characters: script.characters, isPlain: script.isPlain))
        isPlain = script.isPlain
    }

    /// Shortens only the first utterance, because the text is complete.
    package func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) { plan.update { $0.limits = .early } }

    package func next() throws(SpeechError) -> ScriptStep? {
        try rethrowing(plan.update { plan throws(ScriptError) in try plan.next() }, as: ScriptError.asSpeechError)
    }

    /// A no-op, because `next` never blocks.
    package func stop() {}
}

/// The voice and language for part of a script.
package struct ScriptRole: Hashable, Sendable {
    /// The voice, or nil for the script's main voice.
    package var voice: ScriptVoice?
    /// The language (BCP 47), or nil for the voice's language.
    package var language: String?

    package init(voice: ScriptVoice?, language: String? = nil) {
        self.voice = voice
        self.language = language
    }

    package init(_ style: ScriptStyle) {
        voice = style.voice
        language = style.language
    }
}
