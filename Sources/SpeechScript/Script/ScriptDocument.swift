/// What holds for the bytes of every document that is read as a whole.
enum ScriptDocument {
    /// A document may have so many bytes: many times the longest novel.
    static let longest = 16 << 20

    /// Checks the length and the encoding.
    ///
    /// - Returns: the offset of the first byte after a byte order mark.
    static func check(_ document: Span<UInt8>) throws(ScriptError) -> Int {
        guard document.count <= longest else {
            throw ScriptError(.tooLong(limit: longest), at: ScriptPlace(of: longest, in: document))
        }
        var validator = UTF8Validator()
        do throws(TextError) {
            try validator.validate(document)
            try validator.finish()
        } catch {
            throw ScriptError(.text(error), at: ScriptPlace(of: validator.offset, in: document))
        }
        let hasMark = document.count >= 3 && document[0] == 0xEF && document[1] == 0xBB && document[2] == 0xBF
        return hasMark ? 3 : 0
    }
}
