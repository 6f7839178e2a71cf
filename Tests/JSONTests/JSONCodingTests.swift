import Foundation
import Testing
import TestNumbers

@testable import SynthJSON

@Suite("Encoding and decoding JSON")
struct JSONCodingTests {
    private enum Shape: Codable, Equatable {
        case none
        case circle(radius: Double)
        case words(String, [String])
    }

    private struct Part: Codable, Equatable {
        var name: String
        var size: Int64
        var gain: Float?
        var shapes: [Shape]
        var limits: [String: [Int?]]
        var isOptional: Bool?
    }

    private static let parts = [
        Part(
            name: "é\"\n\u{1}/", size: 1 << 40, gain: 0.1,
            shapes: [.none, .circle(radius: 1e-7), .words("a", []), .words("", ["b", "c"])],
            limits: ["x": [1, nil, -3], "": []], isOptional: false),
        Part(name: "", size: 0, gain: nil, shapes: [], limits: [:], isOptional: nil),
    ]

    @Test("Values are compatible with Foundation in both directions", arguments: parts.indices)
    func foundation(index: Int) throws {
        let part = Self.parts[index]
        let text = JSONWriter.line(of: try JSONNode(encoding: part))
        #expect(try JSONDecoder().decode(Part.self, from: Data(text.utf8)) == part)
        let other = try JSONReader.read(Array(try JSONEncoder().encode(part)))
        #expect(try other.decode(Part.self) == part)
        #expect(try JSONReader.read(Array(text.utf8)).decode(Part.self) == part)
    }

    @Test(
        "Values of the wrong type cause the same error as in Foundation, with the same path",
        arguments: [
            #"{}"#, #"[]"#, #"{"name": 1}"#, #"{"name": null}"#, #"{"name": "", "size": "1"}"#,
            #"{"name": "", "size": 1, "gain": "a"}"#, #"{"name": "", "size": 1, "shapes": {}}"#,
            #"{"name": "", "size": 1, "shapes": [{"circle": {}}], "limits": {}}"#,
            #"{"name": "", "size": 1, "shapes": [], "limits": {"a": [1, true]}}"#,
            #"{"name": "", "size": 1, "shapes": [], "limits": {"a": 1}}"#,
            #"{"name": "", "size": 1, "shapes": [], "limits": {"7": [true]}}"#,
        ])
    func faults(text: String) {
        func path(_ body: () throws -> Part) -> String {
            do {
                return "\(try body())"
            } catch {
                func names(_ context: DecodingError.Context) -> String {
                    context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
                }
                return switch error {
                case DecodingError.keyNotFound(let key, let context): "no \(key.stringValue) in \(names(context))"
                case DecodingError.typeMismatch(_, let context): "mismatch at \(names(context))"
                case DecodingError.valueNotFound(_, let context): "null at \(names(context))"
                default: "\(error)"
                }
            }
        }
        let ours = path { try JSONReader.read(Array(text.utf8)).decode(Part.self) }
        #expect(ours == path { try JSONDecoder().decode(Part.self, from: Data(text.utf8)) })
    }

    @Test("Numbers that JSON cannot represent cause errors in both directions")
    func numbers() throws {
        #expect {
            try JSONNode(encoding: [1, Double.infinity])
        } throws: { error in
            guard case .invalidValue(_, let context)? = error as? EncodingError else { return false }
            return context.codingPath.map(\.intValue) == [1]
        }
        #expect(throws: DecodingError.self) { try JSONNode(.number(1e300)).decode(Int64.self) }
        #expect(try JSONNode(.number(0x1p63)).decode(Int64.self) == .max)
        #expect(try JSONNode(.number(7)).decode(UInt.self) == 7)
        #expect(JSONWriter.line(of: try JSONNode(encoding: [Int64.max])) == "[9.223372036854776e+18]")
        #expect(JSONWriter.line(of: try JSONNode(encoding: [1 << 53])) == "[9007199254740992]")
        #expect(throws: DecodingError.self) { try JSONNode(.number(256)).decode(UInt8.self) }
        #expect(throws: DecodingError.self) { try JSONNode(.number(0.5)).decode(Int.self) }
        #expect(try JSONNode(.number(255)).decode(UInt8.self) == 255)
    }

    @Test("Unknown keys are ignored, and the first value of a repeated key is used")
    func repeated() throws {
        let text = #"{"radius": 1, "more": [{}], "radius": 2}"#
        let root = try JSONReader.read(Array(text.utf8), allowsRepeatedKeys: true)
        #expect(try root.decode(Radius.self).radius == 1)
    }

    private struct Radius: Decodable {
        var radius: Double
    }

    @Test("Base64 is encoded and decoded as in Foundation")
    func base64() {
        var numbers = SeededRandom(7)
        for count in 0..<80 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            let text = Data(bytes).base64EncodedString()
            #expect(Base64.text(of: bytes) == text)
            #expect(Base64.bytes(of: text) == bytes)
        }
        for bad in ["A", "AB", "AAA", "A===", "====", "AA A", "AAA\n", "A=AA", "AA==AAAA", "é="] {
            #expect(Base64.bytes(of: bad) == nil, "\(bad)")
        }
    }

    @Test("The zero before the decimal point of a number may be omitted")
    func decimals() {
        for (text, number) in [("0.2", 0.2), (".2", 0.2), ("-1", -1), ("1e2", 100), ("0", 0)] {
            #expect(Double(decimal: text) == number, "\(text)")
        }
        for text in ["", ".", "..2", "0x1", "nan", "1 2", "--1", ".", "1.", ".e1", String(repeating: "1", count: 65)] {
            #expect(Double(decimal: text) == nil, "\(text)")
        }
    }
}
