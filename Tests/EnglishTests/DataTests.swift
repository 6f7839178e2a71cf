import EngineKit
import TestNumbers
import Testing

@testable import SynthEnglish

@Suite("The English data") struct EnglishDataTests {
    static let names = ["english.words", "english.tags", "english.sounds"]

    /// Opens a data file as the reader does and uses it.
    private func open(_ bytes: [UInt8], _ name: String) throws {
        let data = DataBytes(bytes, path: name)
        switch name {
        case "english.tags": _ = try Tagger(TensorFile(data)).tags(of: ["The", "cat", "sat", "."])
        case "english.sounds": _ = try LetterNet(TensorFile(data), .american).sounds(of: "zorblat".unicodeScalars)
        default:
            let list = try WordList(data, .british)
            for word in ["a", "the", "zebra", "read", "ZZ", "", "\u{10FFFF}"] { _ = list.find(word) }
        }
    }

    @Test("A damaged file is either rejected or harmless", arguments: names)
    func damaged(name: String) throws {
        let whole = try EnglishData.builtIn.file(name).bytes.copy
        try open(whole, name)
        var random = SeededRandom(7)
        for _ in 0..<40 {
            var bytes = whole
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<min(bytes.count, 4096), using: &random)] = .random(in: 0...255, using: &random)
            }
            bytes[Int.random(in: bytes.indices, using: &random)] ^= 0x80
            do { try open(bytes, name) } catch { #expect("\(error)".contains(name)) }
        }
    }

    @Test("A truncated file is rejected, and the error includes its name", arguments: names)
    func cut(name: String) throws {
        let whole = try EnglishData.builtIn.file(name).bytes.copy
        for count in [0, 4, 8, 12, 20, 100, 5000, whole.count / 2, whole.count - 1] {
            let error = #expect(throws: EngineError.self) { try open(Array(whole.prefix(count)), name) }
            #expect(error?.description.contains(name) == true)
        }
        #expect(throws: EngineError.self) { try open(whole + [0], name) }
    }

    @Test("A NaN is rejected")
    func notANumber() throws {
        var bytes: [UInt8] = Array("SYNNETS1".utf8)
        for number: UInt32 in [0, 1, 0, 1, 1] { bytes += withUnsafeBytes(of: number.littleEndian, Array.init) }
        bytes += withUnsafeBytes(of: Float.nan.bitPattern.littleEndian, Array.init)
        #expect(throws: EngineError.self) { try TensorFile(DataBytes(bytes, path: "x")) }
    }

    @Test("The built-in data is not copied", arguments: names)
    func builtIn(name: String) throws {
        func start(_ bytes: FixedBytes) -> UnsafePointer<UInt8>? { bytes.withUnsafeBufferPointer { $0.baseAddress } }
        let (one, other) = (try EnglishData.builtIn.file(name).bytes, try EnglishData.builtIn.file(name).bytes)
        #expect(start(one) == start(other))
        #expect(start(one[8..<20]) == start(one).map { $0 + 8 } && one[8..<20].count == 12)
        #expect(one[8..<20].copy == FixedBytes(one.copy)[8..<20].copy)
    }

    @Test("If the folder is missing, the error names it")
    func missing() {
        let error = #expect(throws: EngineError.self) { try EnglishReader(.american, .folder("/nowhere")) }
        #expect(error?.message.contains("/nowhere/english.words") == true)
    }

    @Test("A word list with one changed byte is rejected")
    func sums() throws {
        let whole = try EnglishData.builtIn.file("english.words").bytes.copy
        var random = SeededRandom(11)
        for _ in 0..<200 {
            var bytes = whole
            bytes[Int.random(in: bytes.indices, using: &random)] ^= .random(in: 1...255, using: &random)
            let error = #expect(throws: EngineError.self) { try WordList(DataBytes(bytes, path: "a.words"), .american) }
            #expect(error?.message.contains("a.words") == true)
        }
    }

    @Test("Words in the list are found; other words are not", arguments: EnglishAccent.allCases)
    func everyWord(accent: EnglishAccent) throws {
        let list = try WordList(EnglishData.builtIn.file("english.words"), accent)
        for word in ["aardvark", "zebra", "cannot", "o'clock", "A-team", "US", "'cause"] {
            #expect(list.find(word) != nil, "\(word)")
        }
        for word in ["aardvarkk", "aardvar", "", "\u{1}", "zzz", "a\u{0}"] {
            #expect(list.find(word) == nil, "\(word)")
        }
        #expect(list.find("read")?.others.map(\.tag).contains("VBD") == true)
        #expect(list.find("read")?.isGold == true)
    }

    @Test(
        "Each accent has its own pronunciations",
        arguments: [
            // The first pair follows from the rules, the second overrides them, and the other words are in only one
            // list.
            ("colour", "kˈʌləɹ", "kˈʌlə"), ("bath", "bˈæθ", "bˈɑːθ"), ("stepping", "stˈɛpɪŋ", nil),
            ("gourdy", nil, "ɡˈʊədi"),
        ] as [(String, String?, String?)])
    func accents(word: String, american: String?, british: String?) throws {
        let file = try EnglishData.builtIn.file("english.words")
        func sounds(_ accent: EnglishAccent) throws -> String? {
            try WordList(file, accent).find(word).map { String(String.UnicodeScalarView($0.reading)) }
        }
        #expect(try sounds(.american) == american)
        #expect(try sounds(.british) == british)
    }
}
