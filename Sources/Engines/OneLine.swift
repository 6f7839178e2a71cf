extension String {
    /// Foreign words made fit for a terminal: one line of bounded length, without control characters.
    package var asOneLine: String {
        var line = String.UnicodeScalarView()
        for scalar in unicodeScalars.prefix(2000) {
            line.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(line)
    }
}
