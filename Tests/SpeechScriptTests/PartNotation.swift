import SynthScript

/// A short notation for parts that shows the position of each run of text in the document.
///
/// `2‹a b›` is unchanged text at byte 2, and `7-12‹&›` represents bytes 7 to 11. Line breaks are `⏎`. A sentence ends
/// with `.`, and a paragraph with `¶`. A voice precedes its text as `Heart:`, and a pronunciation follows it as `/a/`.
enum PartNotation {
    static func of(_ parts: [ScriptPart]) -> String { parts.map(one).joined(separator: " ") }

    static func of(_ error: ScriptError) -> String {
        "\(error.place.line):\(error.place.column) \(error.reason)"
    }

    /// Runs of text that are contiguous in the document.
    static func runs(of text: ScriptText) -> [(text: String, source: Range<Int>)] {
        var runs: [(text: String, source: Range<Int>)] = []
        for piece in pieces(of: text) {
            if let last = runs.last, isSame(last), isSame(piece), last.source.upperBound == piece.source.lowerBound {
                runs[runs.count - 1] = (
                    last.text + piece.text, last.source.lowerBound..<piece.source.upperBound
                )
            } else {
                runs.append(piece)
            }
        }
        return runs
    }

    /// Runs of characters that represent the same range of the document.
    private static func pieces(of text: ScriptText) -> [(text: String, source: Range<Int>)] {
        var pieces: [(text: String, source: Range<Int>)] = []
        var offset = 0
        for scalar in text.text.unicodeScalars {
            let length = String(scalar).utf8.count
            let source = text.source.sourceRange(of: offset..<offset + length)
            offset += length
            if let last = pieces.last, last.source == source {
                pieces[pieces.count - 1].text.unicodeScalars.append(scalar)
            } else {
                pieces.append((String(scalar), source))
            }
        }
        return pieces
    }

    private static func isSame(_ piece: (text: String, source: Range<Int>)) -> Bool {
        piece.text.utf8.count == piece.source.count
    }

    private static func one(_ part: ScriptPart) -> String {
        switch part {
        case .text(let text):
            let runs = runs(of: text).map { run in
                let place =
                    run.source.count == run.text.utf8.count ? "\(run.source.lowerBound)" : Self.place(run.source)
                return
                    "\(place)‹\(run.text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "⏎"))›"
            }
            let voice = text.style.voice?.name.map { "\($0):" } ?? ""
            let sound = text.pronunciation.map { "/\($0.ipa)/\($0.hasWords ? "" : "!")" } ?? ""
            return voice + runs.joined() + sound
        case .silence(let duration, let source): return "pause(\(duration))\(place(source))"
        case .mark(let name, let source): return "mark(\(name))\(place(source))"
        case .clip(let clip):
            return "clip(\(clip.name) \(clip.gain)dB \(clip.channel ?? "-"))\(place(clip.source))"
        case .end(.none): return "-"
        case .end(.sentence): return "."
        case .end(.paragraph): return "¶"
        case .end(.heading): return "§"
        case .end(.silence): return "…"
        }
    }

    private static func place(_ range: Range<Int>) -> String { "\(range.lowerBound)-\(range.upperBound)" }
}
