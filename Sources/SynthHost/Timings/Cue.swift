import System

/// One subtitle with its times.
struct Cue: Equatable {
    /// In milliseconds from the beginning of the sound; the end is after the start.
    var start: Int
    var end: Int
    var lines: [String]

    /// How long it takes to read: 20 columns a second, and a second at least.
    var readingTime: Int { max(1000, lines.reduce(0) { $0 + DisplayWidth.columns($1) } * 50) }
}
