/// What one registry adds to the merged one.
package struct RegistryPart: Hashable, Sendable {
    /// The file, or the engine that declares its voices itself.
    package let origin: String
    package var sourceCount = 0
    package var modelCount = 0
    package var voiceCount = 0
    /// "voice en_GB-alan-medium": entries that replace those of an earlier registry.
    package var overridden: [String] = []
}
