/// A place in a document, as editors count.
package struct ScriptPlace: Equatable, Sendable {
    /// From 1.
    package let line: Int
    /// From 1, in characters (Unicode scalars).
    package let column: Int
    /// From 0, in bytes of the document.
    package let offset: Int

    package init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// The place of a byte, or of the end.
    package init(of offset: Int, in document: Span<UInt8>) {
        var line = 1
        var column = 1
        for index in 0..<min(offset, document.count) {
            let byte = document[index]
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(line: line, column: column, offset: min(offset, document.count))
    }
}
