/// The expected digest of a file.
package struct Digest: Sendable, Hashable {
    package enum Algorithm: String, Sendable {
        case sha256
        /// Only if upstream publishes nothing stronger. It detects damage, not manipulation.
        case md5

        var hexadecimalLength: Int { self == .sha256 ? 64 : 32 }
    }

    package let algorithm: Algorithm
    /// Lower-case hexadecimal.
    package let hexadecimal: String

    /// `nil` unless `hexadecimal` has the algorithm's length and nothing but lower-case hexadecimal digits.
    package init?(_ algorithm: Algorithm, _ hexadecimal: String) {
        let digits = hexadecimal.utf8
        guard digits.count == algorithm.hexadecimalLength,
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.algorithm = algorithm
        self.hexadecimal = hexadecimal
    }
}

extension Digest: CustomStringConvertible {
    package var description: String { "\(algorithm.rawValue):\(hexadecimal)" }
}
