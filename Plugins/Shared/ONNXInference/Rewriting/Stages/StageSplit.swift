/// Into how many graphs the first part of a model was split, which run one after another.
struct StageSplit: Equatable, Sendable {
    static let most = 4
    static let mostInner = 64

    var count = 1
    /// Tensors that one of them makes, a later one reads and the model does not return.
    var inner: [String] = []

    /// For the cache's record; one line.
    var text: String { (["\(count)"] + inner).joined(separator: " ") }
}

extension StageSplit {
    init?(text: some StringProtocol) {
        let words: [String] = text.split(separator: " ").map { String($0) }
        guard let count = words.first.flatMap({ Int($0) }), (1...Self.most).contains(count),
            words.count <= 1 + Self.mostInner
        else { return nil }
        self.init(count: count, inner: Array(words.dropFirst()))
    }
}
