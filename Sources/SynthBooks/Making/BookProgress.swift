/// A book's progress.
package enum BookProgress: Equatable, Sendable {
    /// The book was started by an earlier version of synthhost, which divided the text differently, so all parts are
    /// synthesized again.
    case restarted
    case spoken(BookShare)
    /// Synthesis is finished, and the files are being written.
    case joining
    case file(BookFile)
}

/// The progress of the parts that are synthesized in this run. Values never decrease, except for `ofChapter` at the start of a chapter.
package struct BookShare: Equatable, Sendable {
    /// The number of words spoken, out of `total`.
    package var words = 0.0
    package var total: Int
    /// The current chapter's position among the `chapterCount` incomplete chapters, starting at 1.
    package var chapter = 1
    package var chapterCount: Int
    /// The completed fraction of this chapter, from 0 to 1.
    package var ofChapter = 0.0
    /// The duration of the completed parts in seconds.
    package var seconds = 0.0
}

/// A finished book file.
package struct BookFile: Equatable, Sendable {
    package let path: String
    /// The chapter number, or nil for the file of a single-file book.
    package let chapter: Int?
    package let title: String?
    package let seconds: Double
    /// Whether the file was already complete before this run.
    package let isKept: Bool
}

/// The result of making a book.
package struct BookOutcome: Equatable, Sendable {
    package var files: [BookFile] = []
    /// The duration, in seconds, of the audio synthesized in this run.
    package var seconds = 0.0
    package var wasCancelled = false
}

/// Counts the words spoken so far in the parts that were missing.
struct SpokenWords {
    private(set) var share: BookShare
    private let chapters: [Int: (place: Int, words: Int)]
    private var before = 0
    private var doneBeforeChapter = 0
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

    /// - Parameter words: the position within the current part. If the part is retried, progress does not decrease.
    mutating func reached(_ words: Double, of part: BookPart) {
        guard let own = chapters[part.chapter] else { return }
        if chapter != part.chapter { (chapter, doneBeforeChapter, share.ofChapter) = (part.chapter, 0, 0) }
        share.chapter = own.place
        share.ofChapter = max(
            share.ofChapter, min(1, (Double(doneBeforeChapter) + words) / Double(max(1, own.words))))
        share.words = max(share.words, min(Double(share.total), Double(before) + words))
    }

    mutating func end(_ part: BookPart, seconds: Double) {
        reached(Double(part.words), of: part)
        before += part.words
        doneBeforeChapter += part.words
        share.seconds += seconds
    }
}
