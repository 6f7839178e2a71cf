import SynthHost

/// A plugin in `engines list --json`.
struct EngineResult: Encodable {
    let path: String
    /// "usable", "shadowed" or "unusable".
    let verdict: String
    let id: String?
    let name: String?
    let version: String?
    let licence: String?
    let voices: Int?
    let reason: String?
    let chosen: Bool

    init(_ plugin: EngineListing, chosen: String?) {
        path = plugin.path
        switch plugin.verdict {
        case .usable(let engine), .shadowed(let engine, _):
            id = engine.id
            name = engine.name
            version = engine.version
            licence = engine.licence
            voices = engine.voiceCount
        case .unusable:
            (id, name, version, licence, voices) = (nil, nil, nil, nil, nil)
        }
        switch plugin.verdict {
        case .usable: (verdict, reason) = ("usable", nil)
        case .shadowed(_, let owner): (verdict, reason) = ("shadowed", "\(owner) comes first")
        case .unusable(let failure): (verdict, reason) = ("unusable", failure.message)
        }
        self.chosen = plugin.engine.map { $0.id == chosen } ?? false
    }
}
