package import SynthCatalogue
package import SynthHost
import SynthCommandSyntax
import SynthSystem

/// A voice as a single line, such as "Heart (American), en-US, female, grade A, 326 MB".
package enum VoiceLine {
    /// The line for a voice.
    package static func text(_ voice: Voice, _ library: VoiceLibrary) -> String {
        let size = library.isComplete(voice) ? library.stateWords(of: voice) : library.missingWords(of: voice)
        let parts = [voice.title, voice.language, voice.gender?.rawValue, quality(voice), size]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// The width of the state column without reasons, such as "not downloaded".
    package static let stateWidth = 15

    /// The quality as text, or nil if it is unknown.
    package static func quality(_ voice: Voice) -> String? {
        let quality = voice.quality?.replacing("_", with: " ") ?? voice.grade.map { "grade \($0)" }
        // Omit the default precision.
        let precision = voice.model?.variantOf == nil ? nil : voice.model?.precision
        return quality == nil ? precision : [quality, precision].compactMap { $0 }.joined(separator: ", ")
    }

    /// The size on disk of an installed voice, or else the download size. nil if there is none.
    package static func size(of voice: Voice, _ library: VoiceLibrary) -> String? {
        switch library.state(of: voice) {
        case .ready where library.isBuiltIn(voice): nil
        case .ready: library.diskUse(of: voice).map { ByteCount.words($0.size) }
        case .unusable(let error) where error.code != .voiceWithoutEngine: nil
        default: library.missingWords(of: voice)
        }
    }
}

extension SpeechVoice.State {
    /// The state for programs: "ready", "notDownloaded", "damaged", "unsupported" or "engineMissing".
    var word: String {
        switch self {
        case .ready: "ready"
        case .unusable(let error) where error.code == .voiceDamaged: "damaged"
        case .unusable(let error) where error.code == .voiceUnsupported: "unsupported"
        case .unusable: "engineMissing"
        default: "notDownloaded"
        }
    }
}

/// The marks next to a voice in a list.
package enum VoiceMark {
    static let chosen = "*"
    static let favourite = "+"
    static let hidden = "-"

    /// The marks of a voice, or an empty string if there are none.
    package static func text(_ voice: Voice, isChosen: Bool, _ marks: VoiceMarks) -> String {
        (isChosen ? chosen : "") + (marks.favourites.contains(voice) ? favourite : "")
            + (marks.hidden.contains(voice) ? hidden : "")
    }

    /// The legend for the marks in a list, or nil if there are none.
    package static func legend(_ voices: [Voice], _ marks: VoiceMarks) -> String? {
        var parts: [String] = []
        if voices.contains(where: marks.favourites.contains) { parts.append("\(favourite) marks a favourite") }
        if voices.contains(where: marks.hidden.contains) { parts.append("\(hidden) marks a hidden voice") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ") + "."
    }

    /// The number of hidden voices that are omitted and the command that shows them, or nil if there are none.
    package static func leftOut(_ count: Int, command: String) -> String? {
        switch count {
        case 0: nil
        case 1: "One voice is hidden. To see it, type: \(command)"
        default: "\(count) voices are hidden. To see them, type: \(command)"
        }
    }
}
