/// The words of numbers that were said lately. Each number has one place, which a later one takes.
struct NumberMemory {
    private struct Place {
        var value: Int64
        var form: Int
        var words: String
    }

    private var places = [Place](repeating: Place(value: 0, form: -1, words: ""), count: 512)

    subscript(value: Int64, form: Int) -> String? {
        get {
            let place = places[place(value, form)]
            return place.value == value && place.form == form ? place.words : nil
        }
        set {
            guard let newValue else { return }
            places[place(value, form)] = Place(value: value, form: form, words: newValue)
        }
    }

    private func place(_ value: Int64, _ form: Int) -> Int {
        let key = UInt64(bitPattern: value) ^ UInt64(truncatingIfNeeded: form) << 40
        return Int((key &* 0x9E37_79B9_7F4A_7C15) >> 55)
    }
}
