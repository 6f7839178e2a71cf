import SynthHost

/// Makes the items of a queue out of the files of `play`.
struct PlayItems {
    private let session: SpeechSession?
    private let settings: SpokenSettings
    private let clips: ClipLibrary
    private let gain: SoundLevel
    private let cast: ScriptCast?

    /// - Parameters:
    ///   - session: nil = nothing is spoken.
    ///   - gain: of recorded sounds.
    init(session: SpeechSession?, settings: SpokenSettings, clips: ClipLibrary, gain: SoundLevel) {
        self.session = session
        self.settings = settings
        self.clips = clips
        self.gain = gain
        cast = session?.cast()
    }

    /// - Throws: what a text names that is not there: a clip, a voice.
    func items(of input: PlayInput) throws(SpeechFailure) -> [SpeechQueue.Item] {
        switch input.content {
        case .sound(let file): return [.clip(input.name, file, gain: gain)]
        case .script(let script, let scope):
            guard let session, let cast else { return [] }
            try cast.add(voicesOf: script)
            return try ScriptItems(clips: clips.with(scope), gain: gain) { [settings] parts in
                .speech(making: { () throws(SpeechFailure) in
                    let stretch = try ScriptSource(script.stretch(parts))
                    return settings.speech(of: stretch, by: session, cast)
                })
            }.items(of: try script.parts())
        }
    }
}
