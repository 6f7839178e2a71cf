import Glibc
import SynthHTTPServer

/// Prints how the request reader interprets the bytes of connections, for `Scripts/measure/compare-http`.
///
///     HTTPProbe < CONNECTIONS
///
/// Each connection is preceded by its length in bytes, as a big-endian 32-bit number. For each request of a connection,
/// the output contains `request` with the method, target and version, `header` with a name and value, `body` in
/// hexadecimal digits, and `end` with `open` or `close`. These are followed by `refused` with the reason and status,
/// `waiting`, or `closed`. An additional line, `cut`, means that the reader found different requests when the bytes
/// arrived in pieces. The output for each connection ends with an empty line.
@main
struct HTTPProbe {
    static func main() {
        var rest = everything()[...]
        while !rest.isEmpty {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            let message = Array(rest.prefix(length))
            guard message.count == length else { exit(65) }
            rest = rest.dropFirst(length)
            let verdict = verdict(message, piece: max(length, 1))
            print(verdict)
            let size = length % 7 + 1
            if Self.verdict(message, piece: size) != verdict { print("cut into pieces of \(size)") }
            print()
        }
    }

    /// Reads standard input to the end.
    private static func everything() -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(STDIN_FILENO, &piece, piece.count), count > 0 { bytes += piece.prefix(count) }
        return bytes
    }

    private static func verdict(_ message: [UInt8], piece: Int) -> String {
        var reader = HTTPRequestReader(longestBody: 1 << 20)
        var lines: [String] = []
        var body: [UInt8] = []
        var keepsAlive = false
        var rest = message[...]
        do throws(HTTPRefusal) {
            while !rest.isEmpty {
                reader.append(rest.prefix(piece))
                rest = rest.dropFirst(piece)
                while let event = try reader.next() {
                    switch event {
                    case .head(let head):
                        lines.append("request \(head.method) \(head.target.text) \(head.version)")
                        lines += head.headers.fields.map { "header \($0.name) \($0.value)" }
                        keepsAlive = head.keepsAlive
                    case .body(let bytes): body += bytes
                    case .end:
                        lines += ["body \(hexadecimal(body))", keepsAlive ? "end open" : "end close"]
                        body = []
                    }
                }
            }
            lines.append(reader.isClosed ? "closed" : "waiting")
        } catch {
            lines.append("refused \(error.rawValue) \(error.status.code)")
        }
        return lines.joined(separator: "\n")
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
