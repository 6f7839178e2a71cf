/// The exit status and the output of a program.
package struct ChildResult {
    /// The exit code; `nil` if a signal ended the program.
    package let code: Int32?
    package let signal: Int32?
    package let output: [UInt8]
    package let errors: String

    package init(code: Int32?, signal: Int32? = nil, output: [UInt8], errors: String) {
        self.code = code
        self.signal = signal
        self.output = output
        self.errors = errors
    }

    package var text: String { String(decoding: output, as: UTF8.self) }
    package var lines: [Substring] { text.split(separator: "\n") }
}
