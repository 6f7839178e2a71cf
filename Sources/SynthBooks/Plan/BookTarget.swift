package import SynthAudio
import SynthSystem

/// A book's output: a folder of files or a single file.
package struct BookTarget: Equatable, Sendable {
    /// The layout of the output.
    package enum Form: Equatable, Sendable {
        /// One file for each chapter.
        case folder
        /// One file with chapter marks.
        case file
    }

    /// The file type of a single-file book.
    package enum Container: Equatable, Sendable {
        case sound
        /// An M4B file. The associated value is the path of ffmpeg, which creates the file.
        case audiobook(ffmpeg: String)
        /// An EPUB with text and audio.
        case epub
    }

    package let path: String
    package let form: Form
    /// The audio format. For an EPUB, this is the format of the audio inside it; for an M4B file, it is the format of
    /// the audio that ffmpeg converts.
    package let format: SoundFileFormat
    package let container: Container
    /// The subtitle format, or nil for no subtitles.
    package let subtitles: SubtitleFormat?
    /// The encoder quality, from 0 to 10.
    package let quality: Int
    package let loudness: BookLoudness

    package init(
        path: String, form: Form, format: SoundFileFormat, quality: Int, loudness: BookLoudness,
        container: Container = .sound, subtitles: SubtitleFormat? = nil
    ) {
        self.container = container
        self.subtitles = subtitles
        self.path = path
        self.form = form
        self.format = format
        self.quality = quality
        self.loudness = loudness
    }

    /// The file extension for the timings of a part, or nil if no timings are needed.
    package var timings: String? { container == .epub ? "times.json" : subtitles?.rawValue }

    /// The folder for the parts and records of an unfinished book.
    package var workFolder: String {
        switch form {
        case .folder: path.child(".synthhost-book")
        case .file:
            LinkTarget.folder(of: path).child(".\(path.split(separator: "/").last ?? "book").synthhost-book")
        }
    }
}

/// A subtitle format. The raw value is the file extension without the dot.
package enum SubtitleFormat: String, CaseIterable, Equatable, Sendable {
    /// SubRip subtitles.
    case srt
    /// WebVTT subtitles.
    case vtt
}

/// The target loudness of each chapter.
package struct BookLoudness: Codable, Equatable, Sendable {
    private enum Kind: Codable, Equatable {
        case usual
        case asSpoken
        case asked(Double)
    }
    private let kind: Kind

    /// The usual loudness of audiobooks: -19 LUFS in mono and -16 LUFS in stereo. Both are perceived as equally loud.
    package static let usual = BookLoudness(kind: .usual)

    private init(kind: Kind) { self.kind = kind }

    /// Parses "-19" or "off".
    package init?(_ text: String) {
        if text == "off" {
            kind = .asSpoken
        } else {
            guard let value = Double(text), (-40...(-10)).contains(value) else { return nil }
            kind = .asked(value)
        }
    }

    /// The loudness in LUFS, or nil to leave the audio's loudness unchanged.
    package func value(channels: Int) -> Double? {
        switch kind {
        case .usual: channels == 1 ? -19 : -16
        case .asSpoken: nil
        case .asked(let value): value
        }
    }
}

/// The file names of a book in a folder.
package enum BookNames {
    /// The maximum title length in UTF-8 bytes. File systems limit the entire file name to 255 bytes.
    private static let longest = 160

    /// Builds a name such as "03 The Window.opus". Numbers are zero-padded to the width of the last number.
    package static func file(of number: Int, count: Int, title: String?, _ format: SoundFileFormat) -> String {
        let prefix = padded(number, max(2, String(count).utf8.count))
        let title = title.map { cleaned($0) } ?? ""
        return (title.isEmpty ? prefix : "\(prefix) \(title)") + ".\(format.rawValue)"
    }

    /// Removes characters that are not allowed on this file system or on one to which the file may later be copied.
    package static func cleaned(_ title: String) -> String {
        let kept = title.unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: " "
            // Remove characters that change the text direction, because they could disguise the file extension. Keep
            // joiners, because they are parts of words.
            case .format: [0x200C, 0x200D].contains(scalar.value) ? scalar : nil
            default: #"/\:*?"<>|"#.unicodeScalars.contains(scalar) || scalar.properties.isWhitespace ? " " : scalar
            }
        }
        var name = ""
        for character in String(String.UnicodeScalarView(kept)) {
            if character == " ", name.isEmpty || name.hasSuffix(" ") { continue }
            guard name.utf8.count + character.utf8.count <= longest else { break }
            name.append(character)
        }
        // Remove trailing dots and spaces, as Windows does.
        while let last = name.last, last == " " || last == "." { name.removeLast() }
        return name
    }
}
