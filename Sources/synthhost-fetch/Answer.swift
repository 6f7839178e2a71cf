import Foundation
import FoundationNetworking
import ModelStore

/// What to do with the head of an answer.
enum Answer {
    /// The requested bytes follow.
    case send(tag: String?)
    /// The whole file follows, though a part was requested.
    case sendWhole(tag: String?)
    case refuse(Transfer.Result)

    init(_ response: URLResponse, to request: Transfer.Request) {
        guard let answer = response as? HTTPURLResponse else {
            self = .refuse(.refused(.noHTTP))
            return
        }
        let status = answer.statusCode
        switch status {
        case 200, 206: self = Answer(body: answer, request)
        case 416 where request.offset > 0: self = .refuse(.restart(.status(status, .range)))
        case 408, 425, 429, 500...599:
            self = .refuse(.retry(.status(status, .forNow(wait: nil)), after: Answer.retryAfter(answer)))
        default: self = .refuse(.refused(.status(status, .file)))
        }
    }

    private init(body answer: HTTPURLResponse, _ request: Transfer.Request) {
        let encoding = answer.value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity"
        guard encoding == "identity" else {
            self = .refuse(.refused(.encoding(encoding)))
            return
        }
        let type = answer.value(forHTTPHeaderField: "Content-Type")?.lowercased() ?? ""
        guard !type.hasPrefix("text/html") else {
            self = .refuse(.refused(.webPage))
            return
        }
        // Only a strong entity tag identifies the same bytes in a later request.
        let tag = answer.value(forHTTPHeaderField: "ETag").flatMap { $0.hasPrefix("\"") ? $0 : nil }
        let length = answer.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
        if answer.statusCode == 200 {
            if let length, length != request.size {
                self = .refuse(.refused(.size(found: length, expected: request.size)))
            } else {
                self = request.asksForRange ? .sendWhole(tag: tag) : .send(tag: tag)
            }
            return
        }
        guard request.asksForRange,
            let range = ContentRange(answer.value(forHTTPHeaderField: "Content-Range") ?? "")
        else {
            self = .refuse(.restart(.unaskedPart))
            return
        }
        if let total = range.total, total != request.size {
            self = .refuse(.refused(.size(found: total, expected: request.size)))
        } else if range.first != request.offset || range.last >= request.end {
            self = .refuse(.restart(.otherPart))
        } else {
            self = .send(tag: tag ?? request.tag)
        }
    }

    /// In seconds, from a number or a date.
    private static func retryAfter(_ answer: HTTPURLResponse) -> Double? {
        guard let value = answer.value(forHTTPHeaderField: "Retry-After") else { return nil }
        if let seconds = Double(value), !seconds.isNaN { return max(0, seconds) }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return format.date(from: value).map { max(0, $0.timeIntervalSinceNow) }
    }
}
