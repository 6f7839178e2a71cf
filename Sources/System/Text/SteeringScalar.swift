extension Unicode.Scalar {
    /// Whether a terminal acts on it instead of showing it: control characters, line and paragraph separators, marks
    /// and overrides of the reading order, annotations.
    package var steersTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2060, 0x2066...0x206F, 0xFEFF,
            0xFFF9...0xFFFB:
            true
        default: false
        }
    }
}
