/// What the cache stores about one entry, in a small text file.
struct CacheRecord: Equatable {
    var key: String
    /// The path of the model. If the model is gone, the entry is removed.
    var model: String
    /// The inner tensor that the graph returns, if one was asked for and found.
    var exposed: String?
    /// What became of rewriting the graph, if that was wanted.
    var rewriting: RewriteOutcome?
    var parts: ModelParts
    /// Of the graphs.
    var digests: [UInt64]
    var weights: [CheckedFile]

    /// The digest of the lines stands before them.
    var text: String { "\(ContentDigest.of(lines))\n\(lines)" }

    private var lines: String {
        """
        \(key)
        \(exposed ?? "")
        \(rewriting?.text ?? "")
        \(parts.split.text)
        \(parts.cuts.map(\.text).joined(separator: "\t"))
        \(digests.map(String.init).joined(separator: " "))
        \(weights.map(\.text).joined(separator: " "))
        \(model)
        """
    }

    init(
        key: String, model: String, exposed: String?, rewriting: RewriteOutcome?, parts: ModelParts,
        digests: [UInt64], weights: [CheckedFile]
    ) {
        self.key = key
        self.model = model
        self.exposed = exposed
        self.rewriting = rewriting
        self.parts = parts
        self.digests = digests
        self.weights = weights
    }

    init?(text: String) {
        // The path is last because it may contain anything.
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, UInt64(parts[0]) == ContentDigest.of(String(parts[1])) else { return nil }
        let lines = parts[1].split(separator: "\n", maxSplits: 7, omittingEmptySubsequences: false)
        guard lines.count == 8, let split = StageSplit(text: lines[3]) else { return nil }
        let digests = lines[5].split(separator: " ").compactMap { UInt64($0) }
        let cuts = lines[4].split(separator: "\t").map { ModelCut(text: $0) }
        let known = ModelParts(split: split, cuts: cuts.compactMap(\.self))
        guard known.cuts.count == cuts.count, cuts.count <= ModelCut.most, digests.count == known.graphCount,
            let weights = CheckedFile.files(lines[6]), (1...1 + GraphCache.Entry.mostAdded).contains(weights.count)
        else { return nil }
        self.init(
            key: String(lines[0]), model: String(lines[7]), exposed: lines[1].isEmpty ? nil : String(lines[1]),
            rewriting: RewriteOutcome(text: lines[2]), parts: known, digests: digests, weights: weights)
    }
}

extension String {
    /// Whether it can stand in a record as one word.
    var isRecordable: Bool { utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
