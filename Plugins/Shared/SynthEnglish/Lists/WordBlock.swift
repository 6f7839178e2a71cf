/// A block of words in a `WordList`, read from its start.
///
///     for each word: shared bytes, own bytes (each at least 32), head, American reading, British reading.
///
/// A word is stored as the number of bytes that it shares with the previous word in the block, followed by the remaining
/// bytes. The head specifies the readings that follow (American, British or both), the list that each reading comes
/// from, and whether the British phonemes result from applying `AccentRules` to the American phonemes; in that case, no
/// British reading follows.
///
/// A reading is stored as a difference from other phonemes: American phonemes from those of the previous word, and British
/// phonemes from the result of the rules or, if the word has no American phonemes, from those of the previous word. One byte
/// contains the number of phonemes kept at the start and the number kept at the end, four bits each. It is followed by the
/// number of codes for the phonemes between them, and by these codes. If the number of codes is 255, no phonemes are kept;
/// instead, the number of readings follows, and for each reading a tag, the number of codes (or 255 for a word that is spelled
/// out), and the codes.
///
/// Every function is safe for arbitrary bytes: reads beyond the end return zeros.
struct WordBlock {
    private enum Head {
        static let american: UInt8 = 1
        static let british: UInt8 = 2
        static let silver = (american: UInt8(4), british: UInt8(8))
        /// The British phonemes are derived from the American phonemes with `AccentRules`.
        static let told: UInt8 = 16
        /// Every byte of a word is at least this value.
        static let end: UInt8 = 32
    }

    struct Reading {
        /// The phonemes as symbol indices.
        var sounds: [UInt8] = []
        var others: [(tag: String, sounds: [UInt8]?)] = []
    }

    private static let tags = ["DEFAULT", "None", "NOUN", "VERB", "ADJ", "ADV", "VBD", "VBN", "VBP", "DT"]
    private static let several: UInt8 = 255
    private static let spelled: UInt8 = 255

    private let bytes: Slice<UnsafeBufferPointer<UInt8>>
    private let end: Int
    private let codes: [[UInt8]]

    /// - Parameters:
    ///   - bytes: The block's bytes in the file. They must outlive this value.
    ///   - codes: The symbol indices that each code represents. All other codes represent no symbols.
    init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ codes: [[UInt8]]) {
        self.bytes = bytes
        self.codes = codes
        end = bytes.endIndex
    }

    private func byte(_ position: Int) -> UInt8 { position < end ? bytes[position] : 0 }

    /// Whether a British reading follows the head.
    private static func hasBritish(_ head: UInt8) -> Bool { head & Head.british != 0 && head & Head.told == 0 }

    /// Whether the first word in the block sorts after `word`.
    func begins(after word: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = bytes.startIndex + 1
        for other in word {
            let own = byte(position)
            // A head is lower than every byte of a listed word, but the word searched for may contain bytes as low as a
            // head.
            guard own == other, own >= Head.end else { return own >= Head.end && own > other }
            position += 1
        }
        return byte(position) >= Head.end
    }

    /// Returns the position of a word's head; `nil` if the word is not in the block.
    func headOffset(of word: UnsafeBufferPointer<UInt8>) -> Int? {
        var position = bytes.startIndex
        // The number of bytes that the previous word shares with the word searched for.
        var matched = 0
        while position < end {
            let shared = Int(byte(position))
            // This word and all later ones sort after the word searched for.
            guard shared >= matched else { return nil }
            position += 1
            let own = position
            while byte(position) >= Head.end { position += 1 }
            let length = shared + position - own
            if shared == matched {
                while matched < min(word.count, length), byte(own + matched - shared) == word[matched] { matched += 1 }
            }
            if matched == length, length == word.count { return position }
            let head = byte(position)
            position += 1
            if head & Head.american != 0 { skipReading(&position) }
            if Self.hasBritish(head) { skipReading(&position) }
        }
        return nil
    }

    private func skipReading(_ position: inout Int) {
        let count = byte(position + 1)
        position += 2
        guard count == Self.several else {
            position += Int(count)
            return
        }
        let readings = byte(position)
        position += 1
        for _ in 0..<readings {
            let count = byte(position + 1)
            position += count == Self.spelled ? 2 : 2 + Int(count)
        }
    }

    /// Whether the reading for an accent is from the gold list; `nil` if there is no reading.
    ///
    /// - Parameter headOffset: The position of the word's head.
    func isGold(at headOffset: Int, _ accent: EnglishAccent) -> Bool? {
        let head = byte(headOffset)
        switch accent {
        case .american: return head & Head.american == 0 ? nil : head & Head.silver.american == 0
        case .british: return head & Head.british == 0 ? nil : head & Head.silver.british == 0
        }
    }

    /// The reading for an accent; `nil` if there is none.
    ///
    /// - Parameter headOffset: The position of the word's head.
    func reading(at headOffset: Int, _ accent: EnglishAccent, _ rules: AccentRules) -> Reading? {
        var last = Reading()
        var position = bytes.startIndex
        while position < headOffset {
            position += 1
            while byte(position) >= Head.end { position += 1 }
            let head = byte(position)
            if position == headOffset { return reading(head, position + 1, accent, rules, after: last) }
            position += 1
            if head & Head.american != 0 {
                change(&last, &position)
                if Self.hasBritish(head) { skipReading(&position) }
            } else if Self.hasBritish(head) {
                change(&last, &position)
            }
        }
        return nil
    }

    private func reading(
        _ head: UInt8, _ position: Int, _ accent: EnglishAccent, _ rules: AccentRules, after last: Reading
    ) -> Reading {
        let isBritish = accent == .british
        var (reading, position) = (last, position)
        if head & Head.american != 0 {
            change(&reading, &position)
            if isBritish { reading = Reading(sounds: rules.applied(to: reading.sounds)) }
        }
        if isBritish, Self.hasBritish(head) { change(&reading, &position) }
        return reading
    }

    /// Applies the stored difference to a reading.
    private func change(_ reading: inout Reading, _ position: inout Int) {
        let (kept, count) = (byte(position), byte(position + 1))
        position += 2
        reading.others.removeAll()
        guard count == Self.several else {
            let start = min(Int(kept >> 4), reading.sounds.count)
            let rest = max(start, reading.sounds.count - Int(kept & 15))
            let tail = rest < reading.sounds.count ? Array(reading.sounds[rest...]) : []
            reading.sounds.removeSubrange(start...)
            append(count, &position, to: &reading.sounds)
            reading.sounds += tail
            return
        }
        reading.sounds.removeAll()
        let readings = byte(position)
        position += 1
        for _ in 0..<readings {
            let (tag, count) = (Int(byte(position)), byte(position + 1))
            position += 2
            var sounds: [UInt8] = []
            if count != Self.spelled { append(count, &position, to: &sounds) }
            if tag == 0 {
                reading.sounds = sounds
            } else if tag < Self.tags.count {
                reading.others.append((Self.tags[tag], count == Self.spelled ? nil : sounds))
            }
        }
    }

    /// Appends the phonemes of the next `count` codes.
    private func append(_ count: UInt8, _ position: inout Int, to sounds: inout [UInt8]) {
        let start = min(position, end)
        position += Int(count)
        for code in bytes[start..<min(position, end)] where Int(code) < codes.count { sounds += codes[Int(code)] }
    }
}
