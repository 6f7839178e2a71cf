/// The metadata of an audio file.
package struct SoundFileTags: Equatable, Sendable {
    package enum Name: Equatable, Sendable {
        case title, author, album
    }

    /// The position in a set of files, starting at 1.
    package struct Track: Equatable, Sendable {
        package let number: Int
        package let count: Int

        package init(number: Int, count: Int) {
            self.number = number
            self.count = count
        }
    }

    /// A chapter in the audio.
    package struct Chapter: Equatable, Sendable {
        package let title: String
        /// The start in seconds. The first chapter starts at 0, and each chapter ends where the next one starts.
        package let start: Double
        package let end: Double

        package init(title: String, start: Double, end: Double) {
            self.title = title
            self.start = start
            self.end = end
        }
    }

    /// An image in a format that audio files can contain.
    package struct Picture: Equatable, Sendable {
        /// `image/jpeg` or `image/png`.
        package let type: String
        package let bytes: [UInt8]

        package init(type: String, bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
        }
    }

    /// The title as one line without control characters, or nil if there is none.
    package let title: String?
    /// The author as one line without control characters, or nil if there is none.
    package let author: String?
    /// The album as one line without control characters, or nil if there is none.
    package let album: String?
    package var track: Track?
    /// Chapters that players can jump to. Not written to WAV files.
    package var chapters: [Chapter] = []
    /// The cover image. Not written to WAV files.
    package var cover: Picture?

    package static let none = SoundFileTags()

    /// The maximum length of a tag in UTF-8 bytes.
    package static let longest = 16_384

    private init() { (title, author, album) = (nil, nil, nil) }

    /// Creates tags. Line breaks and control characters are replaced with spaces, because a tag is a single line in all
    /// formats, and ends at a NUL in some formats. Tags that are empty after the replacement are ignored.
    ///
    /// - Throws: `tagTooLong`.
    package init(title: String? = nil, author: String? = nil, album: String? = nil) throws(AudioError) {
        self.title = try Self.line(title, .title)
        self.author = try Self.line(author, .author)
        self.album = try Self.line(album, .album)
    }

    var isEmpty: Bool { self == .none }

    private static func line(_ text: String?, _ name: Name) throws(AudioError) -> String? {
        guard let text else { return nil }
        // Check the length first to limit the time spent replacing characters.
        guard text.utf8.count <= longest else { throw .tagTooLong(name, bytes: text.utf8.count, limit: longest) }
        let line = Self.line(text)
        return line.isEmpty ? nil : line
    }

    /// Returns the text as one line without control characters.
    static func line(_ text: String) -> String {
        let words = text.unicodeScalars.split { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: true
            default: scalar == " "
            }
        }
        return words.map { String($0) }.joined(separator: " ")
    }
}
