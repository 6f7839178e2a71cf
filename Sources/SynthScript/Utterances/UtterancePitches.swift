extension Utterance {
    /// A pitch change that applies from an offset up to the next change or the end of the text.
    package struct Pitch: Sendable, Equatable {
        /// The byte offset in the text.
        package var offset: Int
        /// The pitch factor. See `ScriptStyle`.
        package var factor: Double
        package var contour: PitchContour?

        package init(offset: Int, factor: Double, contour: PitchContour? = nil) {
            self.offset = offset
            self.factor = factor
            self.contour = contour
        }

        init(_ style: ScriptStyle, offset: Int) {
            self.init(offset: offset, factor: style.pitch, contour: style.contour)
        }

        func isLike(_ other: Pitch) -> Bool { factor == other.factor && contour == other.contour }
    }
}

extension [Utterance.Pitch] {
    /// Returns the pitch changes in a text range, with offsets relative to its start.
    func within(_ range: Range<Int>) -> [Utterance.Pitch] {
        let first = lastIndex { $0.offset <= range.lowerBound } ?? startIndex
        return self[first...].prefix { $0.offset < Swift.max(range.upperBound, range.lowerBound + 1) }.map { pitch in
            var pitch = pitch
            pitch.offset = Swift.max(0, pitch.offset - range.lowerBound)
            return pitch
        }
    }

    /// Adds a pitch change for the text that will be appended next. Replaces the previous change if no text has been
    /// appended since.
    mutating func append(next pitch: Utterance.Pitch) {
        while let last, last.offset >= pitch.offset { removeLast() }
        if last?.isLike(pitch) != true { append(pitch) }
    }
}

extension ScriptStyle {
    /// Whether both styles are equal apart from the pitch.
    func isLike(_ other: ScriptStyle) -> Bool {
        var style = self
        (style.pitch, style.contour) = (other.pitch, other.contour)
        return style == other
    }
}
