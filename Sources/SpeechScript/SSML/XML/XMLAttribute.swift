struct XMLAttribute {
    /// With its prefix, such as `xml:lang`.
    let name: String
    /// References are replaced; each white space is a space.
    let value: String
    /// The place of the value, without its quotes.
    let source: Range<Int>
}
