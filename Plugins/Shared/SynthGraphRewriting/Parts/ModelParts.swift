/// The graphs into which a model is divided: one or more for the first part, which reads the text, and one for each
/// later part.
package struct ModelParts: Equatable, Sendable {
    package static let maximumGraphs = StageSplit.most + ModelCut.most

    package var split: StageSplit
    /// The cuts between the parts.
    package var cuts: [ModelCut]

    package init(split: StageSplit = StageSplit(), cuts: [ModelCut] = []) {
        self.split = split
        self.cuts = cuts
    }

    package var graphCount: Int { split.count + cuts.count }

    /// The graph indices of each part.
    package var graphs: [Range<Int>] {
        [0..<split.count] + cuts.indices.map { split.count + $0..<split.count + $0 + 1 }
    }

    /// Whether idle threads should spin; see `SessionOptions`. False for models that are cut, because many graphs are
    /// opened at the same time and because custom operators keep all threads busy in slow models.
    package var spins: Bool { cuts.isEmpty }

    /// Returns the division of one part for opening that part as a separate model.
    package func alone(_ part: Int) -> ModelParts { part == 0 ? ModelParts(split: split) : ModelParts() }

    /// A description of the division for the log; `nil` if there is only one graph.
    package var note: String? {
        let stages = split.count > 1 ? "\(split.count) stages" : nil
        switch (cuts.isEmpty, stages) {
        case (true, let stages): return stages.map { "in \($0)" }
        case (false, nil): return "in \(cuts.count + 1) parts"
        case (false, let stages?): return "in \(cuts.count + 1) parts, the first in \(stages)"
        }
    }
}

/// The consecutive graphs into which a model's first part is split.
package struct StageSplit: Equatable, Sendable {
    static let most = 4
    static let maximumOutputs = 16

    var count = 1
    /// The outputs of the complete part, in order, if the part has several graphs. These graphs also pass other tensors
    /// to each other.
    package var outputs: [String] = []

    /// The split as one line of the cache record.
    package var text: String { (["\(count)"] + outputs).joined(separator: " ") }
}

extension StageSplit {
    package init?(text: some StringProtocol) {
        let words: [String] = text.split(separator: " ").map { String($0) }
        guard let count = words.first.flatMap({ Int($0) }), (1...Self.most).contains(count),
            words.count <= 1 + Self.maximumOutputs, count == 1 || words.count > 1
        else { return nil }
        self.init(count: count, outputs: Array(words.dropFirst()))
    }
}

extension String {
    /// Whether the string can be a single word in a cache record.
    var isRecordable: Bool { utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
