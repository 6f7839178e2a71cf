import CSynthCurl
import Glibc
import SynthModelStore

/// The head of a response, received line by line.
struct AnswerHead {
    private(set) var status = 0
    private var fields: [String: String] = [:]
    private(set) var isWhole = false
    private var size = 0

    /// The maximum size of a head in bytes, well above what servers send.
    private static let largest = 256 << 10

    /// The value of a header field.
    ///
    /// - Parameter name: the name in lowercase.
    subscript(_ name: String) -> String? { fields[name] }

    /// Parses the next line, with or without its line ending.
    ///
    /// - Returns: false if the head exceeds the maximum size.
    mutating func take(_ line: String) -> Bool {
        size += line.utf8.count
        guard size <= Self.largest else { return false }
        let text = line.prefix { !$0.isNewline }
        if text.hasPrefix("HTTP/") {
            // Start over, because an interim response (1xx) is followed by another response.
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            fields = [:]
        } else if text.isEmpty {
            // Status 101 is final, because the connection no longer uses HTTP after it.
            isWhole = !(100..<200).contains(status) || status == 101
        } else if let colon = text.firstIndex(of: ":") {
            var value = text[text.index(after: colon)...].drop(while: Self.isSpace)
            while value.last.map(Self.isSpace) ?? false { value.removeLast() }
            fields[text[..<colon].lowercased()] = String(value)
        }
        return true
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
}

/// How to handle a response, based on its head.
enum Answer {
    /// The requested bytes follow.
    case send(tag: String?)
    /// The entire file follows, although a range was requested.
    case sendWhole(tag: String?)
    /// The server redirects to another URL.
    case redirect(to: String)
    case refuse(Transfer.Result)

    init(_ head: AnswerHead, to request: Transfer.Request) {
        switch head.status {
        case 200, 206: self = Answer(body: head, request)
        case 301, 302, 303, 307, 308:
            self = head["location"].map { .redirect(to: $0) } ?? .refuse(.refused(.status(head.status, .file)))
        case 416 where request.offset > 0: self = .refuse(.restart(.status(416, .range)))
        case 408, 425, 429, 500...599:
            self = .refuse(.retry(.status(head.status, .forNow(wait: nil)), after: Answer.retryAfter(head)))
        default: self = .refuse(.refused(.status(head.status, .file)))
        }
    }

    private init(body head: AnswerHead, _ request: Transfer.Request) {
        let encoding = head["content-encoding"]?.lowercased() ?? "identity"
        guard encoding == "identity" else {
            self = .refuse(.refused(.encoding(encoding)))
            return
        }
        let type = head["content-type"]?.lowercased() ?? ""
        guard !type.hasPrefix("text/html") else {
            self = .refuse(.refused(.webPage))
            return
        }
        // Only a strong entity tag guarantees identical bytes in a later request.
        let tag = head["etag"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
        let length = head["content-length"].flatMap { Int64($0) }
        if head.status == 200 {
            if let length, length != request.size {
                self = .refuse(.refused(.size(found: length, expected: request.size)))
            } else {
                self = request.offset > 0 ? .sendWhole(tag: tag) : .send(tag: tag)
            }
            return
        }
        guard request.offset > 0, let range = ContentRange(head["content-range"] ?? "") else {
            self = .refuse(.restart(.unaskedPart))
            return
        }
        if let total = range.total, total != request.size {
            self = .refuse(.refused(.size(found: total, expected: request.size)))
        } else if range.first != request.offset || range.last >= request.size {
            self = .refuse(.restart(.otherPart))
        } else {
            self = .send(tag: tag ?? request.tag)
        }
    }

    /// Returns the value of `Retry-After`, which is a number of seconds or a date, in seconds.
    private static func retryAfter(_ head: AnswerHead) -> Double? {
        guard let value = head["retry-after"] else { return nil }
        if let seconds = Double(value), !seconds.isNaN { return max(0, seconds) }
        let moment = curl_getdate(value, nil)
        return moment < 0 ? nil : max(0, Double(moment - time(nil)))
    }
}

/// A `Content-Range` header such as `bytes 5-9/10` (RFC 9110 §14.4).
struct ContentRange {
    let first: Int64
    let last: Int64
    /// The total size, or nil if the server does not know it.
    let total: Int64?

    init?(_ field: String) {
        let words = field.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/")
        guard halves.count == 2 else { return nil }
        let ends = halves[0].split(separator: "-").map { Int64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 0, first <= last else { return nil }
        self.first = first
        self.last = last
        if halves[1] == "*" {
            total = nil
        } else {
            guard let total = Int64(halves[1]) else { return nil }
            self.total = total
        }
    }
}
