@testable import SynthHTTPServer

/// The events that a reader returns for bytes that are split into pieces.
struct HTTPReading: Equatable {
    /// The events, with consecutive parts of a body joined.
    var events: [HTTPRequestReader.Event] = []
    var refusal: HTTPRefusal?
    var isClosed = false

    init(_ bytes: [UInt8], piece: Int = .max, longestBody: Int = 1 << 20) {
        let cuts = Array(stride(from: min(piece, bytes.count), to: bytes.count, by: min(piece, bytes.count + 1)))
        self.init(bytes, cuts: cuts, longestBody: longestBody)
    }

    /// - Parameter cuts: The positions between the pieces, in order.
    init(_ bytes: [UInt8], cuts: [Int], longestBody: Int = 1 << 20) {
        var reader = HTTPRequestReader(longestBody: longestBody)
        var start = 0
        var body: [UInt8] = []
        do throws(HTTPRefusal) {
            for end in cuts + [bytes.count] {
                reader.append(bytes[start..<end])
                start = end
                while let event = try reader.next() {
                    if case .body(let part) = event {
                        body += part
                        continue
                    }
                    if !body.isEmpty { events.append(.body(body)) }
                    body = []
                    events.append(event)
                }
            }
        } catch {
            refusal = error
        }
        if !body.isEmpty { events.append(.body(body)) }
        isClosed = reader.isClosed
    }

    var heads: [HTTPRequestHead] {
        events.compactMap { if case .head(let head) = $0 { head } else { nil } }
    }

    /// The bodies of all complete requests.
    var bodies: [String] {
        var bodies: [String] = []
        var body = ""
        for event in events {
            switch event {
            case .head: body = ""
            case .body(let bytes): body = String(decoding: bytes, as: UTF8.self)
            case .end: bodies.append(body)
            }
        }
        return bodies
    }
}
