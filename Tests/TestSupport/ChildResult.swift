/// How a program ended, and what it wrote.
package struct ChildResult {
    /// nil = a signal ended it.
    package let code: Int32?
    package let signal: Int32?
    package let output: [UInt8]
    package let errors: String

    package var text: String { String(decoding: output, as: UTF8.self) }
    package var lines: [Substring] { text.split(separator: "\n") }
}
