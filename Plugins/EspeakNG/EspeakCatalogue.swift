import EngineKit

/// The installed voices and variants of libespeak-ng. Selects the voice for a request.
struct EspeakCatalogue: Sendable {
    /// The ID of the speaker that represents the voice without a variant. This speaker is listed first, because the
    /// first speaker is the default.
    static let plain = "plain"

    let voices: [EspeakVoice]
    /// The speaker IDs: `plain`, followed by the file names of the variants.
    let speakers: [String]
    private let indexes: [String: Int]

    init(listed: [EspeakVoice], variants: [String]) {
        var voices: [EspeakVoice] = []
        var indexes: [String: Int] = [:]
        for var voice in listed where !voice.identifier.hasPrefix("mb/") {
            let stem = voice.id
            var copies = 1
            while indexes[voice.id] != nil {
                copies += 1
                voice.id = "\(stem)-\(copies)"
            }
            indexes[voice.id] = voices.count
            voices.append(voice)
        }
        self.voices = voices
        self.indexes = indexes
        speakers = [Self.plain] + variants.sorted { $0.lowercased() < $1.lowercased() }
    }

    /// The name by which libespeak-ng selects the voice for a request, such as "gmw/en-US+f3".
    func name(for request: SpeechRequest) throws(EngineError) -> String {
        let voice: EspeakVoice
        if let language = request.language {
            guard let speaking = self.voice(speaking: language, preferring: request.voice.id) else {
                throw EngineError(.badRequest, "eSpeak NG has no voice for the language \"\(language)\".")
            }
            voice = speaking
        } else {
            guard let index = indexes[request.voice.id] else {
                throw EngineError(.badRequest, "eSpeak NG has no voice \"\(request.voice.id)\".")
            }
            voice = voices[index]
        }
        guard let wanted = request.voice.speaker, wanted != Self.plain else { return voice.identifier }
        guard let speaker = speakers.first(where: { $0.lowercased() == wanted.lowercased() }) else {
            throw EngineError(.badRequest, "eSpeak NG has no speaker \"\(wanted)\".")
        }
        return "\(voice.identifier)+\(speaker)"
    }

    /// Returns the preferred voice if it speaks the language. Otherwise, returns the voice whose ID equals the
    /// language, or else the voice with the best rank for the language. If neither exists, repeats the search with the
    /// next, more general language.
    private func voice(speaking language: String, preferring id: String) -> EspeakVoice? {
        var tag = language.lowercased()[...]
        if let index = indexes[id], voices[index].languages.contains(where: { $0.tag == tag }) { return voices[index] }
        while !tag.isEmpty {
            if let index = indexes[String(tag)] { return voices[index] }
            let fitting = voices.compactMap { voice in
                voice.languages.first { $0.tag == tag }.map { (voice: voice, rank: $0.rank) }
            }
            if let best = fitting.min(by: { $0.rank < $1.rank }) { return best.voice }
            tag = tag.prefix(upTo: tag.lastIndex(of: "-") ?? tag.startIndex)
        }
        return nil
    }
}
