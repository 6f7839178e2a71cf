extension String {
    /// The text as one line of bounded length, without control characters, fit for a terminal.
    package var asOneLine: String {
        var line = String.UnicodeScalarView()
        for scalar in unicodeScalars.prefix(2000) {
            line.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(line)
    }
}
