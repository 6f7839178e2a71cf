package import SynthScript
package import SynthSystem

/// A source of the steps to speak. Not thread-safe, except for `stop`.
package protocol TextSource: AnyObject, Sendable {
    /// Returns the next step, or nil after the last one. May block until text arrives.
    func next() throws(SpeechError) -> ScriptStep?

    /// Makes the first utterance short if possible, because a listener is waiting for the first audio. While `isAwaited`
    /// returns true, the first utterance after each interval without text is also shortened. Call this before the first
    /// `next`.
    func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool)

    /// The size of the text in bytes, or nil if it is unknown.
    var byteCount: Int? { get }

    /// The text's file, or nil if the text comes from a pipe or memory.
    var file: RegularFile? { get }

    /// Whether the text is plain text, which may still contain stray markup. False if the text is in a markup format.
    var isPlain: Bool { get }

    /// Stops the source. The current call and all later calls to `next` return nil. Can be called from any thread.
    func stop()
}

extension TextSource {
    package var isPlain: Bool { true }
}

/// A source of utterances from complete plain text.
package final class CompleteText: TextSource {
    package let byteCount: Int?
    package var file: RegularFile? { nil }
    private let script: Monitor<PlainTextScript>

    package init(_ text: String) throws(SpeechError) {
        byteCount = text.utf8.count
        var script = PlainTextScript()
        try script.append(text)
        try script.finish()
        self.script = Monitor(script)
    }

    /// Shortens only the first utterance, because the text is complete.
    package func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) { script.update { $0.limits = .early } }

    package func next() throws(SpeechError) -> ScriptStep? { script.update { $0.next() }.map { .utterance($0) } }

    /// Does nothing, because `next` never blocks.
    package func stop() {}
}

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
    /// - Throws: an error such as `clipUnknown` if a clip without alternative text cannot be found and is not a web
    ///   address; `channelUnavailable` if a clip would play in parallel with the speech.
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

    /// Does nothing, because `next` never blocks.
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
