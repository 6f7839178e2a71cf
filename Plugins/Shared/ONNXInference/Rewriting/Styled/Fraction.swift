/// A small rational number, for computing matrices without rounding.
struct Fraction: Equatable {
    let numerator: Int
    /// Above 0, without a common divisor.
    let denominator: Int

    /// - Parameter denominator: Not 0.
    init(_ numerator: Int, _ denominator: Int = 1) {
        var (divisor, rest) = (abs(numerator), abs(denominator))
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        let sign = denominator < 0 ? -1 : 1
        self.numerator = sign * numerator / max(divisor, 1)
        self.denominator = sign * denominator / max(divisor, 1)
    }

    var value: Double { Double(numerator) / Double(denominator) }
    var magnitude: Fraction { Fraction(abs(numerator), denominator) }
    var isZero: Bool { numerator == 0 }

    static func * (left: Fraction, right: Fraction) -> Fraction {
        Fraction(left.numerator * right.numerator, left.denominator * right.denominator)
    }

    /// The right one is not 0.
    static func / (left: Fraction, right: Fraction) -> Fraction {
        Fraction(left.numerator * right.denominator, left.denominator * right.numerator)
    }

    static func - (left: Fraction, right: Fraction) -> Fraction {
        Fraction(
            left.numerator * right.denominator - right.numerator * left.denominator,
            left.denominator * right.denominator)
    }

    static func < (left: Fraction, right: Fraction) -> Bool {
        left.numerator * right.denominator < right.numerator * left.denominator
    }
}
