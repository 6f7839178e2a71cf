package import EngineWire

/// A file of a plugins folder, with what was found out about it.
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

    /// What it is, where it may be used.
    package var engine: EngineDescription? {
        if case .usable(let description) = verdict { description } else { nil }
    }

    /// Why it cannot be used, where it cannot.
    package var failure: EngineFailure? {
        if case .unusable(let reason) = verdict { EngineFailure(engine: path, reason: reason) } else { nil }
    }

    /// Whether its name says that it is the engine of that id: "libEspeakNG.so" is "espeak-ng". All that there is to go
    /// by where it could not be asked.
    package func isNamed(after id: String) -> Bool {
        var name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if name.hasSuffix(".so") { name.removeLast(3) }
        let wanted = Self.letters(id)
        return [name, name.hasPrefix("lib") ? String(name.dropFirst(3)) : name].contains { Self.letters($0) == wanted }
    }

    private static func letters(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension [PluginFile] {
    /// What is wrong with the engine of that id, where it is here but cannot be used.
    package func failure(of id: String) -> EngineFailure? {
        if contains(where: { $0.engine?.id == id }) { return nil }
        return lazy.filter { $0.isNamed(after: id) }.compactMap(\.failure).first
    }
}
