/// The text that the audio of two faulty engines spells, separately for each engine. The first engine uses positive
/// levels, and the second uses negative ones. Pauses are ignored, and repeated letters are merged.
package struct LegibleSound: Equatable, CustomStringConvertible {
    /// The first engine's letters, with a dot for each character that is not a letter.
    package private(set) var first = ""
    package private(set) var second = ""
    /// Whether the first engine speaks after the second.
    package private(set) var isMixed = false

    package var description: String { "\(first)|\(second)\(isMixed ? " mixed" : "")" }

    /// - Parameters:
    ///   - samples: The samples of one channel.
    ///   - perLetter: The number of frames per letter.
    package init(_ samples: some Collection<Float>, perLetter: Int) {
        var (last, run, isReported): (Character?, Int, Bool) = (nil, 0, false)
        for level in Self.smooth(Array(samples), over: max(1, perLetter / 8)) {
            let letter = Self.letter(of: level)
            if letter != last { (last, run, isReported) = (letter, 0, false) }
            run += 1
            // Between two letters, the signal passes through other letters' levels.
            guard let letter, run > perLetter / 3, !isReported else { continue }
            isReported = true
            add(letter, isFirst: level > 0)
        }
    }

    /// Returns the moving average, which removes ripples caused by conversions.
    private static func smooth(_ samples: [Float], over count: Int) -> [Float] {
        var sum: Double = 0
        return samples.indices.map { position in
            sum += Double(samples[position])
            if position >= count { sum -= Double(samples[position - count]) }
            return Float(sum / Double(count))
        }
    }

    /// Describes what is wrong with this audio; `nil` if the second engine continues the text correctly at the beginning of a word.
    package func flaw(of text: String) -> String? {
        let whole = Self.reading(text)
        guard !isMixed, whole.hasPrefix(first), whole.hasSuffix(second) else { return "\(self) is not \(whole)" }
        let before = whole.dropLast(second.count)
        if second.isEmpty || before.count > first.count { return "\(self) lacks part of \(whole)" }
        return before.isEmpty || before.last == "." ? nil : "\(self) breaks off within a word"
    }

    /// Describes what is wrong with this audio; `nil` if only the first engine speaks, and only a prefix of the text.
    package func flaw(ofBeginningOf text: String) -> String? {
        let whole = Self.reading(text)
        return second.isEmpty && !isMixed && whole.hasPrefix(first) ? nil : "\(self) is not a prefix of \(whole)"
    }

    private mutating func add(_ letter: Character, isFirst: Bool) {
        if isFirst {
            if !second.isEmpty { isMixed = true }
            if first.last != letter { first.append(letter) }
        } else if second.last != letter {
            second.append(letter)
        }
    }

    /// Returns the letter for a level; `nil` for silence and levels between letters.
    private static func letter(of sample: Float) -> Character? {
        let level = abs(sample)
        if level > 0.09, level < 0.11 { return "." }
        let position = Int(((level - 0.2) / 0.02).rounded())
        guard (0..<26).contains(position), abs(level - 0.2 - Float(position) * 0.02) < 0.008 else { return nil }
        return Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(position)))
    }

    /// The audio of text spoken only by the first engine.
    package static func only(first text: String) -> LegibleSound {
        var sound = LegibleSound([], perLetter: 1)
        sound.first = reading(text)
        return sound
    }

    /// The audio of text spoken only by the second engine.
    package static func only(second text: String) -> LegibleSound {
        var sound = LegibleSound([], perLetter: 1)
        sound.second = reading(text)
        return sound
    }

    /// The expected letters of the text, with a dot for each character that is not a letter.
    package static func reading(_ text: String) -> String {
        text.reduce(into: "") { reading, letter in
            let letter: Character = ("a"..."z").contains(letter) ? letter : "."
            if reading.last != letter { reading.append(letter) }
        }
    }
}
