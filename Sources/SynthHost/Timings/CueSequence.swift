/// Puts subtitles one after the other: none overlap, and each stays long enough to be read if the next one lets it.
struct CueSequence {
    /// The last one, whose end depends on the next.
    private var held: Cue?

    /// - Returns: the subtitle before it.
    mutating func append(_ cue: Cue) -> Cue? {
        var cue = cue
        defer { held = cue }
        guard let last = held else { return nil }
        cue.start = max(cue.start, last.start + 1)
        return Self.finished(last, until: cue.start)
    }

    /// The last subtitle.
    /// - Parameter end: the end of the sound, in milliseconds.
    mutating func finish(at end: Int) -> Cue? {
        defer { held = nil }
        return held.map { Self.finished($0, until: end) }
    }

    private static func finished(_ cue: Cue, until limit: Int) -> Cue {
        var cue = cue
        cue.end = max(cue.start + 1, min(max(cue.end, cue.start + cue.readingTime), limit))
        return cue
    }
}
