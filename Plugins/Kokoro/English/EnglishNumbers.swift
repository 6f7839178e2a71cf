/// Numbers that the training data reads differently from espeak-ng: years ("nineteen ninety eight" for 1998, and so for
/// every number of four digits), sums of money ("19 dollars and 99 cents") and numbers below zero.
enum EnglishNumbers {
    private static let units: [Unicode.Scalar: (whole: String, part: String)] = [
        "$": ("dollar", "cent"), "£": ("pound", "pence"), "€": ("euro", "cent"),
    ]
    private static let scales: Set<String> = ["hundred", "thousand", "million", "billion", "trillion"]
    private static let small = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    private static let tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

    static func spelled(_ text: String) -> SpelledText {
        guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return SpelledText(text) }
        var scan = NumberScan(text)
        var replacements: [(bytes: Range<Int>, words: String)] = []
        while scan.skipToNumber() {
            if let replacement = money(&scan) ?? year(&scan) ?? negative(&scan) {
                replacements.append(scan.endsRange(replacement.bytes) ? range(to: replacement) : replacement)
            } else {
                scan.skip()
            }
        }
        return SpelledText(text, replacing: replacements)
    }

    /// "1998-2005": a hyphen between words would join them.
    private static func range(to end: (bytes: Range<Int>, words: String)) -> (bytes: Range<Int>, words: String) {
        (end.bytes.lowerBound - 1..<end.bytes.upperBound, " to " + end.words)
    }

    private static func money(_ scan: inout NumberScan) -> (bytes: Range<Int>, words: String)? {
        guard let sign = scan.sign, let unit = units[sign], let amount = scan.amount() else { return nil }
        if let scale = amount.scale, scales.contains(scale.lowercased()) {
            let number = amount.whole + (amount.fraction.isEmpty ? "" : ".\(amount.fraction)")
            return (amount.scaledBytes, "\(number) \(scale) \(unit.whole)s")
        }
        guard amount.isWord, amount.fraction.count < 3 else { return nil }
        let fraction = amount.fraction.isEmpty ? 0 : Int((amount.fraction + "0").prefix(2)) ?? 0
        let whole = "\(amount.whole) \(unit.whole)" + (amount.whole == "1" ? "" : "s")
        let part = "\(fraction) \(unit.part)" + (fraction == 1 || unit.part == "pence" ? "" : "s")
        if fraction == 0 { return (amount.bytes, whole) }
        return (amount.bytes, amount.whole.allSatisfy { $0 == "0" } ? part : "\(whole) and \(part)")
    }

    private static func year(_ scan: inout NumberScan) -> (bytes: Range<Int>, words: String)? {
        guard scan.sign == nil, let found = scan.fourDigits(), found.value >= 1000 else { return nil }
        var words = year(found.value)
        if found.isPlural {
            words = words.hasSuffix("y") ? words.dropLast() + "ies" : words + (words.hasSuffix("x") ? "es" : "s")
        }
        return (found.bytes, words)
    }

    /// The reader does not take the sign for a word: its sound would be given to the word before it.
    private static func negative(_ scan: inout NumberScan) -> (bytes: Range<Int>, words: String)? {
        scan.negative().map { ($0.bytes, "minus \($0.digits)") }
    }

    /// From 1000 to 9999.
    static func year(_ value: Int) -> String {
        let (high, low) = value.quotientAndRemainder(dividingBy: 100)
        if high % 10 == 0, low < 10 { return small[high / 10] + " thousand" + (low == 0 ? "" : " " + small[low]) }
        let century = belowHundred(high)
        if low == 0 { return century + " hundred" }
        return century + (low < 10 ? " oh " : " ") + belowHundred(low)
    }

    private static func belowHundred(_ value: Int) -> String {
        if value < 20 { return small[value] }
        return tens[value / 10] + (value % 10 == 0 ? "" : " " + small[value % 10])
    }
}
