/// How far a book is.
package enum BookProgress: Equatable, Sendable {
    /// An earlier version, which put texts together otherwise, began the book: everything is spoken again.
    case restarted
    case spoken(BookShare)
    /// The files have to be written that have been spoken.
    case joining
    case file(BookFile)
}

/// How much of what had to be spoken now is spoken. No number is ever less than before, but for another chapter.
package struct BookShare: Equatable, Sendable {
    /// Of `total`.
    package var words = 0.0
    package var total: Int
    /// That is being spoken; which of how many that were not whole.
    package var chapter = 1
    package var chapterCount: Int
    /// Of this chapter, from 0 to 1.
    package var ofChapter = 0.0
    /// How long the parts are that are whole.
    package var seconds = 0.0
}

/// A file of a book that is whole.
package struct BookFile: Equatable, Sendable {
    package let path: String
    /// nil = it is the whole book.
    package let chapter: Int?
    package let title: String?
    package let seconds: Double
    /// Whether it was whole before.
    package let isKept: Bool
}

/// What became of a book.
package struct BookOutcome: Equatable, Sendable {
    package var files: [BookFile] = []
    /// Spoken now.
    package var seconds = 0.0
    package var wasCancelled = false
}

/// How many words of those that are missing were spoken.
struct SpokenWords {
    private(set) var share: BookShare
    private let chapters: [Int: (place: Int, words: Int)]
    private var before = 0
    private var beforeOfChapter = 0
    private var chapter = 0

    init(_ missing: [BookPart]) {
        var chapters: [Int: (place: Int, words: Int)] = [:]
        for part in missing {
            let place = chapters.count + 1
            chapters[part.chapter, default: (place, 0)].words += part.words
        }
        self.chapters = chapters
        share = BookShare(total: missing.reduce(0) { $0 + $1.words }, chapterCount: chapters.count)
    }

    /// - Parameter words: of the part that is spoken. One that is spoken again does not go back.
    mutating func reached(_ words: Double, of part: BookPart) {
        guard let own = chapters[part.chapter] else { return }
        if chapter != part.chapter { (chapter, beforeOfChapter, share.ofChapter) = (part.chapter, 0, 0) }
        share.chapter = own.place
        share.ofChapter = max(
            share.ofChapter, min(1, (Double(beforeOfChapter) + words) / Double(max(1, own.words))))
        share.words = max(share.words, min(Double(share.total), Double(before) + words))
    }

    mutating func end(_ part: BookPart, seconds: Double) {
        reached(Double(part.words), of: part)
        before += part.words
        beforeOfChapter += part.words
        share.seconds += seconds
    }
}
