import CSynthEspeakNG
import EngineKit
import SynthPhonemes

/// Converts libespeak-ng's callback data for one synthesis to frames and events.
struct EspeakUtterance {
    private let places: WordPositions
    private var lastWord = -1
    private var lastSentence = -1
    private var samples: [Float] = []

    init(places: WordPositions) { self.places = places }

    /// Reports the events and then writes the samples. Each event refers to one of these samples or to a later one.
    mutating func take(
        _ pcm: UnsafeBufferPointer<Int16>, _ events: UnsafePointer<espeak_EVENT>, to output: borrowing SpeechOutput
    ) throws {
        var next = events
        while next.pointee.type != espeakEVENT_LIST_TERMINATED {
            try take(next.pointee, to: output)
            next += 1
        }
        guard !pcm.isEmpty else { return try output.check() }
        if samples.count < pcm.count { samples = [Float](repeating: 0, count: pcm.count) }
        var converted = samples.mutableSpan
        for index in pcm.indices { converted[index] = Float(pcm[index]) / 32768 }
        try output.write(samples.span.extracting(first: pcm.count))
    }

    /// Ignores events for pauses and for parts of a word. Such an event has position 0 or a position before the last
    /// reported word.
    private mutating func take(_ event: espeak_EVENT, to output: borrowing SpeechOutput) throws {
        guard event.text_position > 0 else { return }
        let frame = max(output.frame, UInt64(max(event.sample, 0)))
        switch event.type {
        case espeakEVENT_SENTENCE:
            guard let word = places.word(at: Int(event.text_position), length: 1), word.ordinal > lastSentence else {
                return
            }
            lastSentence = word.ordinal
            try output.sentence(word.bytes.lowerBound..<word.bytes.lowerBound, at: frame)
        case espeakEVENT_WORD:
            guard let word = places.word(at: Int(event.text_position), length: Int(event.length)),
                word.ordinal > lastWord
            else { return }
            lastWord = word.ordinal
            try output.word(word.bytes, at: frame)
        default: break
        }
    }
}

/// Finds the written word for a position that libespeak-ng reports. The library reports positions as character numbers
/// (Unicode scalars, starting at 1) and splits a written word into several spoken words ("3.14", "U.S.A.", "👍🏽").
struct WordPositions {
    private struct Word {
        /// The range of the complete word, in scalars.
        var scalars: Range<Int>
        /// The range in UTF-8 bytes, without surrounding punctuation; empty if the word is only punctuation.
        var bytes: Range<Int>
        var isIdeograph: Bool
    }

    private var words: [Word] = []

    private var isOpen = false
    private var scalarCount = 0

    /// Treats each ideograph as a word, because no white space separates ideographs. A word that libespeak-ng reports
    /// may contain several ideographs.
    init(_ text: String) { add(text, at: 0) }

    /// Finds word positions in text whose IPA is replaced with mnemonics before libespeak-ng reads the text.
    init(_ pieces: [MnemonicText.Piece]) {
        for piece in pieces {
            guard piece.isWord else {
                add(piece.text, at: piece.bytes.lowerBound)
                continue
            }
            let end = scalarCount + piece.text.unicodeScalars.count
            words.append(Word(scalars: scalarCount..<end, bytes: piece.bytes, isIdeograph: false))
            scalarCount = end
            isOpen = false
        }
    }

    private mutating func add(_ text: String, at start: Int) {
        var byteIndex = start
        for scalar in text.unicodeScalars {
            let width = UTF8.width(scalar)
            let properties = scalar.properties
            if properties.isWhitespace || properties.generalCategory == .control {
                isOpen = false
            } else {
                if !isOpen || properties.isIdeographic {
                    words.append(
                        Word(
                            scalars: scalarCount..<scalarCount, bytes: byteIndex..<byteIndex,
                            isIdeograph: properties.isIdeographic))
                }
                extend(past: scalarCount, byteIndex, width, isCore: !Self.isAround(scalar))
                isOpen = !properties.isIdeographic
            }
            scalarCount += 1
            byteIndex += width
        }
    }

    private mutating func extend(past scalar: Int, _ byte: Int, _ width: Int, isCore: Bool) {
        let last = words.count - 1
        words[last].scalars = words[last].scalars.lowerBound..<scalar + 1
        guard isCore else { return }
        let start = words[last].bytes.isEmpty ? byte : words[last].bytes.lowerBound
        words[last].bytes = start..<byte + width
    }

    var isEmpty: Bool { words.isEmpty }

    /// Returns the word that contains this character or, if there is none, the next word; `nil` after the last word.
    /// `ordinal` is the word's index.
    func word(at position: Int, length: Int) -> (ordinal: Int, bytes: Range<Int>)? {
        guard var ordinal = firstWord(endingAfter: position - 1) else { return nil }
        while words[ordinal].bytes.isEmpty {
            ordinal += 1
            guard ordinal < words.count else { return nil }
        }
        var bytes = words[ordinal].bytes
        if words[ordinal].isIdeograph, length > 1, let last = firstWord(endingAfter: position + length - 2) {
            for word in words[ordinal...max(ordinal, last)] where word.isIdeograph && !word.bytes.isEmpty {
                bytes = bytes.lowerBound..<word.bytes.upperBound
            }
        }
        return (ordinal, bytes)
    }

    private func firstWord(endingAfter scalar: Int) -> Int? {
        var low = 0
        var high = words.count
        while low < high {
            let middle = (low + high) / 2
            if words[middle].scalars.upperBound > scalar { high = middle } else { low = middle + 1 }
        }
        return low < words.count ? low : nil
    }

    /// Whether the character is punctuation around a word rather than a symbol with a spoken name ("%", "&").
    private static func isAround(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation:
            true
        case .otherPunctuation: !"%‰&@#*/\\§".unicodeScalars.contains(scalar)
        default: false
        }
    }
}
