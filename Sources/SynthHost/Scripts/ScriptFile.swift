import Glibc
import SpeechScript
package import System

/// Reads a script whole, from a file or a pipe: a script is planned from its beginning to its end.
package enum ScriptFile {
    /// More than any book.
    private static let longest = 16 << 20

    /// - Parameter name: what messages call it.
    package static func read(_ input: borrowing Descriptor, name: String) throws(SpeechFailure) -> [UInt8] {
        var document: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { chunk.deallocate() }
        while true {
            let count: Int
            do {
                count = try input.read(into: chunk)
            } catch {
                throw .input(name, error)
            }
            if count == 0 { return document }
            document += chunk[..<count]
            guard document.count <= longest else {
                throw .script(
                    ScriptError(.tooLong(limit: longest), at: ScriptPlace(of: longest, in: document.span)))
            }
        }
    }
}
