extension String {
    /// The path of the entry `name` in the folder of this path.
    package func child(_ name: some StringProtocol) -> String {
        utf8.last == UInt8(ascii: "/") ? "\(self)\(name)" : "\(self)/\(name)"
    }
}
