package import SynthAudio
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
