import LocatedJSON

extension Registry {
    /// The default engine of a registry. Reads only as much of the text as needed, so that speaking does not wait for
    /// all voices; nil if the text has a syntax error before that place.
    package static func firstEngine(in text: [UInt8]) -> String? {
        let engines = try? JSONReader.read(text, member: "engines")
        return engines?.members.first { engine in
            engine.node.members.contains { $0.name == "first" && $0.node.value == .boolean(true) }
        }?.name
    }
}
