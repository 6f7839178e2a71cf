import SynthAudio
import SynthHost
import System

/// The name of an output file whose ending means a format that cannot be written.
struct UnsupportedFormat {
    let path: String
    /// What people call the format.
    let format: String

    private static let formats = [
        "m4a": "AAC", "m4b": "AAC", "aac": "AAC", "mp4": "MP4", "wma": "WMA", "aif": "AIFF", "aiff": "AIFF",
        "au": "AU", "caf": "CAF", "w64": "Wave64",
        "amr": "AMR", "ac3": "AC-3", "mka": "Matroska", "webm": "WebM",
    ]

    /// nil if the ending means a format that can be written, or none that is known.
    init?(path: String) {
        guard let ending = SoundFileFormat.ending(of: path), let format = Self.formats[ending.lowercased()] else {
            return nil
        }
        self.path = path
        self.format = format
    }

    private static let written = SoundFileFormat.allCases.map(\.title)

    /// - Parameter words: the words of the command line for the command, the voice and the text.
    func failure(words: [String]) -> CommandFailure {
        let words = (["synthhost"] + words.map(ShellWord.quoted)).joined(separator: " ")
        // ffmpeg would take a name with a leading dash for an option.
        let file = ShellWord.quoted(path.hasPrefix("-") ? "./\(path)" : path)
        return CommandFailure(
            .usage, "\(path) would be \(format), and synthhost writes \(Wording.all(Self.written)).",
            "ffmpeg makes it: \(words) -o - | ffmpeg -i - \(file)")
    }
}
