/// FNV-1a of a word's bytes. The words of the tables are fixed, so no text can make them collide; a text's own words are
/// not kept.
struct WordHash: BitwiseCopyable {
    private var state: UInt32 = 2_166_136_261

    mutating func add(_ byte: UInt8) { state = (state ^ UInt32(byte)) &* 16_777_619 }

    var value: UInt32 { state ^ state >> 15 }
}
