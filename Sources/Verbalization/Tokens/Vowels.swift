/// The letters without which nobody can speak a word of the Latin alphabet.
enum Vowels {
    static func contain(_ letter: UInt8) -> Bool {
        switch letter | 0x20 {
        case 0x61, 0x65, 0x69, 0x6F, 0x75, 0x79: true
        default: false
        }
    }
}
