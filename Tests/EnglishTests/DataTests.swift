import EngineKit
import TestNumbers
import Testing

@testable import SynthEnglish

@Suite("The data of English") struct EnglishDataTests {
    static let names = ["american.words", "british.words", "english.tags", "english.sounds"]

    /// Opens a file of the data as the reader does, and reads with it.
    private func open(_ bytes: [UInt8], _ name: String) throws {
        let data = DataBytes(bytes, path: name)
        switch name {
        case "english.tags": _ = try Tagger(TensorFile(data)).tags(of: ["The", "cat", "sat", "."])
        case "english.sounds": _ = try LetterNet(TensorFile(data), .american).sounds(of: "zorblat".unicodeScalars)
        default:
            let list = try WordList(data)
            for word in ["a", "the", "zebra", "read", "ZZ", "", "\u{10FFFF}"] { _ = list.find(word) }
        }
    }

    @Test("a damaged file is refused, or read without harm", arguments: names)
    func damaged(name: String) throws {
        let whole = try EnglishData.builtIn.file(name).bytes
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

    @Test("a file that ends early is refused, with its name", arguments: names)
    func cut(name: String) throws {
        let whole = try EnglishData.builtIn.file(name).bytes
        for count in [0, 4, 8, 12, 20, 100, 5000, whole.count / 2, whole.count - 1] {
            let error = #expect(throws: EngineError.self) { try open(Array(whole.prefix(count)), name) }
            #expect(error?.description.contains(name) == true)
        }
        #expect(throws: EngineError.self) { try open(whole + [0], name) }
    }

    @Test("a number that is none is refused")
    func notANumber() throws {
        var bytes: [UInt8] = Array("SYNNETS1".utf8)
        for number: UInt32 in [0, 1, 0, 1, 1] { bytes += withUnsafeBytes(of: number.littleEndian, Array.init) }
        bytes += withUnsafeBytes(of: Float.nan.bitPattern.littleEndian, Array.init)
        #expect(throws: EngineError.self) { try TensorFile(DataBytes(bytes, path: "x")) }
    }

    @Test("a missing folder is named")
    func missing() {
        let error = #expect(throws: EngineError.self) { try EnglishReader(.american, .folder("/nowhere")) }
        #expect(error?.message.contains("/nowhere/american.words") == true)
    }

    @Test("all words of a list are found")
    func everyWord() throws {
        let list = try WordList(EnglishData.builtIn.file("american.words"))
        for word in ["aardvark", "zebra", "cannot", "o'clock", "A-team", "US", "'cause"] {
            let found = list.find(word)
            #expect(found.gold != nil || found.silver != nil, "\(word)")
        }
        #expect(list.find("aardvarkk").gold == nil)
        #expect(list.find("read").gold?.others.map(\.tag).contains("VBD") == true)
    }
}
