import VoiceCatalogue

/// How the names of files end by custom, by the ids of engines.
extension [String: EngineHints] {
    /// How the files of an engine's role may end.
    func endings(of role: String, _ engine: String) -> [String] {
        [self[engine]?.endings[role], ".\(role)"].compactMap(\.self)
    }

    /// Of all engines, the longest first.
    var allEndings: [String] {
        Set(values.flatMap(\.endings.values)).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    /// Whether the name says which role it is for.
    func isCustomary(_ name: String) -> Bool { allEndings.contains { name.hasSuffix($0) } }
}
