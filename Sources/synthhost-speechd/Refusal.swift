import Glibc
import System

/// The answer of a module that cannot be used at all.
enum Refusal {
    /// Says why, once the server asks. It is asked first of all.
    static func answer(_ why: String, input: Int32, output: Descriptor) {
        Messages.say(why)
        var question = [UInt8](repeating: 0, count: 64)
        _ = try? Errno.check { read(input, &question, question.count) }
        let line = why.split(whereSeparator: \.isNewline).joined(separator: " ")
        try? output.writeAll(Array("399-\(line)\n399 ERR CANT INIT MODULE\n".utf8))
    }
}
