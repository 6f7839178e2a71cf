import SynthScript
import SynthSystem
import Testing

@Suite("Text encoding")
struct EncodingTests {
    struct BadText: Sendable {
        let bytes: [UInt8]
        let error: SpeechError
    }

    static let bad: [BadText] = [
        BadText(bytes: [0x63, 0x61, 0x66, 0xE9, 0x20, 0x6F], error: .invalidUTF8(offset: 3, byte: 0xE9)),
        BadText(bytes: [0x80], error: .invalidUTF8(offset: 0, byte: 0x80)),
        BadText(bytes: [0x41, 0xC0, 0xAF], error: .invalidUTF8(offset: 1, byte: 0xC0)),
        BadText(bytes: [0x41, 0xC1, 0xBF], error: .invalidUTF8(offset: 1, byte: 0xC1)),
        BadText(bytes: [0xE0, 0x9F, 0xBF], error: .invalidUTF8(offset: 0, byte: 0xE0)),
        BadText(bytes: [0x41, 0x42, 0xED, 0xA0, 0x80], error: .invalidUTF8(offset: 2, byte: 0xED)),
        BadText(bytes: [0xF0, 0x8F, 0xBF, 0xBF], error: .invalidUTF8(offset: 0, byte: 0xF0)),
        BadText(bytes: [0xF4, 0x90, 0x80, 0x80], error: .invalidUTF8(offset: 0, byte: 0xF4)),
        BadText(bytes: [0xF5, 0x80, 0x80, 0x80], error: .invalidUTF8(offset: 0, byte: 0xF5)),
        BadText(bytes: [0x41, 0xE2, 0x82, 0x41], error: .invalidUTF8(offset: 1, byte: 0xE2)),
        BadText(bytes: [0x41, 0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0x98], error: .truncatedUTF8(offset: 4)),
        BadText(bytes: [0x41, 0xC3], error: .truncatedUTF8(offset: 1)),
        BadText(bytes: [0xFF, 0xFE, 0x41, 0x00], error: .utf16),
        BadText(bytes: [0xFE, 0xFF, 0x00, 0x41], error: .utf16),
        BadText(bytes: [0xFF, 0x41], error: .invalidUTF8(offset: 0, byte: 0xFF)),
        BadText(bytes: [0xFE], error: .invalidUTF8(offset: 0, byte: 0xFE)),
        BadText(bytes: [0x41, 0xFF, 0xFE], error: .invalidUTF8(offset: 1, byte: 0xFF)),
        BadText(
            bytes: [UInt8](repeating: 0x41, count: 100) + [0xE9, 0x41], error: .invalidUTF8(offset: 100, byte: 0xE9)),
    ]

    @Test(
        "The error for invalid UTF-8 includes the position of the bytes, regardless of how the text is split",
        arguments: bad
    )
    func invalid(_ text: BadText) {
        for size in 1...text.bytes.count {
            #expect(throws: text.error) { try Splitting.utterances(text.bytes, chunk: size) }
            #expect(throws: text.error) { try Self.validate(text.bytes, chunk: size) }
        }
    }

    @Test("The first and last characters of every encoded length are valid, regardless of where the text is split")
    func valid() throws {
        let text =
            "\u{0}\u{7F}\u{80}\u{7FF}\u{800}\u{FFF}\u{1000}\u{CFFF}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{FFFFF}\u{10FFFF}"
        let bytes = Array((text + String(repeating: "x", count: 70) + text).utf8)
        for size in 1...bytes.count { try Self.validate(bytes, chunk: size) }
    }

    @Test("Text before an invalid byte is still spoken, and later calls throw the same error")
    func beforeError() throws {
        for tail in [[0xE2, 0x82, 0x41], [0xC3, 0xC3], [0x80]] as [[UInt8]] {
            var script = PlainTextScript()
            try script.append("One. Two")
            var thrown: [SpeechError] = []
            for byte in tail + [0x20] {
                do throws(SpeechError) { try script.append([byte].span) } catch { thrown.append(error) }
            }
            do throws(SpeechError) { try script.finish() } catch { thrown.append(error) }
            #expect(thrown.count >= 2)
            #expect(thrown.allSatisfy { $0 == thrown.first })
            #expect(script.next()?.text == "One.")
            #expect(script.next()?.text == "Two")
            #expect(script.next() == nil)
        }
    }

    @Test("A byte order mark is not spoken but is included in positions")
    func mark() throws {
        let utterances = try Splitting.utterances([0xEF, 0xBB, 0xBF] + Array("- one".utf8), chunk: 1)
        #expect(utterances.map(\.text) == ["- one"])
        #expect(utterances.map(\.sourceRange) == [3..<8])
    }

    private static func validate(_ bytes: [UInt8], chunk: Int) throws(SpeechError) {
        var validator = UTF8Validator()
        var index = 0
        while index < bytes.count {
            let end = min(index + chunk, bytes.count)
            try validator.validate(Array(bytes[index..<end]).span)
            index = end
        }
        try validator.finish()
    }
}
