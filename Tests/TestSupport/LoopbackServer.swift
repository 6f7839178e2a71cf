import Glibc
import Synchronization
import SynthSystem

/// A local web server that misbehaves on request. Each connection has its own thread and carries a single request.
package final class LoopbackServer: Sendable {
    /// A request that the server received.
    package struct Request: Sendable {
        package var path: String
        package var fields: [String: String]
        /// The first and last byte of a `Range` field.
        package var range: (first: Int, last: Int?)? {
            guard let value = fields["range"], value.hasPrefix("bytes=") else { return nil }
            let ends = value.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            guard let first = ends.first.flatMap({ Int($0) }) else { return nil }
            return (first, ends.count > 1 ? Int(ends[1]) : nil)
        }
    }

    /// A response, including how it misbehaves.
    package struct Answer: Sendable {
        /// The server's behavior after sending `limit` bytes of the body.
        package enum End: Sendable {
            case close, reset
            /// Sends a chunk every 100 ms.
            case trickle
            /// Sends no more bytes but keeps the connection open.
            case hang
        }

        package var status = 200
        package var fields: [String: String] = [:]
        package var body: [UInt8] = []
        /// The number of body bytes to send before `end`; `nil` for all.
        package var limit: Int?
        package var end = End.close
        /// The number of bytes per chunk for `trickle`.
        package var piece = 1
        /// The number of chunks that `trickle` sends before it hangs; `nil` for all.
        package var pieces: Int?
        /// Whether the response has a head before its body.
        package var hasHead = true

        /// A well-behaved server's response to `request` for `file`.
        package init(_ file: [UInt8], to request: Request, tag: String? = "\"v1\"") {
            fields["ETag"] = tag
            let isSame = request.fields["if-range"].map { $0 == tag } ?? true
            guard let range = request.range, isSame else {
                body = file
                fields["Content-Length"] = "\(file.count)"
                return
            }
            guard range.first < file.count else {
                status = 416
                fields["Content-Range"] = "bytes */\(file.count)"
                fields["Content-Length"] = "0"
                return
            }
            let last = min(range.last ?? file.count - 1, file.count - 1)
            status = 206
            body = Array(file[range.first...last])
            fields["Content-Range"] = "bytes \(range.first)-\(last)/\(file.count)"
            fields["Content-Length"] = "\(body.count)"
        }

        package init(status: Int, fields: [String: String] = [:], body: [UInt8] = []) {
            self.status = status
            self.fields = fields.merging(["Content-Length": "\(body.count)"]) { mine, _ in mine }
            self.body = body
        }
    }

    package let port: UInt16
    private let listener: Int32
    private let seen = Mutex<[Request]>([])
    private let answer: @Sendable (Request, Int) -> Answer

    package var base: String { "http://127.0.0.1:\(port)/" }
    /// All requests received so far.
    package var requests: [Request] { seen.withLock { $0 } }

    /// - Parameter answer: Returns the response to a request, given its number, starting at 0.
    package init(_ answer: @escaping @Sendable (Request, Int) -> Answer) throws {
        self.answer = answer
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard bound else { throw Failure.noPort(errno) }
        port = UInt16(bigEndian: address.sin_port)
        startThread("listener") { [weak self, descriptor] in
            // This thread closes the listener itself, because it may be about to call `accept`. If another thread
            // closed the listener, a different server could already be using the same descriptor number.
            defer { close(descriptor) }
            while true {
                let connection = accept(descriptor, nil, nil)
                if connection < 0 {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    return
                }
                guard let self else {
                    close(connection)
                    continue
                }
                startThread("connection") { self.serve(connection) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// A well-behaved server for the given files.
    package static func good(_ files: [String: [UInt8]]) throws -> LoopbackServer {
        try LoopbackServer { request, _ in
            files[request.path].map { Answer($0, to: request) } ?? Answer(status: 404)
        }
    }

    private enum Failure: Error { case noPort(Int32) }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        guard let request = readRequest(connection) else { return }
        let number = seen.withLock { seen in
            seen.append(request)
            return seen.count - 1
        }
        let answer = answer(request, number)
        var head = "HTTP/1.1 \(answer.status) Whatever\r\nConnection: close\r\n"
        for (name, value) in answer.fields { head += "\(name): \(value)\r\n" }
        let body = answer.body.prefix(answer.limit ?? answer.body.count)
        let lines = answer.hasHead ? Array(head.utf8) + Array("\r\n".utf8) : []
        guard send(lines + body, connection) else { return }
        switch answer.end {
        case .close: break
        case .reset:
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        case .trickle:
            var rest = answer.body.dropFirst(body.count)
            if let pieces = answer.pieces { rest = rest.prefix(pieces * answer.piece) }
            while !rest.isEmpty {
                // Send a chunk and then pause, again and again, until the peer closes the connection.
                var end = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
                if poll(&end, 1, 100) != 0 || !send(Array(rest.prefix(answer.piece)), connection) { return }
                rest = rest.dropFirst(answer.piece)
            }
            if answer.pieces != nil { hang(connection) }
        case .hang: hang(connection)
        }
    }

    /// Waits until the peer closes the connection.
    private func hang(_ connection: Int32) {
        var end = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        poll(&end, 1, -1)
    }

    private func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private func readRequest(_ connection: Int32) -> Request? {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !text.suffix(4).elementsEqual([13, 10, 13, 10]) {
            let count = read(connection, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            text += buffer[..<count]
        }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\r\n")
        guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        return Request(path: String(words[1]), fields: fields)
    }
}
