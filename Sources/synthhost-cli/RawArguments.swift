import Glibc
import SpeechScript
import System

/// The words of the command line as they were passed. `CommandLine.arguments` silently repairs what is not UTF-8.
enum RawArguments {
    /// The words after the program's name.
    static func words() throws(CommandFailure) -> [String] {
        var words: [String] = []
        for argument in ProcessArguments.raw { words.append(try word(argument, number: words.count + 1)) }
        return words
    }

    private static func word(_ argument: UnsafePointer<CChar>, number: Int) throws(CommandFailure) -> String {
        let bytes = UnsafeRawBufferPointer(start: argument, count: strlen(argument))
        var validator = UTF8Validator()
        do throws(TextError) {
            try validator.validate(bytes.assumingMemoryBound(to: UInt8.self).span)
            try validator.finish()
        } catch {
            throw CommandFailure(
                .usage, "Argument \(number) is not UTF-8: byte \(validator.offset) cannot stand there.",
                "If it is a text, pass its file: iconv -f latin1 -t utf-8 FILE | synthhost speak; if it is a file's "
                    + "name, rename the file.")
        }
        return String(cString: argument)
    }
}
