package import SynthAudio
import System

/// What is to become of a book: a folder of files, or one file.
package struct BookTarget: Equatable, Sendable {
    package enum Form: Equatable, Sendable {
        /// A file for each chapter.
        case folder
        /// One file with marks for the chapters.
        case file
    }

    package let path: String
    package let form: Form
    /// With a converter, of what it is given.
    package let format: SoundFileFormat
    /// The path of ffmpeg, which makes an M4B of it; nil = that is not asked for.
    package let converter: String?
    /// nil = none are asked for.
    package let subtitles: SubtitleFormat?
    /// 0 to 10.
    package let quality: Int
    package let loudness: BookLoudness

    package init(
        path: String, form: Form, format: SoundFileFormat, quality: Int, loudness: BookLoudness,
        converter: String? = nil, subtitles: SubtitleFormat? = nil
    ) {
        self.converter = converter
        self.subtitles = subtitles
        self.path = path
        self.form = form
        self.format = format
        self.quality = quality
        self.loudness = loudness
    }

    /// Where its parts are kept until it is whole, and what of it is whole.
    package var workFolder: String {
        switch form {
        case .folder: path.child(".synthhost-book")
        case .file:
            LinkTarget.folder(of: path).child(".\(path.split(separator: "/").last ?? "book").synthhost-book")
        }
    }
}

/// How loud each chapter is.
package struct BookLoudness: Codable, Equatable, Sendable {
    /// In LUFS; nil = as it was spoken.
    package let value: Double?

    /// What audiobooks with one channel have.
    package static let usual = BookLoudness(value: -19)

    private init(value: Double?) { self.value = value }

    /// "-19", "off"
    package init?(_ text: String) {
        if text == "off" {
            self.init(value: nil)
        } else {
            guard let value = Double(text), (-40...(-10)).contains(value) else { return nil }
            self.init(value: value)
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
