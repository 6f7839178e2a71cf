/// How far the sound of a text has come. Used by the one thread that queues it.
struct SoundPosition {
    /// A mark that comes before the first sound.
    struct EarlyMark {
        let name: String
        let source: Range<Int>
        /// The silence before it.
        let after: Duration
    }

    /// Frames that were queued since the beginning.
    var frames = 0
    /// The pause that is due before anything more is said; nil as long as nothing was.
    var pause: Duration?
    /// Frames at the end of what was queued that nobody hears, as the engine left them.
    var quiet = 0
    /// Silence of exact length that is due instead of the pause; nil = none was asked for.
    var silence: Duration?
    /// Whether what follows goes on with a sentence.
    var isInSentence = false
    /// Where in the document the word stands that an engine failed at; nil = before the first of its utterance.
    var brokenWord: Int?
    /// In their order.
    var earlyMarks: [EarlyMark] = []
}
