package import ModelStore

extension VoiceDirectory {
    /// The shortest thing to type that means this voice of its engine: its name, else its title, else its id.
    package func word(for voice: Voice) -> String {
        let others = voices.filter { $0.engine == voice.engine }
        let words = [voice.name, voice.title]
        return words.first { (try? VoiceMatch.only($0, among: others, language: nil))?.folder == voice.folder }
            ?? voice.id
    }

    /// The voice that a newcomer is offered first.
    package var recommended: Voice? { voices.first(where: \.isRecommended) ?? starters.first }

    /// The voices that a newcomer is offered, the recommended one first.
    package var starters: [Voice] {
        voices.filter { $0.starter != nil }.sorted { ($0.starter ?? 0, $0.id) < ($1.starter ?? 0, $1.id) }
    }

    /// The one voice that a name means among voices of any engine, installed or not.
    package static func find(_ name: String, among voices: [Voice]) throws(VoiceError) -> Voice {
        if let voice = try VoiceMatch.only(name, among: voices, language: nil) { return voice }
        let known = Set(voices.flatMap { [$0.name, $0.title, $0.id] })
        throw .unknownVoice(name, near: NearMiss.nearest(to: name, among: known.sorted()))
    }
}
