import EngineKit
import SynthEnglish

/// The kinds of input for small voices: English text, the pronunciation data, and a voice's graph. The first byte of an input
/// selects its kind, so any bytes are valid.
package enum VoiceForm: String, CaseIterable, Sendable {
    /// Arbitrary text.
    case text
    /// A word list, with corrected checksums.
    case words
    /// Edits of the trained networks; see `Edits`.
    case tags, sounds
    /// Edits of a voice's graph.
    case graph

    /// - Returns: The violated invariants; empty if there are none.
    package static func violations(in input: [UInt8]) -> [String] {
        guard let first = input.first else { return [] }
        let form = allCases.first { $0.letter == first } ?? allCases[Int(first) % allCases.count]
        return form.violations(in: Array(input.dropFirst()))
    }

    /// The first byte of an input of this kind.
    package var letter: UInt8 {
        switch self {
        case .text: UInt8(ascii: "t")
        case .words: UInt8(ascii: "w")
        case .tags: UInt8(ascii: "p")
        case .sounds: UInt8(ascii: "s")
        case .graph: UInt8(ascii: "g")
        }
    }

    /// - Parameter bytes: The input without its first byte.
    package func violations(in bytes: [UInt8]) -> [String] {
        switch self {
        case .text: TextInvariants.violations(in: String(decoding: bytes, as: UTF8.self))
        case .words: refusals(naming: "english.words") { try Self.read(words: bytes) }
        case .tags:
            refusals(naming: "english.tags") {
                let whole = try EnglishData.builtIn.file("english.tags").bytes.copy
                let net = try TensorFile(DataBytes(Edits.applied(bytes, to: whole), path: "english.tags"))
                _ = try Tagger(net).tags(of: ["The", "cat", "sat", "."])
            }
        case .sounds:
            refusals(naming: "english.sounds") {
                let whole = try EnglishData.builtIn.file("english.sounds").bytes.copy
                let net = try TensorFile(DataBytes(Edits.applied(bytes, to: whole), path: "english.sounds"))
                _ = try LetterNet(net, .british).sounds(of: "zorblat".unicodeScalars)
            }
        case .graph: GraphInvariants.violations(in: bytes)
        }
    }

    /// Reads the list from the bytes after the checksums and looks up words that it may contain.
    private static func read(words bytes: [UInt8]) throws {
        let sums = DataBytes(bytes, path: "").sums
        var file = Array("SYNWORD2".utf8)
        for sum in [sums.0, sums.1] { file += withUnsafeBytes(of: UInt32(sum).littleEndian, Array.init) }
        for accent in EnglishAccent.allCases {
            let list = try WordList(DataBytes(file + bytes, path: "english.words"), accent)
            for word in ["", "a", "bath", "read", "reads", "ZZ", "\u{1}", "\u{10FFFF}"] { _ = list.find(word) }
            // Looks up substrings of the file, some of which are words in the list.
            for start in stride(from: 0, to: bytes.count, by: 7) {
                _ = list.find(String(decoding: bytes[start..<min(start + 9, bytes.count)], as: UTF8.self))
            }
        }
    }

    /// Returns the errors that do not name the file; empty if there are none.
    private func refusals(naming name: String, _ read: () throws -> Void) -> [String] {
        do {
            try read()
            return []
        } catch let error as EngineError {
            return error.message.contains(name) ? [] : ["\(self): \(error.message)"]
        } catch {
            return ["\(self): \(error)"]
        }
    }
}
