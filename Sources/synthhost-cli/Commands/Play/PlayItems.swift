import SynthHost

/// Makes the items of a queue out of the files of `play`.
struct PlayItems {
    /// nil = nothing is spoken.
    let session: SpeechSession?
    let settings: SpokenSettings
    let clips: ClipLibrary
    /// Of recorded sounds.
    let gain: SoundLevel

    /// - Throws: what a text names that is not there: a clip, a voice.
    func items(of input: PlayInput) throws(SpeechFailure) -> [SpeechQueue.Item] {
        switch input.content {
        case .sound(let file): return [.clip(input.name, file, gain: gain)]
        case .script(let script, let scope):
            guard let session else { return [] }
            // Kept from one stretch to the next, so that no voice is loaded twice.
            let cast = try session.cast(of: script)
            return try ScriptItems(clips: clips.with(scope), gain: gain) { [settings] parts in
                .speech(making: { () throws(SpeechFailure) in
                    let stretch = try ScriptSource(script.stretch(parts))
                    return settings.speech(of: stretch, by: session, cast)
                })
            }.items(of: script.parts)
        }
    }
}
