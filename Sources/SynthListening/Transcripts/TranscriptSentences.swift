package import SynthEngineWire
import SynthScript

/// Assembles the texts of a recording into complete sentences.
///
/// Audio is split at pauses, even in mid-sentence, and a recognizer may end its texts anywhere. Texts that belong to
/// the same sentence are joined, based on their punctuation, their language and the gap between them. A text with
/// several sentences is split. Each sentence is returned as soon as it is complete; a sentence that may continue in the
/// next piece is buffered. Texts from a model that does not produce punctuation are split at pauses.
package struct TranscriptSentences: Sendable {
    /// Gaps in seconds: the maximum gap within a sentence after a comma or before a lowercase letter; the maximum gap
    /// elsewhere in a sentence; the maximum gap after a period that does not end the sentence; and the minimum gap that
    /// ends a sentence that has no punctuation.
    private static let (longGap, usualGap, falseEndGap, pause) = (4.0, 1.5, 0.9, 0.7)
    /// The minimum silence, in seconds, at the end of a piece for a sentence with final punctuation to be considered
    /// complete.
    private static let quietEnd = 0.6
    /// The maximum length of a sentence in Unicode scalars. Longer sentences are split.
    private static let longest = 600

    private let rate: Double
    /// The buffered text, which may continue.
    private var waiting: RecognizedText?
    /// Whether a buffered sentence is waiting for more text.
    package var isWaiting: Bool { waiting != nil }
    /// Whether the recognizer produces sentence punctuation.
    private var hasSigns = false

    /// - Parameter rate: the number of frames per second.
    package init(rate: UInt32) { self.rate = Double(rate) }

    /// Adds a piece and returns the completed sentences.
    package mutating func add(_ piece: TranscribedPiece) -> [RecognizedText] {
        var found: [RecognizedText] = []
        var isNewPiece = true
        for text in piece.texts where !text.text.isEmpty {
            defer { isNewPiece = false }
            hasSigns = hasSigns || text.text.contains(where: SentenceSigns.ends.contains)
            if let last = waiting {
                if let joined = joined(last, text, isCut: isNewPiece) {
                    waiting = joined
                } else {
                    found.append(last)
                    waiting = text
                }
            } else {
                waiting = text
            }
            found += cut()
        }
        if let last = waiting, SentenceSigns.isComplete(last.text),
            seconds(last.frames.upperBound, UInt64(max(0, piece.frames.upperBound))) >= Self.quietEnd
        {
            found += finish()
        }
        return found
    }

    /// Returns the buffered sentence, if any.
    package mutating func finish() -> [RecognizedText] {
        defer { waiting = nil }
        return waiting.map { [$0] } ?? []
    }

    /// Removes and returns the sentences that are followed by another sentence.
    private mutating func cut() -> [RecognizedText] {
        guard let text = waiting else { return [] }
        var parts: [RecognizedText] = []
        var rest = text
        for end in ends(in: text) {
            let start = text.text.utf8.count - rest.text.utf8.count
            let (first, second) = rest.cut(at: end - start)
            parts.append(first)
            rest = second
        }
        waiting = rest
        return parts
    }

    /// Returns the byte offsets at which all sentences but the last end.
    private func ends(in text: RecognizedText) -> [Int] {
        guard hasSigns else {
            return zip(text.words, text.words.dropFirst()).compactMap { first, second in
                seconds(first.frames.upperBound, second.frames.lowerBound) >= Self.pause ? second.text.lowerBound : nil
            }
        }
        var script = PlainTextScript(limits: UtteranceLimits(scalars: Self.longest))
        do {
            try script.append(String(text.text.map { $0 == "\n" ? " " : $0 }))
            try script.finish()
        } catch {
            return []
        }
        var starts: [Int] = []
        while let next = script.next() { starts.append(next.sourceRange.lowerBound) }
        return Array(starts.dropFirst())
    }

    /// Joins two texts. Returns nil if the texts do not belong to the same sentence.
    ///
    /// - Parameter isCut: whether the recognizer processed the two texts separately. If so, the first text may end
    ///   where it does only because its audio was cut there.
    private func joined(_ first: RecognizedText, _ second: RecognizedText, isCut: Bool) -> RecognizedText? {
        if first.channel != second.channel { return nil }
        if let one = first.language, let other = second.language, one != other { return nil }
        let gap = seconds(first.frames.upperBound, second.frames.lowerBound)
        guard hasSigns else { return gap < Self.pause ? first.followed(by: second) : nil }
        let continuesText = SentenceSigns.continuesText(second.text)
        if SentenceSigns.isComplete(first.text) {
            guard gap < Self.falseEndGap else { return nil }
            // The second text starts with a lowercase letter, so the period at the end of the first text is spurious.
            if continuesText, isCut { return first.withoutFalseEnd.followed(by: second.withoutFalseBegin) }
            // The period belongs to an abbreviation, as in "Mr. Brown".
            guard !continuesText, second.text.first?.isLowercase != true else { return nil }
            let both = first.followed(by: second)
            return ends(in: both).contains(both.text.utf8.count - second.text.utf8.count) ? nil : both
        }
        let isOpen = continuesText || first.text.last.map(SentenceSigns.clauses.contains) ?? false
        return gap < (isOpen ? Self.longGap : Self.usualGap) ? first.followed(by: second) : nil
    }

    /// Returns the separator between two texts on one line: a space, or an empty string if one text is empty or the script has
    /// no spaces between words.
    package static func space(between first: String, _ second: String) -> String {
        guard let last = first.last, let next = second.first else { return "" }
        return last.needsNoSpace && next.needsNoSpace ? "" : " "
    }

    private func seconds(_ from: UInt64, _ to: UInt64) -> Double { from < to ? Double(to - from) / rate : 0 }
}

/// Punctuation that indicates whether a sentence is complete.
enum SentenceSigns {
    static let ends: Set<Character> = [".", "!", "?", "…", "。", "！", "？", "．", "؟", "۔", "।", "॥", "։", "።", "।", "‽"]
    static let clauses: Set<Character> = [",", ";", ":", "–", "—", "-", "、", "，", "；", "：", "،", "؛"]
    private static let closing: Set<Character> = [
        "\"", "'", ")", "]", "”", "’", "»", "«", "“", "」", "』", "）", "】", "》", "〉",
    ]

    /// Whether the text ends with sentence punctuation.
    static func isComplete(_ text: String) -> Bool {
        text.last { !closing.contains($0) && !$0.isWhitespace }.map(ends.contains) ?? false
    }

    /// Whether the text starts in the middle of a sentence, with a lowercase letter or an ellipsis. A word such as "iPhone" can
    /// start a sentence.
    static func continuesText(_ text: String) -> Bool {
        if text.hasPrefix("...") || text.hasPrefix("…") { return true }
        guard let first = text.first, first.isLowercase else { return false }
        return text.dropFirst().first.map { !$0.isUppercase } ?? true
    }
}

extension RecognizedText {
    /// Splits the text in two. The time of the split is taken from the word times or, if there are none, estimated from
    /// the offset.
    ///
    /// - Parameter offset: the byte offset at which the second text starts.
    func cut(at offset: Int) -> (RecognizedText, RecognizedText) {
        let bytes = Array(text.utf8)
        func trimmed(_ range: Range<Int>) -> Range<Int> {
            var range = range
            while range.count > 0, bytes[range.lowerBound] <= 0x20 { range = range.lowerBound + 1..<range.upperBound }
            while range.count > 0, bytes[range.upperBound - 1] <= 0x20 {
                range = range.lowerBound..<range.upperBound - 1
            }
            return range
        }
        func part(_ range: Range<Int>, _ frames: Range<UInt64>) -> RecognizedText {
            var part = self
            part.text = String(decoding: bytes[range], as: UTF8.self)
            part.stable = range.count
            part.words = words.compactMap { word in
                let text = word.text.clamped(to: range)
                guard !text.isEmpty, range.contains(word.text.lowerBound) else { return nil }
                return RecognizedWord(
                    text: text.lowerBound - range.lowerBound..<text.upperBound - range.lowerBound, frames: word.frames,
                    confidence: word.confidence)
            }
            part.frames = frames
            if let first = part.words.first, let last = part.words.last {
                let start = max(frames.lowerBound, min(first.frames.lowerBound, frames.upperBound))
                part.frames = start..<max(start, min(last.frames.upperBound, frames.upperBound))
            }
            return part
        }
        let share = Double(offset) / Double(max(1, bytes.count))
        let divided = frames.lowerBound + UInt64(share * Double(frames.upperBound - frames.lowerBound))
        let middle =
            words.first { $0.text.lowerBound >= offset }.map {
                min(max(frames.lowerBound, $0.frames.lowerBound), frames.upperBound)
            } ?? divided
        return (
            part(trimmed(0..<offset), frames.lowerBound..<middle),
            part(trimmed(offset..<bytes.count), middle..<frames.upperBound)
        )
    }

    fileprivate func followed(by next: RecognizedText) -> RecognizedText {
        var whole = self
        whole.text += TranscriptSentences.space(between: text, next.text)
        let offset = whole.text.utf8.count
        whole.text += next.text
        whole.stable = whole.text.utf8.count
        whole.words += next.words.map { word in
            RecognizedWord(
                text: word.text.lowerBound + offset..<word.text.upperBound + offset, frames: word.frames,
                confidence: word.confidence)
        }
        whole.frames = frames.lowerBound..<max(frames.upperBound, next.frames.upperBound)
        if let one = confidence, let other = next.confidence {
            let share = Float(offset) / Float(max(1, whole.text.utf8.count))
            whole.confidence = one * share + other * (1 - share)
        }
        whole.language = language ?? next.language
        return whole
    }

    /// The text without a period or ellipsis that the recognizer added only because the audio was cut there.
    fileprivate var withoutFalseEnd: RecognizedText {
        let end = text.lastIndex { $0 != "." && $0 != "…" }.map(text.index(after:))
        guard let end, end < text.endIndex else { return self }
        var text = self
        text.text = String(self.text[..<end])
        text.stable = text.text.utf8.count
        text.words = words.compactMap { word in
            let bytes = word.text.clamped(to: 0..<text.stable)
            return bytes.isEmpty ? nil : RecognizedWord(text: bytes, frames: word.frames, confidence: word.confidence)
        }
        return text
    }

    /// The text without an ellipsis that the recognizer added only because the audio was cut before it.
    fileprivate var withoutFalseBegin: RecognizedText {
        guard let begin = text.firstIndex(where: { $0 != "." && $0 != "…" && $0 != " " }), begin > text.startIndex
        else { return self }
        var rest = cut(at: text.utf8.distance(from: text.startIndex, to: begin)).1
        rest.frames = frames
        return rest
    }
}

extension Character {
    /// Whether the character's script has no spaces between words.
    var needsNoSpace: Bool {
        guard let value = unicodeScalars.first?.value else { return false }
        return switch value {
        // Thai, Lao, Burmese, Khmer, Chinese and Japanese, including punctuation.
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x312F, 0x31A0...0xA4CF, 0xF900...0xFAFF,
            0xFE30...0xFE4F, 0xFF00...0xFF60, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
