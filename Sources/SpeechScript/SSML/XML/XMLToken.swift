/// What an XML document is made of, in its order. Comments and processing instructions are passed over.
enum XMLToken {
    case start(XMLTag)
    /// Also of an element that is written as one tag; its range is then empty.
    case end(source: Range<Int>)
    /// Bytes of the document that stand for themselves, also those of a CDATA section. Not empty.
    case characters(Range<Int>)
    /// A character that the document writes as a reference.
    case reference(Unicode.Scalar, source: Range<Int>)
}
