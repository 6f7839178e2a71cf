package import SynthScript

/// The rules for the parts of every script, regardless of its format.
package struct ScriptInvariants {
    private let document: [UInt8]
    private var violations: [String] = []

    /// The violated rules; empty if there are none.
    package static func violations(of parts: [ScriptPart], in document: [UInt8]) -> [String] {
        var invariants = ScriptInvariants(document: document)
        invariants.check(parts)
        return invariants.violations
    }

    private init(document: [UInt8]) {
        self.document = document
    }

    private mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
        if !holds { violations.append(what()) }
    }

    private mutating func check(_ parts: [ScriptPart]) {
        for part in parts {
            switch part {
            case .text(let text):
                check(text)
                check(text.style)
            case .silence(let duration, let source):
                expect(duration >= .zero && duration <= .seconds(600), "a silence of \(duration)")
                check(source)
            case .mark(let name, let source):
                expect(!name.isEmpty, "a mark without a name")
                check(source)
            case .clip(let clip):
                expect(!clip.name.isEmpty, "a clip without a name")
                expect(clip.gain.isFinite, "a gain of \(clip.gain)")
                check(clip.source)
                check(clip.alternative)
            case .end(let pause): expect(pause != .none, "an end without a pause")
            }
        }
    }

    private mutating func check(_ text: ScriptText) {
        expect(!text.text.isEmpty, "an empty text")
        if let ipa = text.pronunciation?.ipa { expect(!ipa.isEmpty && !ipa.contains("]]"), "phonemes \(ipa)") }
        var offset = 0
        /// The characters at the current position.
        var group = ""
        var last = 0..<0
        for scalar in text.text.unicodeScalars {
            let count = UTF8.width(scalar)
            let location = text.source.sourceRange(of: offset..<offset + count)
            offset += count
            check(location)
            if location != last {
                expect(location.lowerBound >= last.upperBound, "\(location) after \(last)")
                check(group, at: last)
                (group, last) = ("", location)
            }
            group.unicodeScalars.append(scalar)
        }
        check(group, at: last)
    }

    /// A text that is as long as its source range must equal the document's text in that range, or the uppercase form
    /// of it. A single space is exempt, because it can represent any white space.
    private mutating func check(_ text: String, at location: Range<Int>) {
        guard location.count == text.utf8.count, text != " ", location.upperBound <= document.count else { return }
        let source = String(decoding: document[location], as: UTF8.self)
        expect(text == source || text == source.uppercased(), "\(text) for \(source)")
    }

    private mutating func check(_ style: ScriptStyle) {
        expect((0.1...10).contains(style.rate), "a rate of \(style.rate)")
        expect((0.1...10).contains(style.pitch), "a pitch of \(style.pitch)")
        expect((0...100).contains(style.volume), "a volume of \(style.volume)")
        expect(style.voice != ScriptVoice(), "a style whose voice has no properties")
        expect((0...2).contains(style.intonation), "a range of \(style.intonation)")
        guard let contour = style.contour else { return }
        check(contour.source)
        var last = 0.0
        for target in contour.targets {
            expect((0.1...10).contains(target.factor), "a pitch of \(target.factor) in a contour")
            expect((last...1).contains(target.share), "a target at \(target.share) after \(last)")
            last = target.share
        }
    }

    private mutating func check(_ range: Range<Int>) {
        guard range.lowerBound >= 0, range.upperBound <= document.count else {
            return violations.append("\(range) of \(document.count) bytes")
        }
        for border in [range.lowerBound, range.upperBound] where border < document.count {
            expect(!UTF8.isContinuation(document[border]), "\(range) cuts a character")
        }
    }
}
