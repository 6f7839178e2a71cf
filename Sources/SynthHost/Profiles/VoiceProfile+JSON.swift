import LocatedJSON

extension VoiceProfile {
    /// As the configuration holds it.
    var json: JSONNode.Value {
        .object(
            ProfileFactor.allCases.compactMap { factor in
                self[keyPath: factor.place].map { JSONNode.Member(name: factor.rawValue, node: JSONNode(.number($0))) }
            })
    }

    /// As JSON on several lines: `{ "rate": 1.1 }`.
    package var text: String { JSONWriter.text(of: JSONNode(json)) }
}
