import LocatedJSON

extension Registry {
    /// The engine that a registry has speak as long as nobody chose another. It reads no more of the text than it must,
    /// so that whoever speaks need not wait for all voices; of a text with a mistake before that place it is nil.
    package static func firstEngine(in text: [UInt8]) -> String? {
        let engines = try? JSONReader.read(text, member: "engines")
        return engines?.members.first { engine in
            engine.node.members.contains { $0.name == "first" && $0.node.value == .boolean(true) }
        }?.name
    }
}
