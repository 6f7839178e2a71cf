package import SynthAudio
import SynthSystem

/// What is to become of a book: a folder of files, or one file.
package struct BookTarget: Equatable, Sendable {
    package enum Form: Equatable, Sendable {
        /// A file for each chapter.
        case folder
        /// One file with marks for the chapters.
        case file
    }

    /// What the file of a whole book is.
    package enum Container: Equatable, Sendable {
        /// One of sound.
        case sound
        /// An M4B, which ffmpeg makes; its path.
        case audiobook(ffmpeg: String)
        /// Text and sound together.
        case epub
    }

    package let path: String
    package let form: Form
    /// In a container, of the sound in it or that it is made of.
    package let format: SoundFileFormat
    package let container: Container
    /// nil = none are asked for.
    package let subtitles: SubtitleFormat?
    /// 0 to 10.
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

    /// The ending of the files that say when the words of a part sound; nil = that is not asked for.
    package var timings: String? { container == .epub ? "times.json" : subtitles?.rawValue }

    /// Where its parts are kept until it is whole, and what of it is whole.
    package var workFolder: String {
        switch form {
        case .folder: path.child(".synthhost-book")
        case .file:
            LinkTarget.folder(of: path).child(".\(path.split(separator: "/").last ?? "book").synthhost-book")
        }
    }
}

/// A format of subtitles. The raw value is its ending, without the dot.
package enum SubtitleFormat: String, CaseIterable, Equatable, Sendable {
    /// SubRip.
    case srt
    /// WebVTT.
    case vtt
}

/// How loud each chapter is.
package struct BookLoudness: Codable, Equatable, Sendable {
    private enum Kind: Codable, Equatable {
        case usual
        case asSpoken
        /// In LUFS.
        case asked(Double)
    }
    private let kind: Kind

    /// What audiobooks have: two channels that are the same sound as loud as one with so much less.
    package static let usual = BookLoudness(kind: .usual)

    private init(kind: Kind) { self.kind = kind }

    /// "-19", "off"
    package init?(_ text: String) {
        if text == "off" {
            kind = .asSpoken
        } else {
            guard let value = Double(text), (-40...(-10)).contains(value) else { return nil }
            kind = .asked(value)
        }
    }

    /// In LUFS; nil = as it was spoken.
    package func value(channels: Int) -> Double? {
        switch kind {
        case .usual: channels == 1 ? -19 : -16
        case .asSpoken: nil
        case .asked(let value): value
        }
    }
}

/// The names of the files of a book in a folder.
package enum BookNames {
    /// Bytes of UTF-8 in a name, of the 255 that a file system takes.
    private static let longest = 160

    /// "03 The Window.opus": the numbers have as many digits as the last one.
    package static func file(of number: Int, count: Int, title: String?, _ format: SoundFileFormat) -> String {
        let prefix = padded(number, max(2, String(count).utf8.count))
        let title = title.map { cleaned($0) } ?? ""
        return (title.isEmpty ? prefix : "\(prefix) \(title)") + ".\(format.rawValue)"
    }

    /// Without what a file system, or another one that it may be copied to, does not take.
    package static func cleaned(_ title: String) -> String {
        let kept = title.unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: " "
            // What turns the direction of writing hides the ending of a name. What joins letters is part of words.
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
        // Windows drops dots and spaces at the end.
        while let last = name.last, last == " " || last == "." { name.removeLast() }
        return name
    }
}
