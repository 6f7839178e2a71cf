import SynthScript

/// A compact notation for scripts, with one line per part, so that the tests of all script formats can compare text.
///
/// A text line shows the spoken text. `~` is a gap for markup or additional white space in the document. `{A|b}` is an A that
/// represents a b in the document as a unit. `_` is an empty range.
enum ScriptRendering {
    static func lines(of parts: [ScriptPart], in document: [UInt8]) -> [String] {
        parts.map { line(of: $0, in: document) }
    }

    /// The error's position and reason, for example "2:5 expected </p>".
    static func line(of error: ScriptError) -> String {
        let reason =
            switch error.reason {
            case .text(let error): "text \(error)"
            case .tooLong(let limit): "longer than \(limit)"
            case .tooDeep(let limit): "deeper than \(limit)"
            case .expected(let words): "expected \(words)"
            case .unexpected(let words): "unexpected \(words)"
            case .refused(let words): "refused \(words)"
            case .badValue(let name, let value): "bad \(name) \(value)"
            case .libraryNotLoaded(let library, _): "without \(library)"
            }
        return "\(error.place.line):\(error.place.column) \(reason)"
    }

    private static func line(of part: ScriptPart, in document: [UInt8]) -> String {
        switch part {
        case .text(let text):
            return (["say"] + [style(of: text)].compactMap { $0 } + [places(of: text, in: document)])
                .joined(separator: " ")
        case .silence(let duration, let source):
            let (seconds, attoseconds) = duration.components
            let time = number(Double(seconds) * 1_000 + Double(attoseconds) / 1e15)
            return "pause \(time) ms \(slice(source, of: document))"
        case .mark(let name, let source): return "mark \(name) \(slice(source, of: document))"
        case .clip(let clip):
            let gain = clip.gain == 0 ? "" : " \(number(clip.gain)) dB"
            let channel = clip.channel.map { " on \($0)" } ?? ""
            let alternative = lines(of: clip.alternative, in: document).joined(separator: ", ")
            return "clip \(clip.name)\(gain)\(channel) [\(alternative)] \(slice(clip.source, of: document))"
        case .end(let pause): return "end \(pause)"
        }
    }

    private static func style(of text: ScriptText) -> String? {
        let style = text.style
        let words: [String?] = [
            style.voice?.name.map { "voice=\($0)" }, style.voice?.language.map { "voice-language=\($0)" },
            style.voice?.gender.map { "gender=\($0)" }, style.language.map { "language=\($0)" },
            style.rate == 1 ? nil : "rate=\(number(style.rate))",
            style.pitch == 1 ? nil : "pitch=\(number(style.pitch))",
            style.contour.map { contour in
                "contour="
                    + contour.targets.map { "\(number($0.share * 100))%:\(number($0.factor))" }.joined(separator: ",")
                    + "@\(contour.source.lowerBound)-\(contour.source.upperBound)"
            },
            style.intonation == 1 ? nil : "range=\(number(style.intonation))",
            style.isWhispered ? "whispered" : nil,
            style.volume == 1 ? nil : "volume=\(number(style.volume))",
            text.reading.map { "is=\($0.kind)\($0.format.map { "/\($0)" } ?? "")" },
            text.pronunciation.map { "/\($0.ipa)/" + ($0.hasWords ? "" : " only") },
        ]
        let known = words.compactMap { $0 }
        return known.isEmpty ? nil : "(" + known.joined(separator: " ") + ")"
    }

    private static func places(of text: ScriptText, in document: [UInt8]) -> String {
        var line = ""
        /// The text that represents the document's bytes at `source` as a unit.
        var whole = ""
        var source = 0..<0
        var end: Int?
        func close() {
            if !whole.isEmpty { line += "{\(whole)|\(slice(source, of: document))}" }
            whole = ""
        }
        var offset = 0
        for scalar in text.text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            let place = text.source.sourceRange(of: offset..<offset + bytes.count)
            offset += bytes.count
            let isCopied = bytes[...] == document[place] || bytes == [0x20] && document[place].allSatisfy { $0 < 0x20 }
            if !whole.isEmpty, place == source {
                whole.unicodeScalars.append(scalar)
                continue
            }
            close()
            if let end, place.lowerBound != end { line += "~" }
            end = place.upperBound
            if isCopied, !place.isEmpty {
                line.unicodeScalars.append(scalar)
            } else {
                whole.unicodeScalars.append(scalar)
                source = place
            }
        }
        close()
        return line
    }

    private static func slice(_ range: Range<Int>, of document: [UInt8]) -> String {
        range.isEmpty ? "_" : String(decoding: document[range], as: UTF8.self)
    }

    private static func number(_ value: Double) -> String {
        let rounded = (value * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
