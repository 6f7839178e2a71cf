/// One line of `synthhost config show`. Values are JSON.
package struct ConfigurationEntry: Equatable, Sendable {
    package let path: String
    package let value: String?
    /// The value without a file.
    package let preset: String?
    /// Whether the file sets it.
    package let isSet: Bool
    package let help: String
}
