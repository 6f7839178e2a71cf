/// Into how many graphs the first part of a model was split, which run one after another.
struct StageSplit: Equatable, Sendable {
    static let most = 4
    static let mostOutputs = 16

    var count = 1
    /// What the whole returns, in its order, if there are several. The graphs return more to each other.
    var outputs: [String] = []

    /// For the cache's record; one line.
    var text: String { (["\(count)"] + outputs).joined(separator: " ") }
}

extension StageSplit {
    init?(text: some StringProtocol) {
        let words: [String] = text.split(separator: " ").map { String($0) }
        guard let count = words.first.flatMap({ Int($0) }), (1...Self.most).contains(count),
            words.count <= 1 + Self.mostOutputs, count == 1 || words.count > 1
        else { return nil }
        self.init(count: count, outputs: Array(words.dropFirst()))
    }
}
