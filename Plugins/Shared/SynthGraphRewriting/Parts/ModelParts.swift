/// How a model lies in graphs: one or more of its first part, which reads the text, then one for each other part.
package struct ModelParts: Equatable, Sendable {
    package static let mostGraphs = StageSplit.most + ModelCut.most

    package var split: StageSplit
    /// Where the parts were cut from each other.
    package var cuts: [ModelCut]

    package init(split: StageSplit = StageSplit(), cuts: [ModelCut] = []) {
        self.split = split
        self.cuts = cuts
    }

    package var graphCount: Int { split.count + cuts.count }

    /// The numbers of the graphs of each part.
    package var graphs: [Range<Int>] {
        [0..<split.count] + cuts.indices.map { split.count + $0..<split.count + $0 + 1 }
    }

    /// Whether threads should spin, as for `SessionOptions`: not in models that are cut, of which many graphs are opened at once, and
    /// in those that take long our own operators keep all threads busy.
    package var spins: Bool { cuts.isEmpty }

    /// One of the parts, as a model of its own.
    package func alone(_ part: Int) -> ModelParts { part == 0 ? ModelParts(split: split) : ModelParts() }

    /// A few words for the log; `nil` if there is one graph.
    package var note: String? {
        let stages = split.count > 1 ? "\(split.count) stages" : nil
        switch (cuts.isEmpty, stages) {
        case (true, let stages): return stages.map { "in \($0)" }
        case (false, nil): return "in \(cuts.count + 1) parts"
        case (false, let stages?): return "in \(cuts.count + 1) parts, the first in \(stages)"
        }
    }
}

/// Into how many graphs the first part of a model was split, which run one after another.
package struct StageSplit: Equatable, Sendable {
    static let most = 4
    static let mostOutputs = 16

    var count = 1
    /// What the whole returns, in its order, if there are several. The graphs return more to each other.
    package var outputs: [String] = []

    /// For the cache's record; one line.
    package var text: String { (["\(count)"] + outputs).joined(separator: " ") }
}

extension StageSplit {
    package init?(text: some StringProtocol) {
        let words: [String] = text.split(separator: " ").map { String($0) }
        guard let count = words.first.flatMap({ Int($0) }), (1...Self.most).contains(count),
            words.count <= 1 + Self.mostOutputs, count == 1 || words.count > 1
        else { return nil }
        self.init(count: count, outputs: Array(words.dropFirst()))
    }
}

extension String {
    /// Whether it can stand in a record as one word.
    var isRecordable: Bool { utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
