package import SynthAudio
package import SynthDocuments
package import SynthSpeech

/// The plan for a book: its chapters, voice, metadata and target.
package struct BookPlan: Equatable, Sendable {
    /// The document's own metadata, which identifies the book in the work folder even if the user overrides the title.
    package var identity: BookIdentity
    package var title: String?
    package var authors: [String]
    package var cover: SoundFileTags.Picture?
    /// The number of chapters in the document.
    package var chapterCount: Int
    /// The chapters to make.
    package var chapters: [BookChapter]
    package var voice: BookVoice
    /// The pauses between parts and between chapters, adjusted for the speech rate.
    package var pauses: SpeechPauses
    package var target: BookTarget
    /// EPUB metadata: the language (BCP 47), the narrator, and the text's modification time in seconds since 1970.
    package var language: String?
    package var narrator = ""
    package var modified = 0

    package init(
        identity: BookIdentity, title: String?, authors: [String], cover: SoundFileTags.Picture? = nil,
        chapterCount: Int,
        chapters: [BookChapter], voice: BookVoice,
        pauses: SpeechPauses = SpeechPauses(), target: BookTarget
    ) {
        self.identity = identity
        self.title = title
        self.authors = authors
        self.cover = cover
        self.chapterCount = chapterCount
        // A chapter that contains only pictures or code has no audio.
        self.chapters = chapters.filter { !$0.parts.isEmpty }
        self.voice = voice
        self.pauses = pauses
        self.target = target
    }

    var fileName: String { target.path.split(separator: "/").last.map(String.init) ?? target.path }
}

/// A book chapter and the parts into which it is divided.
package struct BookChapter: Equatable, Sendable {
    /// The chapter number in the document, starting at 1.
    package let number: Int
    package let title: String?
    package let parts: [BookPart]
    let content: Document.Chapter

    /// The level in the table of contents, starting at 1, or nil if it is unknown.
    package let level: Int?

    /// - Parameter cast: the speakers' voices, or nil if a single voice reads the entire book.
    package init(
        _ chapter: Document.Chapter, number: Int, languages: DocumentLanguages = DocumentLanguages(nil),
        cast: BookCast? = nil
    ) {
        self.number = number
        title = chapter.title
        level = chapter.level
        content = chapter
        parts = BookPart.parts(of: chapter, number: number, languages: languages, cast: cast)
    }

    /// The title for tags and chapter marks.
    var shownTitle: String { title ?? "Chapter \(number)" }
}

/// One of the shards of a book that is synthesized by several processes, possibly on different machines.
package struct BookShard: Equatable, Sendable {
    /// The shard number, starting at 1.
    package let number: Int
    package let count: Int

    /// Returns nil if the number is out of range.
    package init?(number: Int, count: Int) {
        guard number >= 1, number <= count, count <= 100_000 else { return nil }
        self.number = number
        self.count = count
    }

    /// Parses a shard such as "2/8".
    package init?(_ text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
        guard numbers.count == 2, numbers.allSatisfy({ $0.allSatisfy(\.isASCII) }), let number = Int(numbers[0]),
            let count = Int(numbers[1])
        else { return nil }
        self.init(number: number, count: count)
    }

    /// The parts in this shard. Every process computes the same distribution, which divides the words evenly and
    /// assigns each part to a single shard.
    package func own(of parts: [BookPart]) -> [BookPart] {
        var load = [Int](repeating: 0, count: count)
        var own: [Int] = []
        // Assign the longest parts first, each to the shard with the lowest load.
        for index in parts.indices.sorted(by: { (parts[$1].words, $0) < (parts[$0].words, $1) }) {
            let least = load.indices.min { (load[$0], $0) < (load[$1], $1) } ?? 0
            load[least] += max(1, parts[index].words)
            if least == number - 1 { own.append(index) }
        }
        return own.sorted().map { parts[$0] }
    }
}
