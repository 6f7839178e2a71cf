import SynthHost
import VoiceCatalogue

/// The signs before a voice in a list.
enum VoiceMark {
    static let chosen = "*"
    static let favourite = "+"
    static let hidden = "-"

    static func text(_ voice: Voice, isChosen: Bool, _ marks: VoiceMarks) -> String {
        (isChosen ? chosen : "") + (marks.favourites.contains(voice) ? favourite : "")
            + (marks.hidden.contains(voice) ? hidden : "")
    }

    /// What the signs of a list mean, as far as the user set them; nil = there are none.
    static func legend(_ voices: [Voice], _ marks: VoiceMarks) -> String? {
        var parts: [String] = []
        if voices.contains(where: marks.favourites.contains) { parts.append("\(favourite) marks a favourite") }
        if voices.contains(where: marks.hidden.contains) { parts.append("\(hidden) marks a hidden voice") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ") + "."
    }

    /// How many voices a list leaves out because they are hidden, and how to see them; nil = none.
    static func leftOut(_ count: Int, command: String) -> String? {
        switch count {
        case 0: nil
        case 1: "One voice is hidden. To see it, type: \(command)"
        default: "\(count) voices are hidden. To see them, type: \(command)"
        }
    }
}
