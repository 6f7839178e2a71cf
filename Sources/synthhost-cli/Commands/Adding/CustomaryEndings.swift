import VoiceCatalogue

/// How the names of files end by custom, by the ids of engines.
extension [String: EngineHints] {
    /// How the file of an engine's role ends by custom. An engine that no registry knows follows the customs of the others.
    func ending(of role: String, _ engine: String) -> String? {
        if let own = self[engine] { return own.endings[role] }
        return sorted { $0.key < $1.key }.lazy.compactMap { $0.value.endings[role] }.first
    }

    /// How the files of an engine's role may end.
    func endings(of role: String, _ engine: String) -> [String] {
        [ending(of: role, engine), ".\(role)"].compactMap(\.self)
    }

    /// Of all engines, the longest first.
    var allEndings: [String] {
        Set(values.flatMap(\.endings.values)).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    /// Whether the name says which role it is for.
    func isCustomary(_ name: String) -> Bool { allEndings.contains { name.hasSuffix($0) } }
}
