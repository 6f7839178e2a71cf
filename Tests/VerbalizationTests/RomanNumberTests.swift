import Testing

@testable import SynthVerbalization

@Suite("Roman numerals")
struct RomanNumberTests {
    private func value(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        return RomanNumber.value(bytes, bytes.indices)
    }

    /// The letters for each decimal place.
    private static let places = [
        ["", "M", "MM", "MMM"], ["", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"],
        ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"],
        ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"],
    ]

    @Test("Roman numerals from 1 to 3999 are read")
    func all() {
        for number in 1...3999 {
            let digits = [number / 1000, number / 100 % 10, number / 10 % 10, number % 10]
            let text = zip(Self.places, digits).map { $0[$1] }.joined()
            #expect(value(text) == Int64(number), "\(text)")
        }
    }

    @Test(
        "Roman numerals in non-standard notation are not read as numbers",
        arguments: ["", "IIII", "VV", "IC", "VIV", "CDC", "CMD", "XCX", "IXI", "LXL", "MMMM", "vi", "AB", "XIIX", "É"])
    func others(_ text: String) {
        #expect(value(text) == nil)
    }
}
