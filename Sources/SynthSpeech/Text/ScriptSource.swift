package import SynthScript
package import SynthSystem

/// Steps of a script, of which only what is needed for the next one is read.
package final class ScriptSource: TextSource {
    package let byteCount: Int?
    package let file: RegularFile?
    /// The voices and languages that it asks for, each once, in the order in which they come.
    package let roles: [ScriptRole]
    /// Whether a pronunciation stands in it without words that could be said instead.
    package let hasBarePhonemes: Bool
    package let clips: ScriptClips
    package let isPlain: Bool
    private let plan: Monitor<ScriptPlan>

    /// - Parameters:
    ///   - clips: what names of clips mean; nothing without it.
    ///   - file: that the document is from; nil = none.
    /// - Throws: `clip` if one is not there and nothing is said instead; `channel` for one that sounds beside the speech.
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
        plan = Monitor(ScriptPlan(clips.reader(of: try script.reader()), characters: script.characters))
        isPlain = script.isPlain
    }

    /// The text is there: nothing of it comes after a while.
    package func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) { plan.update { $0.limits = .early } }

    package func next() throws(SpeechError) -> ScriptStep? {
        try rethrowing(plan.update { plan throws(ScriptError) in try plan.next() }, as: ScriptError.asSpeechError)
    }

    /// `next` never blocks.
    package func stop() {}
}

/// Who speaks a part of a script.
package struct ScriptRole: Hashable, Sendable {
    /// nil = the voice that speaks the script.
    package var voice: ScriptVoice?
    /// BCP-47; nil = the voice's own.
    package var language: String?

    package init(voice: ScriptVoice?, language: String? = nil) {
        self.voice = voice
        self.language = language
    }

    package init(_ style: ScriptStyle) {
        voice = style.voice
        language = style.language
    }

    /// Each role once, in the order in which they come.
    static func all(in parts: [ScriptPart]) -> [ScriptRole] {
        var seen: Set<ScriptRole> = []
        var rest = Array(parts.reversed())
        var roles: [ScriptRole] = []
        while let part = rest.popLast() {
            switch part {
            case .text(let text):
                let role = ScriptRole(text.style)
                if seen.insert(role).inserted { roles.append(role) }
            case .clip(let clip): rest += clip.alternative.reversed()
            case .silence, .mark, .end: break
            }
        }
        return roles
    }
}
