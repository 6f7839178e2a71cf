/// The digits above and below the line.
enum RaisedDigits {
    static let scalars: [UInt32] = [0x2070, 0xB9, 0xB2, 0xB3] + Array(0x2074...0x2079)

    /// The value of a raised digit.
    static func value(_ scalar: UInt32) -> UInt8? {
        switch scalar {
        case 0x2070, 0x2074...0x2079: UInt8(scalar - 0x2070)
        case 0xB9: 1
        case 0xB2: 2
        case 0xB3: 3
        default: nil
        }
    }

    /// The value of a lowered digit.
    static func lowered(_ scalar: UInt32) -> UInt8? {
        (0x2080...0x2089).contains(scalar) ? UInt8(scalar - 0x2080) : nil
    }
}
