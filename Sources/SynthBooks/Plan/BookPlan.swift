package import SynthAudio
package import SynthDocuments
package import SynthSpeech

/// What a book is made of: its chapters, who reads it, and what it says of itself.
package struct BookPlan: Equatable, Sendable {
    /// What the document says of itself, whatever its files are to say: by that a folder knows its book.
    package var identity: BookIdentity
    package var title: String?
    package var authors: [String]
    package var cover: SoundFileTags.Picture?
    /// How many chapters the document has.
    package var chapterCount: Int
    /// Those that are made.
    package var chapters: [BookChapter]
    package var voice: BookVoice
    /// Between parts and between chapters: those of the speech at its rate.
    package var pauses: SpeechPauses
    package var target: BookTarget
    /// What an EPUB says besides: its language (BCP-47), who reads it, and when its text was changed (seconds since 1970).
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
        // A chapter of pictures and code is none of sound.
        self.chapters = chapters.filter { !$0.parts.isEmpty }
        self.voice = voice
        self.pauses = pauses
        self.target = target
    }

    /// Of the target, without its folders.
    var fileName: String { target.path.split(separator: "/").last.map(String.init) ?? target.path }
}

/// A chapter as it is spoken.
package struct BookChapter: Equatable, Sendable {
    /// From 1, in the whole document.
    package let number: Int
    package let title: String?
    package let parts: [BookPart]
    /// What it is spoken of.
    let content: Document.Chapter

    package var words: Int { parts.reduce(0) { $0 + $1.words } }

    /// How deep it is in the contents, from 1; nil = not known.
    package let level: Int?

    /// - Parameter cast: who reads what; nil = one voice reads all of it.
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

    /// What a file or a mark says of it.
    var shownTitle: String { title ?? "Chapter \(number)" }
}

/// One of several processes, maybe on different machines, that speak a book together.
package struct BookShard: Equatable, Sendable {
    /// From 1.
    package let number: Int
    package let count: Int

    /// nil = there is no such.
    package init?(number: Int, count: Int) {
        guard number >= 1, number <= count, count <= 100_000 else { return nil }
        self.number = number
        self.count = count
    }

    /// "2/8"
    package init?(_ text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
        guard numbers.count == 2, numbers.allSatisfy({ $0.allSatisfy(\.isASCII) }), let number = Int(numbers[0]),
            let count = Int(numbers[1])
        else { return nil }
        self.init(number: number, count: count)
    }

    /// The parts that are its own. Everyone who asks gets the same answer, the words are shared evenly, and each part is one's.
    package func own(of parts: [BookPart]) -> [BookPart] {
        var load = [Int](repeating: 0, count: count)
        var own: [Int] = []
        // The longest first, each to who has least.
        for index in parts.indices.sorted(by: { (parts[$1].words, $0) < (parts[$0].words, $1) }) {
            let least = load.indices.min { (load[$0], $0) < (load[$1], $1) } ?? 0
            load[least] += max(1, parts[index].words)
            if least == number - 1 { own.append(index) }
        }
        return own.sorted().map { parts[$0] }
    }
}
