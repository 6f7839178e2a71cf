/// Text of unknown origin in a line of the protocol.
enum ModuleWord {
    /// Without anything that would end the line. Tabs stay: they part the fields.
    static func line(_ text: String) -> String {
        replacing(text, by: " ") { $0 != "\t" && $0.properties.generalCategory == .control }
    }

    /// As one word, because the server takes a name up to the next blank.
    static func name(_ text: String) -> String {
        replacing(text, by: "_") { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
    }

    private static func replacing(
        _ text: String, by other: Unicode.Scalar, where isWrong: (Unicode.Scalar) -> Bool
    ) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(isWrong(scalar) ? other : scalar) }
        return String(scalars)
    }
}
