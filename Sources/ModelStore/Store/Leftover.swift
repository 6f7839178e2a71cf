/// Something in the store that nothing needs.
package struct Leftover: Sendable, Hashable {
    /// Absolute.
    package let path: String
    /// On the disk, in bytes.
    package let size: Int64
    /// In words for the user.
    package let reason: String
    /// The entry that it lies in.
    let entry: String
}
