/// The part of the text that must be spoken: everything except white space and control characters.
enum Visible {
    static func bytes(of text: String) -> [UInt8] {
        text.unicodeScalars.filter { scalar in
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control && scalar.value != 0xFEFF
        }.flatMap { Array(String($0).utf8) }
    }
}
