import EngineKit

/// The languages of Kokoro's voices.
package enum KokoroLanguage: Character, Sendable, CaseIterable {
    /// The raw value is the first letter of the language's voice IDs.
    case american = "a"
    case british = "b"
    case spanish = "e"
    case french = "f"
    case hindi = "h"
    case italian = "i"
    case japanese = "j"
    case portuguese = "p"
    case mandarin = "z"

    /// The espeak-ng voice for the language; `nil` if the voice's phonemes differ from those in the model's training
    /// data.
    package var espeakVoice: String? {
        switch self {
        case .american: "en-us"
        case .british: "en-gb"
        case .spanish: "es"
        case .french: "fr-fr"
        case .hindi: "hi"
        case .italian: "it"
        case .portuguese: "pt-br"
        case .japanese, .mandarin: nil
        }
    }

    var name: String {
        switch self {
        case .american: "American English"
        case .british: "British English"
        case .spanish: "Spanish"
        case .french: "French"
        case .hindi: "Hindi"
        case .italian: "Italian"
        case .japanese: "Japanese"
        case .portuguese: "Brazilian Portuguese"
        case .mandarin: "Mandarin Chinese"
        }
    }

    package var isEnglish: Bool { self == .american || self == .british }

    /// The primary subtag of the language's BCP 47 tag.
    private var primaryTag: String {
        switch self {
        case .american, .british: "en"
        case .spanish: "es"
        case .french: "fr"
        case .hindi: "hi"
        case .italian: "it"
        case .japanese: "ja"
        case .portuguese: "pt"
        case .mandarin: "zh"
        }
    }

    /// Determines the language of a request: the language of the text, in the voice's variety if possible.
    ///
    /// - Parameters:
    ///   - voice: The voice's ID, such as “af_heart”: the first letter is the language, the second is f or m.
    ///   - tag: A BCP 47 tag; `nil` selects the voice's language.
    init(voice: String, tag: String?) throws(EngineError) {
        let own = Self(voice: voice)
        guard let tag, !tag.isEmpty else {
            guard let own else {
                throw EngineError(
                    .badRequest, "The language of the voice \"\(voice)\" is unknown. Specify it, as in -l en-US.")
            }
            self = own
            return
        }
        let parts = tag.lowercased().split { $0 == "-" || $0 == "_" }
        let fitting = Self.allCases.filter { $0.primaryTag == parts.first.map(String.init) }
        guard let first = fitting.first else {
            let known = Self.allCases.filter { $0.espeakVoice != nil }.map(\.name).joined(separator: ", ")
            throw EngineError(.badRequest, "Kokoro does not speak the language \"\(tag)\". It speaks \(known).")
        }
        if let own, fitting.contains(own) {
            self = own
        } else {
            self = first == .american && parts.contains("gb") ? .british : first
        }
    }

    private init?(voice: String) {
        let letters = Array(voice)
        guard letters.count > 3, letters[2] == "_", letters[1] == "f" || letters[1] == "m" else { return nil }
        self.init(rawValue: letters[0])
    }
}
