import SynthCatalogue
import SynthHost
import SynthCommandSyntax
import SynthSystem
import SynthTerminal

/// Formats a voice as a single line, such as "Heart (American), en-US, female, grade A, 326 MB".
enum VoiceLine {
    /// The line for a voice.
    static func text(_ voice: Voice, _ library: VoiceLibrary, _ localized: PhraseBook = .english) -> String {
        let size =
            library.isComplete(voice)
            ? localized(Phrase(key: library.stateWords(of: voice))) : missing(of: voice, library, localized)
        let parts = [
            voice.title, voice.language, voice.gender.map { localized($0.word) }, quality(voice, localized), size,
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// The width of the state column if it shows states such as "not downloaded" without reasons.
    static let stateWidth = 15

    /// The quality as text, or nil if it is unknown.
    static func quality(_ voice: Voice, _ localized: PhraseBook = .english) -> String? {
        let quality =
            voice.quality.map { localized(Phrase(key: $0.replacing("_", with: " "))) }
            ?? voice.grade.map { localized("grade \($0)") }
        // Omit the default precision.
        let precision = voice.model?.variantOf == nil ? nil : voice.model?.precision
        return quality == nil ? precision : [quality, precision].compactMap { $0 }.joined(separator: ", ")
    }

    /// The size on disk of an installed voice, or the download size of any other voice. nil if the voice has no files.
    static func size(of voice: Voice, _ library: VoiceLibrary, _ localized: PhraseBook = .english) -> String? {
        switch library.state(of: voice) {
        case .ready where library.isBuiltIn(voice): nil
        case .ready: library.diskUse(of: voice).map { localized(number: ByteCount.words($0.size)) }
        case .unusable(let error) where error.code != .voiceWithoutEngine: nil
        default: missing(of: voice, library, localized)
        }
    }

    /// The remaining download size, such as "5.4 MB", or "4.0 MB left of 5.4 MB" if some of it has been downloaded.
    static func missing(of voice: Voice, _ library: VoiceLibrary, _ localized: PhraseBook = .english) -> String {
        let (missing, whole) = (library.missingBytes(of: voice), voice.downloadSize)
        let size = localized(number: ByteCount.words(whole))
        return missing < whole
            ? localized("\(localized(number: ByteCount.words(missing))) left of \(size)") : size
    }
}

extension Voice {
    /// The members that `voices --json` and `models list --json` have in common.
    func json(in library: VoiceLibrary, chosen: Voice?) -> JSONMembers {
        [
            "engine": engine, "id": id, "name": name, "accent": accent, "language": language, "quality": quality,
            "grade": grade, "license": license, "chosen": folder == chosen?.folder,
            "favorite": library.marks.favorites.contains(self), "hidden": library.marks.hidden.contains(self),
        ]
    }
}

extension Gender {
    var word: Phrase {
        switch self {
        case .female: "female"
        case .male: "male"
        case .neutral: "neutral"
        }
    }
}

extension SpeechVoice.State {
    /// The machine-readable state: "ready", "notDownloaded", "damaged", "unsupported" or "engineMissing".
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
enum ListMark {
    static let chosen = "*"
    static let favorite = "+"
    static let hidden = "-"

    /// The marks of a voice, or an empty string if there are none.
    static func text(_ voice: Voice, isChosen: Bool, _ marks: VoiceMarks) -> String {
        (isChosen ? chosen : "") + (marks.favorites.contains(voice) ? favorite : "")
            + (marks.hidden.contains(voice) ? hidden : "")
    }

    /// The legend for the marks in a list, or nil if there are none.
    static func legend(_ voices: [Voice], _ marks: VoiceMarks) -> String? {
        var parts: [String] = []
        if voices.contains(where: marks.favorites.contains) { parts.append("\(favorite) marks a favorite") }
        if voices.contains(where: marks.hidden.contains) { parts.append("\(hidden) marks a hidden voice") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ") + "."
    }

    /// A sentence that says how many voices are hidden and which command shows them, or nil if none are hidden.
    static func leftOut(_ count: Int, command: String) -> String? {
        switch count {
        case 0: nil
        case 1: "One voice is hidden. To see it, type: \(command)"
        default: "\(count) voices are hidden. To see them, type: \(command)"
        }
    }
}
