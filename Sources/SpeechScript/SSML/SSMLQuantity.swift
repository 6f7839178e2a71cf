/// A number with its unit, as CSS writes it: "700ms", "+20%", "-2st", "1.5".
struct SSMLQuantity {
    enum Sign {
        case plus
        case minus
    }

    let sign: Sign?
    /// Without the sign.
    let number: Double
    /// As written; "" = there is none.
    let unit: String

    /// nil = the text is no such number. White space around it does not count.
    init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        var rest = Substring(text).drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        switch rest.first {
        case "+": sign = .plus
        case "-": sign = .minus
        default: sign = nil
        }
        if sign != nil { rest.removeFirst() }
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard digits.contains(where: { $0.isNumber }), let number = Double(digits) else { return nil }
        self.number = number
        unit = String(rest.dropFirst(digits.count))
    }

    var signed: Double { sign == .minus ? -number : number }
}
