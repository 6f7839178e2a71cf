import SynthSystem

/// A byte range of the document, including any markup, and the voice that speaks it.
package struct SpeakerRange: Codable, Equatable, Sendable {
    package let range: Range<Int>
    /// A voice name, as passed to the `-v` option.
    package let voice: String

    package init(_ range: Range<Int>, voice: String) {
        self.range = range
        self.voice = voice
    }
}

extension ScriptPart {
    /// Assigns voices to the text in the given ranges. If the document itself specifies a voice, that voice takes
    /// precedence.
    ///
    /// - Parameter ranges: the ranges in ascending order, without overlaps.
    package static func voiced(_ parts: [ScriptPart], by ranges: [SpeakerRange]) -> [ScriptPart] {
        if ranges.isEmpty { return parts }
        return parts.flatMap { part -> [ScriptPart] in
            guard case .text(let text) = part, text.style.voice == nil else { return [part] }
            return text.voiced(by: ranges).map { .text($0) }
        }
    }
}

extension ScriptText {
    fileprivate func voiced(by ranges: [SpeakerRange]) -> [ScriptText] {
        func voice(at offset: Int) -> String? {
            let position = source.sourceRange(of: offset..<offset + 1).lowerBound
            let found = ranges.firstSortedIndex { $0.range.upperBound > position }
            return found < ranges.count && ranges[found].range.contains(position) ? ranges[found].voice : nil
        }
        // Text with a pronunciation or reading is never split.
        guard pronunciation == nil, reading == nil else { return [spoken(by: voice(at: 0))] }
        let bytes = Array(text.utf8)
        var pieces: [ScriptText] = []
        var (start, current) = (0, voice(at: 0))
        var offset = 0
        for scalar in text.unicodeScalars {
            let next = voice(at: offset)
            if next != current, offset > start {
                pieces.append(slice(start..<offset, of: bytes).spoken(by: current))
                start = offset
            }
            current = next
            offset += UTF8.width(scalar)
        }
        pieces.append(slice(start..<offset, of: bytes).spoken(by: current))
        return pieces
    }

    private func spoken(by name: String?) -> ScriptText {
        guard let name else { return self }
        var text = self
        text.style.voice = ScriptVoice(name: name)
        return text
    }

    /// - Parameters:
    ///   - range: a byte range that starts and ends on character boundaries.
    ///   - bytes: the text in UTF-8.
    private func slice(_ range: Range<Int>, of bytes: [UInt8]) -> ScriptText {
        var mapped = MappedText()
        mapped.append(range, of: bytes.span, from: source)
        var part = self
        (part.text, part.source) = (mapped.text, mapped.source)
        return part
    }
}
