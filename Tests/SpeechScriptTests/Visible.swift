/// What of a text must be spoken: everything but white space and control characters.
enum Visible {
    static func bytes(of text: String) -> [UInt8] {
        text.unicodeScalars.filter { scalar in
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control && scalar.value != 0xFEFF
        }.flatMap { Array(String($0).utf8) }
    }
}
