/// What is wrong with an installed voice.
package struct Damage: Sendable, Hashable {
    /// The folder of the voice or model in the store.
    package let entry: String
    /// Absolute.
    package let path: String
    /// In words for the user.
    package let reason: String
}
