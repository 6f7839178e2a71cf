import CSynthEngine

/// The voices of the installed engine as C structs, made when they are first asked for.
struct VoiceList: Sendable {
    let voices: PermanentCopy<synth_voice>
    let count: Int

    static let shared = VoiceList()

    private init() {
        var structs: [synth_voice] = []
        do {
            let voices = try Installation.current?.engine.voices() ?? []
            structs.reserveCapacity(voices.count)
            var names: [String] = []
            var shared: PermanentCopy<UnsafePointer<CChar>?>?
            for voice in voices {
                if voice.speakers != names {
                    names = voice.speakers
                    shared = PermanentCopy(names.map { UnsafePointer?(PermanentCopy($0).pointer) })
                }
                structs.append(synth_voice(voice, speakers: voice.speakers.isEmpty ? nil : shared))
            }
        } catch {
            EngineLog.warning("The voices cannot be listed: \(error)")
        }
        count = structs.count
        voices = PermanentCopy(structs)
    }
}
