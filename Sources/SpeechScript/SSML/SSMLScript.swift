/// A document of SSML 1.1 (W3C), taken apart.
///
/// Strict where XML is: what is not well-formed is an error with its place. Lenient where speech is: an unknown element
/// gives its text, an unknown attribute nothing, but a known one whose value cannot be read is an error. Nothing is ever
/// opened or followed. Work is linear in the document and memory in proportion to it. Nothing blocks.
package struct SSMLScript: Sendable {
    /// In bytes.
    package static let largest = 8 << 20

    package let parts: [ScriptPart]
    /// A measure of the work done, which does not depend on the machine.
    package let work: Int

    package init(_ document: [UInt8]) throws(ScriptError) {
        guard document.count <= Self.largest else {
            throw ScriptError(.tooLong(limit: Self.largest), at: ScriptPlace(of: Self.largest, in: document.span))
        }
        var reader = SSMLReader(try XMLReader(document, root: "speak"))
        parts = try reader.rest()
        work = reader.work
    }

    /// The same parts, read as they are needed. What is wrong with the document is told where it stands.
    package static func reader(of document: [UInt8]) throws(ScriptError) -> some ScriptReader {
        guard document.count <= Self.largest else {
            throw ScriptError(.tooLong(limit: Self.largest), at: ScriptPlace(of: Self.largest, in: document.span))
        }
        return SSMLReader(try XMLReader(document, root: "speak"))
    }
}
