import Testing

@testable import SynthWhisper

@Suite("Segments") struct SegmentTests {
    private let table: TokenTable

    init() throws { table = try Fixture.table() }

    private func time(_ seconds: Double) -> Int { table.zero + Int((seconds * 50).rounded()) }
    private func words(_ text: String) -> [Int] { TokenEncoder(table).tokens(of: text) }
    private func maker(_ length: Double = 30) -> SegmentMaker {
        SegmentMaker(table: table, offset: 100, length: length)
    }

    @Test("Segments are delimited by timestamp tokens") func parts() {
        let (first, second) = (words(" the tern"), words(" said"))
        let parts = maker().parts([time(0.5)] + first + [time(2), time(3)] + second + [time(40)])
        #expect(parts.map(\.start) == [0.5, 3] && parts.map(\.end) == [2, 30])
        #expect(parts[0].places == Array(1...first.count))
        let open = maker().parts([time(0)] + first + [time(2), time(2)] + second)
        #expect(open.map(\.end) == [2, nil] && open.last?.start == 2)
        #expect(maker().parts([]).isEmpty && maker().parts([time(0), time(2)]).isEmpty)
        #expect(maker().parts(first).map(\.end) == [nil])
    }

    @Test("Segments contain words with their positions, times and confidence") func timedWords() throws {
        let tokens = [time(0)] + words(" the terns said,") + [time(2)]
        var text = WindowText(tokens: tokens, logarithms: tokens.map { _ in -0.5 }, language: "jw")
        let count = tokens.count - 2
        text.spans = (0..<count).map { Double($0)...Double($0 + 1) }
        let segment = try #require(maker().segment(maker().parts(tokens)[0], of: text))
        #expect(segment.text == "the terns said," && segment.seconds == 100...102 && segment.language == "jv")
        let bytes = Array(segment.text.utf8)
        #expect(segment.words.map { String(decoding: bytes[$0.bytes], as: UTF8.self) } == ["the", "terns", "said,"])
        #expect(
            segment.words.first?.seconds == 100...101 && segment.words.last?.seconds.upperBound == 100 + Double(count))
        #expect(abs(segment.confidence - 0.60653) < 1e-4 && abs(segment.words[1].confidence - 0.60653) < 1e-4)
    }

    @Test("In a language without spaces, each character counts as a word") func noSpaces() throws {
        let tokens = Array("日本".utf8).compactMap { table.id([$0]) }
        var text = WindowText(tokens: tokens, logarithms: tokens.map { _ in 0 }, language: "ja")
        text.spans = (0..<6).map { Double($0)...Double($0 + 1) }
        let segment = try #require(maker().segment(maker().parts(tokens)[0], of: text))
        #expect(segment.text == "日本" && segment.words.map(\.bytes) == [0..<3, 3..<6])
        #expect(segment.words.map(\.seconds) == [100...103, 103...106])
    }

    @Test("Segments without words or with incomplete characters do not cause errors") func broken() throws {
        let space = words(" ")
        #expect(maker().segment(maker().parts(space + space)[0], of: WindowText(tokens: space + space)) == nil)
        let cut = Array("é".utf8).prefix(1).compactMap { table.id([$0]) } + words(" a")
        var text = WindowText(tokens: cut)
        text.spans = [1...1]
        let segment = try #require(maker().segment(maker().parts(cut)[0], of: text))
        #expect(segment.text == "\u{FFFD} a" && segment.confidence == 0)
        #expect(segment.words.allSatisfy { $0.bytes.upperBound <= segment.text.utf8.count })
    }
}
