import VoiceCatalogue

/// The usual endings of file names, by the ids of engines.
extension [String: EngineHints] {
    /// The usual ending of the file for a role of an engine. An engine that no registry knows follows the others.
    func ending(of role: String, _ engine: String) -> String? {
        if let own = self[engine] { return own.endings[role] }
        return sorted { $0.key < $1.key }.lazy.compactMap { $0.value.endings[role] }.first
    }

    /// The usual endings of files for a role of an engine.
    func endings(of role: String, _ engine: String) -> [String] {
        [ending(of: role, engine), ".\(role)"].compactMap(\.self)
    }

    /// The endings for all engines, the longest first.
    var allEndings: [String] {
        Set(values.flatMap(\.endings.values)).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    /// Whether the name has a usual ending.
    func isCustomary(_ name: String) -> Bool { allEndings.contains { name.hasSuffix($0) } }
}
