extension VoiceDirectory {
    /// The shortest text to type that means only this voice: its name, else its title, else its id.
    package func word(for voice: Voice) -> String {
        let words = [voice.name, voice.title]
        return words.first { (try? VoiceMatch.only($0, among: voices, language: nil))?.folder == voice.folder }
            ?? voice.id
    }

    /// The voices that a new user is offered, the best first: voices of a language, then English ones, then the
    /// starters.
    ///
    /// - Parameter language: BCP-47; nil = not known.
    package func offers(for language: String?) -> [Voice] {
        let known = voices.filter { VoiceRank.isOffered($0) && !hidden.contains($0) }
        var seen: Set<String> = []
        return [
            language.map { VoiceMatch.offered(forLanguage: $0, among: known) } ?? [],
            VoiceMatch.offered(forLanguage: "en", among: known), known.filter(\.isRecommended), starters,
        ].joined().filter { seen.insert($0.folder).inserted }
    }

    /// The starter voices that are not hidden, the recommended one first.
    package var starters: [Voice] { voices.starters.filter { !hidden.contains($0) } }

    /// Whether there is a voice for a BCP-47 tag, or for a more general tag.
    package func speaks(_ language: String) -> Bool { VoiceMatch.best(forLanguage: language, among: voices) != nil }

    /// Suggested tags for an unknown tag or the name of a language.
    package func languages(near text: String) -> [String] {
        let named = voices.filter { $0.name.lowercased() == text.lowercased() }.map(\.language)
        var seen: Set<String> = []
        let tags = named + Suggestions.nearest(to: text, among: Set(voices.map(\.language)).sorted())
        return Array(tags.filter { seen.insert($0).inserted }.prefix(3))
    }

    /// The voice that a name means among voices of any engine, installed or not.
    ///
    /// - Parameters:
    ///   - takesBest: of voices that differ only in quality, the best is taken.
    ///   - hidden: are found, and not suggested.
    package static func find(
        _ name: String, among voices: [Voice], takesBest: Bool = true, hidden: VoiceNames = VoiceNames()
    ) throws(VoiceError) -> Voice {
        if let voice = try VoiceMatch.only(name, among: voices, language: nil, takesBest: takesBest) { return voice }
        throw .unknownVoice(name, near: VoiceMatch.nearest(to: name, among: voices, without: hidden))
    }
}
