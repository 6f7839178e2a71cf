@testable import SynthHTTPServer

/// The rules for messages from clients. Messages may arrive in chunks of any size, which must not affect the result.
enum RequestChecks {
    /// The sizes of the chunks: the entire input, single bytes, and seven bytes.
    private static func steps(_ count: Int) -> [Int] { [max(1, count), 1, 7] }

    static func violations<Value: Equatable>(_ bytes: [UInt8], _ read: ([ArraySlice<UInt8>]) -> Value) -> [String] {
        let values = steps(bytes.count).map { step in
            read(stride(from: 0, to: bytes.count, by: step).map { bytes[$0..<min(bytes.count, $0 + step)] })
        }
        return values.dropFirst().filter { $0 != values[0] }.map { "\(values[0]) at once, but \($0) in chunks" }
    }

    // MARK: - HTTP

    private struct Requests: Equatable {
        var heads: [HTTPRequestHead] = []
        var bodies: [[UInt8]] = []
        var ends = 0
        var refusal: HTTPRefusal?
    }

    static func violations(inRequests bytes: [UInt8]) -> [String] {
        var found: [String] = []
        found += violations(bytes) { pieces in
            var (reader, requests) = (HTTPRequestReader(longestBody: 2048), Requests())
            do throws(HTTPRefusal) {
                for piece in pieces {
                    reader.append(piece)
                    while let event = try reader.next() {
                        switch event {
                        case .head(let head):
                            requests.heads.append(head)
                            requests.bodies.append([])
                            found += violations(of: head)
                        case .body(let body):
                            if body.isEmpty { found.append("an empty part of a body") }
                            requests.bodies[requests.bodies.count - 1] += body
                        case .end: requests.ends += 1
                        }
                    }
                }
            } catch {
                requests.refusal = error
            }
            let size = requests.bodies.reduce(0) { $0 + $1.count }
            if size > bytes.count || requests.bodies.contains(where: { $0.count > 2048 }) {
                found.append("bodies of \(size) bytes, which is too many")
            }
            return requests
        }
        return found
    }

    private static func violations(of head: HTTPRequestHead) -> [String] {
        let path = head.target.path
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        var found: [String] = []
        if !path.hasPrefix("/") || parts.contains("..") || parts.contains(".") || path.utf8.contains(0) {
            found.append("the unsafe path \(path)")
        }
        for field in head.headers.fields {
            if field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) {
                found.append("a control byte in \(field)")
            }
            _ = AcceptedLanguages(field.value).choice(of: ["de", "en-US"])
            if let host = HTTPHosts.Authority(field.value), host.host.isEmpty { found.append("an empty host") }
        }
        return found
    }

    // MARK: - Forms

    /// The first line is the content type.
    static func violations(inForm input: [UInt8]) -> [String] {
        let type = String(decoding: input.prefix { $0 != 0x0A }, as: UTF8.self)
        let bytes = Array(input[min(input.count, type.utf8.count + 1)...])
        return violations(bytes) { pieces in
            var parts: [String] = []
            do {
                var reader = try MultipartReader(contentType: type)
                for piece in pieces {
                    reader.append(piece)
                    while let event = try reader.next() {
                        switch event {
                        case .part(let name): parts.append("part \(name): ")
                        case .bytes(let bytes):
                            parts[parts.count - 1] += bytes.map { String($0, radix: 16) }.joined(separator: " ") + " "
                        case .partEnds: parts.append("end of the part")
                        case .end: parts.append("end")
                        }
                    }
                }
                try reader.finish()
            } catch {
                parts.append("\(error)")
            }
            return parts
        }
    }

    // MARK: - WebSocket

    static func violations(inFrames bytes: [UInt8]) -> [String] {
        var found: [String] = []
        found += violations(bytes) { pieces in
            var reader = WebSocketReader(longestMessage: 1024)
            var events: [WebSocketReader.Event] = []
            for piece in pieces {
                reader.append(piece)
                while let event = reader.next() { events.append(event) }
            }
            for case .text(let text) in events where text.utf8.count > 1024 { found.append("\(text.utf8.count) bytes") }
            for case .binary(let bytes) in events where bytes.count > 1024 { found.append("\(bytes.count) bytes") }
            return events
        }
        return found
    }
}
