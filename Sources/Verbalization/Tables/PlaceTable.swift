/// A table of places by keys, for keys that no text chooses. Faster than a dictionary. At least half of it is free.
struct PlaceTable: Sendable {
    private(set) var keys = [UInt64](repeating: .max, count: 16)
    private(set) var values = [Int32](repeating: 0, count: 16)
    private var count = 0

    subscript(key: UInt64) -> Int32? {
        get {
            let place = place(of: key)
            return keys[place] == key ? values[place] : nil
        }
        set {
            guard let newValue else { return }
            if count * 2 >= keys.count { grow() }
            let place = place(of: key)
            if keys[place] != key { count += 1 }
            keys[place] = key
            values[place] = newValue
        }
    }

    private func place(of key: UInt64) -> Int {
        let mask = keys.count - 1
        var place = Self.slot(of: key, mask: mask)
        while keys[place] != .max, keys[place] != key { place = (place + 1) & mask }
        return place
    }

    /// Where the search for a key begins.
    static func slot(of key: UInt64, mask: Int) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    }

    private mutating func grow() {
        let old = zip(keys, values)
        keys = Array(repeating: .max, count: keys.count * 2)
        values = Array(repeating: 0, count: keys.count)
        for (key, value) in old where key != .max {
            let place = place(of: key)
            keys[place] = key
            values[place] = value
        }
    }
}
