extension FixedWidthInteger {
    /// The whole part of a number that came from outside: 0 for what is no number, and the nearest end for what lies
    /// beyond. `init(_: Double)` ends the program there.
    package init(clamping value: Double) {
        if let whole = Self(exactly: value.rounded(.towardZero)) {
            self = whole
        } else {
            self = value.isNaN ? 0 : value < 0 ? .min : .max
        }
    }
}
