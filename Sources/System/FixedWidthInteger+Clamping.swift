extension FixedWidthInteger {
    /// The whole part of a number from outside: 0 for NaN, and the nearest representable value if it is out of range.
    /// `init(_: Double)` would end the program in these cases.
    package init(clamping value: Double) {
        if let whole = Self(exactly: value.rounded(.towardZero)) {
            self = whole
        } else {
            self = value.isNaN ? 0 : value < 0 ? .min : .max
        }
    }
}
