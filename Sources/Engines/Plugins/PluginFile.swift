package import EngineWire

/// A file of a plugins folder, with the result of its scan.
package struct PluginFile: Equatable, Sendable {
    package var path: String
    package var verdict: Verdict

    package init(path: String, verdict: Verdict) {
        self.path = path
        self.verdict = verdict
    }

    package enum Verdict: Equatable, Sendable {
        case usable(EngineDescription)
        /// An engine of the same id comes first in the order of the folders.
        case shadowed(EngineDescription, by: String)
        case unusable(EngineFailure.Reason)
    }

    /// Its description, if it can be used.
    package var engine: EngineDescription? {
        if case .usable(let description) = verdict { description } else { nil }
    }

    /// Why it cannot be used; nil if it can.
    package var failure: EngineFailure? {
        if case .unusable(let reason) = verdict { EngineFailure(engine: path, reason: reason) } else { nil }
    }

    /// Whether the name of the file matches the id of an engine: "libEspeakNG.so" matches "espeak-ng". The name is all
    /// that is known if the engine could not be asked.
    package func isNamed(after id: String) -> Bool {
        var name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if name.hasSuffix(".so") { name.removeLast(3) }
        let wanted = Self.letters(id)
        return [name, name.hasPrefix("lib") ? String(name.dropFirst(3)) : name].contains { Self.letters($0) == wanted }
    }

    private static func letters(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension [PluginFile] {
    /// Why the engine of that id cannot be used; nil if it can, or is not there.
    package func failure(of id: String) -> EngineFailure? {
        if contains(where: { $0.engine?.id == id }) { return nil }
        return lazy.filter { $0.isNamed(after: id) }.compactMap(\.failure).first
    }
}
