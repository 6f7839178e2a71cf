/// What a sound file says about itself.
package struct SoundFileTags: Equatable, Sendable {
    package enum Name: Equatable, Sendable {
        case title, author, album
    }

    /// One of several files that belong together; counts from 1.
    package struct Track: Equatable, Sendable {
        package let number: Int
        package let count: Int

        package init(number: Int, count: Int) {
            self.number = number
            self.count = count
        }
    }

    /// Where a chapter lies in the sound.
    package struct Chapter: Equatable, Sendable {
        package let title: String
        /// In seconds; the first chapter begins at 0, and each ends where the next one begins.
        package let start: Double
        package let end: Double

        package init(title: String, start: Double, end: Double) {
            self.title = title
            self.start = start
            self.end = end
        }
    }

    package struct Picture: Equatable, Sendable {
        /// `image/jpeg` or `image/png`.
        package let type: String
        package let bytes: [UInt8]

        package init(type: String, bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
        }
    }

    /// One line without control characters; nil = none.
    package let title: String?
    /// One line without control characters; nil = none.
    package let author: String?
    /// One line without control characters; nil = none.
    package let album: String?
    package var track: Track?
    /// Players jump to them. A WAV file says nothing of them.
    package var chapters: [Chapter] = []
    /// A WAV file has none.
    package var cover: Picture?

    package static let none = SoundFileTags()

    /// The longest text of a tag, in bytes of UTF-8.
    package static let longest = 16_384

    private init() { (title, author, album) = (nil, nil, nil) }

    /// Line breaks and control characters become spaces, because a tag is one line in all formats, and ends at a NUL in
    /// some. A text without anything else is no tag.
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
        // Before it is cleaned, so that the time for that is limited too.
        guard text.utf8.count <= longest else { throw .tagTooLong(name, bytes: text.utf8.count, limit: longest) }
        let line = Self.line(text)
        return line.isEmpty ? nil : line
    }

    /// The text as one line without control characters.
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
