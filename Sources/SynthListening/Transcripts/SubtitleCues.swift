import SynthEngineWire

struct SubtitleCue: Equatable {
    /// The text, in one or two lines.
    var lines: [String]
    var frames: Range<UInt64>
    /// The speaker's channel, or nil if it is unknown or already named in the lines.
    var voice: SoundChannel?
}

/// Creates subtitle cues from sentences. A cue has up to two lines of up to 42 columns and is visible for 1 to 7
/// seconds if the audio permits. Cues do not overlap, and long sentences are split at suitable positions.
///
/// A sentence is buffered until the start of the next sentence is known, because that start limits the duration of the
/// cue. A short sentence shares a cue with the next sentence if the next one follows immediately.
struct SubtitleCues {
    private static let (minimumSeconds, maximumSeconds) = (1.0, 7.0)
    /// The target reading speed. To reach it, a cue is extended into the following pause.
    private static let columnsPerSecond = 20.0
    /// The maximum gap within a cue, in seconds.
    private static let longestGap = 2.0
    /// The maximum number of buffered units.
    private static let maximumUnits = 400

    private let rate: Double
    private var waiting: [SubtitleUnit] = []
    /// The channel of the buffered units.
    private var voice: SoundChannel?
    /// The end of the last cue.
    private var latest: UInt64 = 0

    init(rate: Double) { self.rate = rate }

    /// Adds a sentence and returns the completed cues.
    ///
    /// - Parameter voice: the speaker's channel. No cue contains text from two channels.
    mutating func add(_ sentence: RecognizedText, by voice: SoundChannel? = nil) -> [SubtitleCue] {
        var units = SubtitleUnit.units(of: sentence)
        guard let first = units.first else { return [] }
        var found: [SubtitleCue] = []
        if let begin = waiting.first, let last = waiting.last {
            let isShort = seconds(begin.frames.lowerBound, first.frames.lowerBound) < Self.minimumSeconds
            if isShort, waiting.count < Self.maximumUnits, voice == self.voice {
                units[0].hasSpace = !(last.text.last?.needsNoSpace ?? false)
            } else {
                found = cues(until: first.frames.lowerBound)
            }
        }
        waiting += units
        self.voice = voice
        return found
    }

    /// Returns the remaining cues.
    mutating func finish() -> [SubtitleCue] { cues(until: .max) }

    private mutating func cues(until next: UInt64) -> [SubtitleCue] {
        defer { waiting = [] }
        let starts = Self.starts(of: waiting, until: next, rate)
        return zip(starts, starts.dropFirst() + [waiting.count]).map { from, to in
            cue(waiting[from..<to], until: to < waiting.count ? waiting[to].frames.lowerBound : next)
        }
    }

    private mutating func cue(_ units: ArraySlice<SubtitleUnit>, until next: UInt64) -> SubtitleCue {
        let columns = units.reduce(0) { $0 + $1.columns }
        let start = max(latest, units.first?.frames.lowerBound ?? latest)
        let said = max(start, units.last?.frames.upperBound ?? start)
        let wanted = max(Self.minimumSeconds, min(Self.maximumSeconds, Double(columns) / Self.columnsPerSecond))
        var end = max(said, start + UInt64(wanted * rate))
        // A cue must not overlap the next cue or exceed the maximum duration. If both cues start at the same time, this
        // cue is displayed first.
        end = min(end, start + UInt64(Self.maximumSeconds * rate))
        if next > start { end = min(end, next) }
        latest = end
        return SubtitleCue(lines: Self.lines(units), frames: start..<end, voice: voice)
    }

    /// Divides the units into cues at the lowest total cost and returns the index of the first unit of each cue. Each
    /// break has a cost, as does each cue that is short, uneven or too long.
    private static func starts(of units: [SubtitleUnit], until next: UInt64, _ rate: Double) -> [Int] {
        // For each position, the lowest cost of the units before it and the start of the last cue.
        var best: [(cost: Double, start: Int)] = [(0, 0)]
        for end in 1...max(1, units.count) where end <= units.count {
            var found: (cost: Double, start: Int) = (.infinity, end - 1)
            var columns = 0
            for start in stride(from: end - 1, through: 0, by: -1) {
                columns += units[start].columns + (units[start].hasSpace ? 1 : 0)
                let isAlone = start == end - 1
                guard isAlone || columns <= 2 * SubtitleUnit.maximumColumns + 2 else { break }
                let begin = units[start].frames.lowerBound
                let said =
                    Double(units[end - 1].frames.upperBound - min(begin, units[end - 1].frames.upperBound)) / rate
                guard isAlone || said <= maximumSeconds && !hasGap(units[start..<end], rate) else { break }
                let second = lineEnd(units[start..<end])
                guard isAlone || second != nil else { continue }
                let until = end < units.count ? units[end].frames.lowerBound : next
                let free = until > begin ? min(Double(until - begin) / rate, 1000) : 0
                var cost = best[start].cost + 1.5 + units[end - 1].cost * (end < units.count ? 1 : 0)
                if free < minimumSeconds { cost += 12 + 40 * (minimumSeconds - free) }
                // A cue with only one or two words has an additional cost.
                if columns < 12, end - start < units.count { cost += 4 }
                if let second, second < end { cost += units[second - 1].cost * 0.4 }
                if cost < found.cost { found = (cost, start) }
            }
            best.append(found)
        }
        var starts: [Int] = []
        var place = units.count
        while place > 0 {
            place = best[place].start
            starts.append(place)
        }
        return starts.reversed()
    }

    private static func hasGap(_ units: ArraySlice<SubtitleUnit>, _ rate: Double) -> Bool {
        guard let first = units.first, let second = units.dropFirst().first else { return false }
        return second.frames.lowerBound > first.frames.upperBound
            && Double(second.frames.lowerBound - first.frames.upperBound) / rate > longestGap
    }

    /// Returns the index of the first unit of the second line, or the end index if one line is enough. Returns nil if
    /// the text does not fit on two lines.
    private static func lineEnd(_ units: ArraySlice<SubtitleUnit>) -> Int? {
        let all = width(units)
        if all <= SubtitleUnit.maximumColumns { return units.endIndex }
        var best: (cost: Double, place: Int)?
        var first = 0
        for place in units.indices.dropLast() {
            first += units[place].columns + (units[place].hasSpace && place > units.startIndex ? 1 : 0)
            let second = all - first - (units[place + 1].hasSpace ? 1 : 0)
            guard first <= SubtitleUnit.maximumColumns else { break }
            guard second <= SubtitleUnit.maximumColumns else { continue }
            let cost = units[place].cost + Double(abs(first - second)) / 6
            if cost < best?.cost ?? .infinity { best = (cost, place + 1) }
        }
        return best?.place
    }

    private static func width(_ units: ArraySlice<SubtitleUnit>) -> Int {
        units.reduce(0) { $0 + $1.columns + ($1.hasSpace ? 1 : 0) } - (units.first?.hasSpace == true ? 1 : 0)
    }

    private static func lines(_ units: ArraySlice<SubtitleUnit>) -> [String] {
        let end = lineEnd(units) ?? units.endIndex
        return [units[..<end], units[end...]].filter { !$0.isEmpty }.map { line in
            line.enumerated().reduce(into: "") { text, unit in
                text += (unit.offset > 0 && unit.element.hasSpace ? " " : "") + unit.element.text
            }
        }
    }

    private func seconds(_ from: UInt64, _ to: UInt64) -> Double { from < to ? Double(to - from) / rate : 0 }
}
