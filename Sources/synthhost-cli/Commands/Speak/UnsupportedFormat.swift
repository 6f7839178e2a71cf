import SynthHost
import System

/// A file's name that promises another format than what is written.
struct UnsupportedFormat {
    let path: String
    /// What people call the format.
    let format: String

    private static let formats = [
        "mp3": "MP3", "ogg": "Ogg", "oga": "Ogg", "opus": "Opus", "flac": "FLAC", "m4a": "AAC", "m4b": "AAC",
        "aac": "AAC", "mp4": "MP4", "wma": "WMA", "aif": "AIFF", "aiff": "AIFF", "au": "AU", "caf": "CAF",
        "w64": "Wave64",
        "amr": "AMR", "ac3": "AC-3", "mka": "Matroska", "webm": "WebM",
    ]

    /// nil = the name promises nothing else than WAV.
    init?(path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            let format = Self.formats[name[name.index(after: dot)...].lowercased()]
        else { return nil }
        self.path = path
        self.format = format
    }

    /// - Parameter words: what names voice and text on the command line.
    func failure(words: [String]) -> CommandFailure {
        let words = (["synthhost", "speak"] + words.map(ShellWord.quoted)).joined(separator: " ")
        // A dash at its beginning would be an option of ffmpeg.
        let file = ShellWord.quoted(path.hasPrefix("-") ? "./\(path)" : path)
        return CommandFailure(
            .usage, "\(path) would be \(format), and synthhost writes WAV only.",
            "ffmpeg makes it: \(words) -o - | ffmpeg -i - \(file)")
    }
}
