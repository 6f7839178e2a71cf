/// The file or stream that sound is written to.
package enum OutputName: Hashable, Sendable {
    /// The path, as it was given.
    case file(String)
    /// One of this process, such as 1 for standard output.
    case descriptor(Int32)
}
