/// The start of an element.
struct XMLTag {
    /// Without the prefix of its namespace.
    let name: String
    let attributes: [XMLAttribute]
    let source: Range<Int>

    /// An attribute by its name as it is written, with its prefix.
    func attribute(_ name: String) -> XMLAttribute? {
        attributes.first { $0.name == name }
    }
}
