import Glibc
package import System

extension AccessToken {
    /// Why there is no token.
    package enum Failure: Error, Equatable, Sendable {
        /// The file cannot be made or read.
        case file(path: String, Errno)
        /// The file is another user's.
        case notOurs(path: String)
        /// Others can read or change the file, by its mode.
        case notSecret(path: String, mode: UInt32)
        /// What stands in the file is no token.
        case noToken(path: String)
    }

    /// The token of this user, which stays the same: the one in the file, else a new one, which is kept there for this user
    /// alone. Folders that are missing are made.
    package static func kept(at path: String) throws(Failure) -> AccessToken {
        do throws(Failure) {
            return try given(in: path)
        } catch {
            guard error == .file(path: path, .notFound) else { throw error }
        }
        do throws(Errno) {
            try keep(random(), at: path)
        } catch {
            throw .file(path: path, error)
        }
        // Another process may have been quicker.
        return try given(in: path)
    }

    /// The token that a file holds, and nothing else, but for the end of its line. The file must be this user's, and no one
    /// else may read it.
    package static func given(in path: String) throws(Failure) -> AccessToken {
        var status = stat()
        var bytes = [UInt8](repeating: 0, count: longest + 2)
        do throws(Errno) {
            let file = try Descriptor.openRegular(path).file
            try Errno.check { fstat(file.raw, &status) }
            let count = try read(file, into: &bytes)
            bytes.removeLast(bytes.count - count)
        } catch {
            throw .file(path: path, error)
        }
        guard status.st_uid == geteuid() else { throw .notOurs(path: path) }
        guard status.st_mode & 0o077 == 0 else {
            throw .notSecret(path: path, mode: status.st_mode & 0o777)
        }
        for end in [UInt8(ascii: "\n"), UInt8(ascii: "\r")] where bytes.last == end { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self), let token = AccessToken(text) else {
            throw .noToken(path: path)
        }
        return token
    }

    /// 32 random bytes, which nobody guesses, as hexadecimal digits.
    private static func random() -> String {
        // The system's own generator, which is getrandom(2).
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        return String((0..<64).map { _ in digits[Int(generator.next(upperBound: UInt8(16)))] })
    }

    /// Writes a new file, which has its name only when it is whole. A file that is there stays.
    private static func keep(_ text: String, at path: String) throws(Errno) {
        makeFolder(of: path)
        let new = try ReplacementFile(at: path, mode: 0o600)
        try new.file.writeAll(Array("\(text)\n".utf8))
        try new.publish(.failed)
    }

    private static func read(_ file: Descriptor, into bytes: inout [UInt8]) throws(Errno) -> Int {
        var count = 0
        var span = bytes.mutableSpan
        return try span.withUnsafeMutableBytes { buffer throws(Errno) in
            while count < buffer.count {
                let part = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
                if part == 0 { break }
                count += part
            }
            return count
        }
    }
}
