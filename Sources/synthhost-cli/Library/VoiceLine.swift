package import SynthCatalogue
package import SynthHost
import SynthCommandSyntax
import SynthSystem

/// A voice in one line of a question: "Heart (American), en-US, female, grade A, 326 MB".
package enum VoiceLine {
    /// The line of a voice.
    package static func text(_ voice: Voice, _ library: VoiceLibrary) -> String {
        let condition = library.condition(of: voice)
        let size = library.isComplete(voice) ? condition.words : library.missingWords(of: voice)
        let parts = [voice.title, voice.language, voice.gender?.rawValue, quality(voice), size]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// The width of the column for a state without its reason: "not downloaded".
    package static let stateWidth = 15

    /// The quality in words; nil if it is unknown.
    package static func quality(_ voice: Voice) -> String? {
        let quality = voice.quality?.replacing("_", with: " ") ?? voice.grade.map { "grade \($0)" }
        // The default precision is not mentioned.
        let precision = voice.model?.variantOf == nil ? nil : voice.model?.precision
        return quality == nil ? precision : [quality, precision].compactMap { $0 }.joined(separator: ", ")
    }

    /// Its size on disk if it is installed, otherwise the download size; nil if there is none.
    package static func size(of voice: Voice, _ condition: VoiceCondition, _ library: VoiceLibrary) -> String? {
        switch condition {
        case .builtIn, .unsupported, .damaged: nil
        case .ready: library.diskUse(of: voice).map { ByteCount.words($0.size) }
        case .notDownloaded, .engineMissing: library.missingWords(of: voice)
        }
    }
}

/// The signs before a voice in a list.
package enum VoiceMark {
    static let chosen = "*"
    static let favourite = "+"
    static let hidden = "-"

    /// The signs of a voice, or an empty text.
    package static func text(_ voice: Voice, isChosen: Bool, _ marks: VoiceMarks) -> String {
        (isChosen ? chosen : "") + (marks.favourites.contains(voice) ? favourite : "")
            + (marks.hidden.contains(voice) ? hidden : "")
    }

    /// The legend of the signs in a list; nil = the list has none.
    package static func legend(_ voices: [Voice], _ marks: VoiceMarks) -> String? {
        var parts: [String] = []
        if voices.contains(where: marks.favourites.contains) { parts.append("\(favourite) marks a favourite") }
        if voices.contains(where: marks.hidden.contains) { parts.append("\(hidden) marks a hidden voice") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ") + "."
    }

    /// The number of voices that a list omits because they are hidden, and how to see them; nil = none.
    package static func leftOut(_ count: Int, command: String) -> String? {
        switch count {
        case 0: nil
        case 1: "One voice is hidden. To see it, type: \(command)"
        default: "\(count) voices are hidden. To see them, type: \(command)"
        }
    }
}
