import Testing
import TestNumbers

@testable import SynthHTTPServer

@Suite("Reading multipart forms")
struct MultipartReaderTests {
    /// Returns the parts of a body that arrives in chunks of the given size.
    private func read(
        _ body: [UInt8], type: String = "multipart/form-data; boundary=x", by piece: Int = .max
    ) throws(HTTPRefusal) -> [String] {
        var reader = try MultipartReader(contentType: type)
        var told: [String] = []
        var text: [UInt8] = []
        var rest = body[...]
        while true {
            while let event = try reader.next() {
                switch event {
                case .part(let name): told.append("part \(name)")
                case .bytes(let bytes):
                    #expect(!bytes.isEmpty)
                    text += bytes
                case .partEnds:
                    told.append(String(decoding: text, as: UTF8.self))
                    text = []
                case .end: told.append("end")
                }
            }
            if rest.isEmpty { break }
            reader.append(rest.prefix(piece))
            rest = rest.dropFirst(piece)
        }
        try reader.finish()
        return told
    }

    private func refusal(_ body: String, type: String = "multipart/form-data; boundary=x") -> HTTPRefusal? {
        do throws(HTTPRefusal) {
            _ = try read(Array(body.utf8), type: type)
            return nil
        } catch {
            return error
        }
    }

    private static let head = "Content-Disposition: form-data; name="

    @Test("The parts of a form do not depend on the chunk size")
    func parts() throws {
        let body =
            "--x\r\n\(Self.head)\"model\"\r\n\r\nwhisper-1\r\n--x \t\r\nContent-Type: audio/wav\r\n"
            + "content-disposition: FORM-DATA; filename=\"a;\\\"b\\\".wav\"; name=file\r\n\r\n\r\n--\r\n--y\r\r\n-\r\n--x\r\n"
            + "\(Self.head)\"empty\"\r\n\r\n\r\n--x--\r\nwhatever follows\r\n--x\r\n"
        let expected = ["part model", "whisper-1", "part file", "\r\n--\r\n--y\r\r\n-", "part empty", "", "end"]
        for piece in [1, 2, 3, 7, 64, .max] { #expect(try read(Array(body.utf8), by: piece) == expected) }
        #expect(try read(Array("\r\n\(body)".utf8)) == expected)
        #expect(try read(Array("--x--".utf8), type: "Multipart/Form-Data;boundary=\"x\"") == ["end"])
    }

    @Test("A damaged form produces the same result or the same rejection for all chunk sizes")
    func damage() {
        let whole = Array(
            ("--x\r\n\(Self.head)\"model\"\r\n\r\nwhisper-1\r\n--x\r\nContent-Type: audio/wav\r\n"
                + "\(Self.head)\"file\"; filename=\"a.wav\"\r\n\r\n\r\n--\r\n--y\r\r\n-\r\n--x--\r\n").utf8)
        var random = SeededRandom(36)
        var (taken, refused) = (0, 0)
        for _ in 0..<3000 {
            var body = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<body.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: body[place] = [0, 0x0A, 0x0D, 0x22, 0x2D, 0x3A, 0x5C, 0xFF].randomElement(using: &random) ?? 0
                case 1: body.removeSubrange(place..<min(body.count, place + Int.random(in: 1...9, using: &random)))
                case 2: body.insert(contentsOf: body[place..<min(body.count, place + 20)], at: place)
                default: body.swapAt(place, Int.random(in: 0..<body.count, using: &random))
                }
                if body.isEmpty { body = [0x2D] }
            }
            let piece = Int.random(in: 1...40, using: &random)
            let (once, cut) = (
                Result { () throws(HTTPRefusal) in try read(body) },
                Result { () throws(HTTPRefusal) in try read(body, by: piece) }
            )
            #expect(once == cut, "\(piece): \(body)")
            if case .success = once { taken += 1 } else { refused += 1 }
        }
        #expect(taken > 100 && refused > 100)
    }

    @Test("Binary parts are left unchanged")
    func binary() throws {
        let sound = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 3) }
        let body = Array("--x\r\n\(Self.head)file\r\n\r\n".utf8) + sound + Array("\r\n--x--\r\n".utf8)
        for piece in [1000, 4096, .max] {
            var reader = try MultipartReader(contentType: "multipart/form-data; boundary=x")
            var (taken, place): ([UInt8], Int) = ([], 0)
            while place < body.count {
                let end = place + min(piece, body.count - place)
                reader.append(body[place..<end])
                place = end
                while let event = try reader.next() { if case .bytes(let bytes) = event { taken += bytes } }
            }
            #expect(taken == sound)
        }
    }

    @Test("A content type without exactly one valid boundary is rejected")
    func types() {
        for type in [
            "", "application/json", "multipart/form-data", "multipart/mixed; boundary=x",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\"", "multipart/form-data; boundary=a; boundary=b",
            "multipart/form-data; boundary=\"a\u{7F}\"", "multipart/form-data; boundary=\"a \"",
            "multipart/form-data; boundary=\(String(repeating: "a", count: 71))", "multipart/form-data boundary=x",
            "multipart/form-data; boundary=ä",
        ] { #expect(refusal("--x--", type: type) == .formType, "\(type)") }
        #expect(throws: HTTPRefusal.formType) { _ = try MultipartReader(contentType: nil) }
        let long = String(repeating: "a", count: 70)
        #expect(refusal("--\(long)--", type: "multipart/form-data; boundary=\(long)") == nil)
    }

    @Test("A malformed, oversized or truncated form is rejected")
    func hostile() {
        let part = "--x\r\n\(Self.head)a\r\n\r\n\r\n"
        let cases: [(String, HTTPRefusal)] = [
            ("", .formCutShort), ("--x", .formCutShort), ("--x\r\n", .formCutShort), (part, .formCutShort),
            (part + "--x-", .formCutShort),
            ("--x\r\n\(Self.head)a\r\n\r\nabc", .formCutShort), (String(repeating: "a", count: 1000), .formBoundary),
            ("--xy\r\n", .formBoundary), ("--x  y\r\n", .formBoundary), ("--x\n\n", .formHead),
            ("--x\(String(repeating: " ", count: 300))\r\n", .formHeadTooLong),
            ("--x\r\n\r\n", .formHead), ("--x\r\nContent-Type: a/b\r\n\r\n", .formHead),
            ("--x\r\nno header\r\n", .formHead),
            ("--x\r\n\(Self.head)\"\"\r\n\r\n", .formHead), ("--x\r\n\(Self.head)\"a\r\n\r\n", .formHead),
            ("--x\r\n\(Self.head)a; name=b\r\n\r\n", .formHead), ("--x\r\n\(Self.head)a\nb: c\r\n\r\n", .formHead),
            ("--x\r\nContent-Disposition: attachment; name=a\r\n\r\n", .formHead),
            ("--x\r\n\(Self.head)\(String(repeating: "a", count: 257))\r\n\r\n", .formHead),
            ("--x\r\n\(Self.head)a\r\n\(Self.head)b\r\n\r\n", .formHead),
            ("--x\r\n\(Self.head)a\r\nContent-Transfer-Encoding: base64\r\n\r\n", .formEncoding),
            ("--x\r\n\(String(repeating: "A: b\r\n", count: 17))", .formHeadTooLong),
            ("--x\r\nA: \(String(repeating: "b", count: 9000))", .formHeadTooLong),
            (String(repeating: part, count: MultipartReader.maximumParts + 1), .formTooManyParts),
        ]
        for (body, expected) in cases { #expect(refusal(body) == expected, "\(body.prefix(60))") }
    }

    @Test("A random form produces the same result for all chunk sizes")
    func cuts() {
        let parts = [
            "--x", "\r\n", "\r\n--x", "--", "\r", "\n", "\(Self.head)a", "\r\n\r\n", "A: b", "text", " ", "\u{0}", "-",
            "x", "\"",
        ]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let count = Int.random(in: 0..<30, using: &generator)
            let words = (0..<count).map { _ in parts[Int.random(in: 0..<parts.count, using: &generator)] }
            let body = Array(("--x\r\n\(Self.head)a\r\n" + words.joined()).utf8)
            func outcome(_ piece: Int) -> Result<[String], HTTPRefusal> {
                do throws(HTTPRefusal) { return .success(try read(body, by: piece)) } catch {
                    return .failure(error)
                }
            }
            let whole = outcome(.max)
            for piece in [1, 2, 5] { #expect(outcome(piece) == whole, "\(words)") }
        }
    }

    @Test("After a rejection, the reader rejects all further data and stores none of it")
    func failed() throws {
        var reader = try MultipartReader(contentType: "multipart/form-data; boundary=x")
        reader.append(Array("--xy\r\n".utf8))
        #expect(throws: HTTPRefusal.formBoundary) { _ = try reader.next() }
        reader.append(Array("--x--".utf8))
        #expect(throws: HTTPRefusal.formBoundary) { _ = try reader.next() }
        #expect(throws: HTTPRefusal.formBoundary) { try reader.finish() }
    }
}
