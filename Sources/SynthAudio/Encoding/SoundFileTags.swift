/// What a sound file says about itself.
package struct SoundFileTags: Hashable, Sendable {
    package enum Name: Hashable, Sendable {
        case title, author
    }

    /// One line without control characters; nil = none.
    package let title: String?
    /// One line without control characters; nil = none.
    package let author: String?

    package static let none = SoundFileTags()

    /// The longest text of a tag, in bytes of UTF-8.
    package static let longest = 16_384

    private init() { (title, author) = (nil, nil) }

    /// Line breaks and control characters become spaces, because a tag is one line in all formats, and ends at a NUL in
    /// some. A text without anything else is no tag.
    ///
    /// - Throws: `tagTooLong`.
    package init(title: String? = nil, author: String? = nil) throws(AudioError) {
        self.title = try Self.line(title, .title)
        self.author = try Self.line(author, .author)
    }

    var isEmpty: Bool { title == nil && author == nil }

    private static func line(_ text: String?, _ name: Name) throws(AudioError) -> String? {
        guard let text else { return nil }
        // Before it is cleaned, so that the time for that is limited too.
        guard text.utf8.count <= longest else { throw .tagTooLong(name, bytes: text.utf8.count, limit: longest) }
        let words = text.unicodeScalars.split { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: true
            default: scalar == " "
            }
        }
        let line = words.map { String($0) }.joined(separator: " ")
        return line.isEmpty ? nil : line
    }
}
