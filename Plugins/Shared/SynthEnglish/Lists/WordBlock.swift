/// Some of the words of a `WordList`, which are read from the first of them on.
///
///     for each word: shared bytes, own bytes, which are at least 32, head, American reading, British reading.
///
/// A word is stored as the number of bytes that it shares with the word before it in the block, and the rest. The head
/// tells what follows: an American reading, a British one, or both. Which list each is from is also there, and whether
/// the British sounds are what `AccentRules` makes of the American ones: then no British reading follows.
///
/// A reading changes other sounds. The American ones change those of the word before, as the British ones do if the word
/// has no American ones; otherwise the British ones change what the rules make of the American ones. Four bits are the
/// number of sounds that stay at the beginning, four bits that at the end. The number of codes for the sounds between them
/// follows, and these. With 255 as that number, nothing stays: it is followed by the number of readings, and for each by a
/// tag, the number of codes or 255 for a word that is spelled, and the codes.
///
/// Every function is safe with any bytes: behind the end there are zeros.
struct WordBlock {
    private enum Head {
        static let american: UInt8 = 1
        static let british: UInt8 = 2
        static let silver = (american: UInt8(4), british: UInt8(8))
        /// The rules tell the British sounds.
        static let told: UInt8 = 16
        /// No byte of a word is below it.
        static let end: UInt8 = 32
    }

    struct Reading {
        /// Numbers of symbols.
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
    ///   - bytes: Those of the file that the block has, which must outlive it.
    ///   - codes: The numbers of the symbols that each code stands for. Others stand for none.
    init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ codes: [[UInt8]]) {
        self.bytes = bytes
        self.codes = codes
        end = bytes.endIndex
    }

    private func byte(_ position: Int) -> UInt8 { position < end ? bytes[position] : 0 }

    /// Whether a British reading follows the head.
    private static func hasBritish(_ head: UInt8) -> Bool { head & Head.british != 0 && head & Head.told == 0 }

    /// Whether the first word is behind another.
    func begins(after word: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = bytes.startIndex + 1
        for other in word {
            let own = byte(position)
            // A head is below every byte of a word, but a text can have such bytes, too.
            guard own == other, own >= Head.end else { return own >= Head.end && own > other }
            position += 1
        }
        return byte(position) >= Head.end
    }

    /// Where the head of a word is; `nil` if the block has no such word.
    func place(of word: UnsafeBufferPointer<UInt8>) -> Int? {
        var position = bytes.startIndex
        // How many bytes the last word and this one have in common.
        var matched = 0
        while position < end {
            let shared = Int(byte(position))
            // This word and all after it are behind the one that is looked for.
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

    /// Whether an accent reads the word whose head is at `place` by the gold list; `nil` if it has no reading.
    func isGold(at place: Int, _ accent: EnglishAccent) -> Bool? {
        let head = byte(place)
        switch accent {
        case .american: return head & Head.american == 0 ? nil : head & Head.silver.american == 0
        case .british: return head & Head.british == 0 ? nil : head & Head.silver.british == 0
        }
    }

    /// How an accent reads the word whose head is at `place`; `nil` if it has no reading.
    func reading(at place: Int, _ accent: EnglishAccent, _ rules: AccentRules) -> Reading? {
        var last = Reading()
        var position = bytes.startIndex
        while position < place {
            position += 1
            while byte(position) >= Head.end { position += 1 }
            let head = byte(position)
            if position == place { return reading(head, position + 1, accent, rules, after: last) }
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

    /// Changes the sounds of another reading to those that are stored at a place.
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

    /// Appends the sounds of so many codes.
    private func append(_ count: UInt8, _ position: inout Int, to sounds: inout [UInt8]) {
        let start = min(position, end)
        position += Int(count)
        for code in bytes[start..<min(position, end)] where Int(code) < codes.count { sounds += codes[Int(code)] }
    }
}
