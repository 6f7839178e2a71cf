import CSynthEspeakNG
import EngineKit

/// A voice from libespeak-ng's list.
struct EspeakVoice: Sendable {
    /// A language that a voice speaks. A lower rank is a better match.
    struct Language: Sendable {
        let tag: String
        let rank: UInt8
    }

    /// The path of the voice file within the voices folder, such as "gmw/en-US". libespeak-ng selects the voice by this
    /// path.
    let identifier: String
    /// The full name, such as "English (America)".
    let fullName: String
    /// The language tags in lowercase, the primary one first.
    let languages: [Language]
    let gender: EngineVoice.Gender
    /// The file name in lowercase, made unique by the catalogue.
    var id: String

    init?(_ voice: espeak_VOICE) {
        guard let identifier = voice.identifier, let name = voice.name, var next = voice.languages else { return nil }
        self.identifier = String(cString: identifier)
        fullName = String(cString: name)
        var languages: [Language] = []
        while next.pointee != 0 {
            let tag = String(cString: next + 1)
            languages.append(Language(tag: tag.lowercased(), rank: UInt8(bitPattern: next.pointee)))
            next += 1 + tag.utf8.count + 1
        }
        self.languages = languages
        gender =
            switch voice.gender {
            case 1: .male
            case 2: .female
            default: .unsaid
            }
        id = String(self.identifier.split(separator: "/").last ?? "").lowercased()
    }

    func engineVoice(speakers: [String]) -> EngineVoice {
        let (name, accent) = Self.split(fullName)
        return EngineVoice(
            id: id, name: name, language: Self.canonical(languages.first?.tag ?? "und"), accent: accent, gender: gender,
            model: "espeak-ng", speakers: speakers)
    }

    /// Splits "English (America)" into "English" and "America".
    private static func split(_ fullName: String) -> (name: String, accent: String?) {
        let parts = fullName.split(separator: "(", maxSplits: 1).map { trim($0) }
        guard parts.count == 2, let name = parts.first, let accent = parts.last, accent.hasSuffix(")") else {
            return (trim(fullName[...]), nil)
        }
        return (name, String(accent.dropLast()))
    }

    private static func trim(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// The BCP 47 tag in canonical letter case: "zh-Hans-CN". Subtags after a single-letter subtag stay lowercase.
    private static func canonical(_ tag: String) -> String {
        var isExtension = false
        return tag.split(separator: "-").enumerated().map { index, part in
            isExtension = isExtension || index > 0 && part.count == 1
            guard index > 0, !isExtension else { return String(part) }
            switch part.count {
            case 2: return part.uppercased()
            case 4 where part.first?.isNumber == false: return part.prefix(1).uppercased() + part.dropFirst()
            default: return String(part)
            }
        }.joined(separator: "-")
    }
}
