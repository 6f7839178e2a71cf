import SynthHost

/// A voice as the server knows it.
struct ListedVoice: Sendable {
    /// One word, and no other voice's.
    let name: String
    let language: String
    /// What it is like: "female1"; nil = not known.
    let type: ModuleVoiceType?
    let voice: SpeechVoice

    /// Voices with their names; of each language the first of a gender are numbered.
    static func all(_ voices: [SpeechVoice]) -> [ListedVoice] {
        var names: Set<String> = []
        var places: [String: Int] = [:]
        return voices.map { voice in
            var name = ModuleWord.name(voice.title)
            if names.contains(name.lowercased()) { name = ModuleWord.name("\(voice.title)_\(voice.engine)") }
            var number = 2
            while names.contains(name.lowercased()) {
                name = ModuleWord.name("\(voice.title)_\(voice.engine)_\(number)")
                number += 1
            }
            names.insert(name.lowercased())
            let place = "\(voice.language.lowercased()) \(voice.gender ?? "")"
            defer { places[place, default: 0] += 1 }
            return ListedVoice(
                name: name, language: ModuleWord.name(voice.language),
                type: ModuleVoiceType(gender: voice.gender, place: places[place, default: 0]), voice: voice)
        }
    }

    static func mainLanguage(_ tag: String) -> String { tag.prefix { $0 != "-" && $0 != "_" }.lowercased() }

    /// Whether it is of a language, or of one of its kinds.
    func speaks(_ tag: String) -> Bool {
        language.lowercased() == tag.lowercased() || Self.mainLanguage(language) == tag.lowercased()
    }

    /// As the server's list has it.
    var line: String { "\(name)\t\(language)\t\(type?.rawValue ?? "none")" }
}
