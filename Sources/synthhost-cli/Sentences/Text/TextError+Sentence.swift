import SpeechScript

extension TextError {
    /// What is wrong, and in which place.
    var message: String {
        switch self {
        case .invalidUTF8(let offset, let byte):
            let digits = String(byte, radix: 16, uppercase: true)
            return
                "The text is not UTF-8: byte \(offset) is 0x\(byte < 16 ? "0" : "")\(digits), which cannot stand there."
        case .truncatedUTF8(let offset):
            return "The text ends inside a character: the one at byte \(offset) is not complete."
        case .utf16:
            return "The text is UTF-16, not UTF-8."
        }
    }

    /// What to type next.
    var remedy: String {
        switch self {
        case .invalidUTF8: "If it is Latin-1, convert it first: iconv -f latin1 -t utf-8 FILE | synthhost speak"
        case .truncatedUTF8:
            "Pass the whole text, or leave the broken end out: iconv -c -t utf-8 FILE | synthhost speak"
        case .utf16: "Convert it first: iconv -f utf-16 -t utf-8 FILE | synthhost speak"
        }
    }
}
