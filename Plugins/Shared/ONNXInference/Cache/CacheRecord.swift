/// What the cache stores about one entry, in a small text file.
struct CacheRecord: Equatable {
    var key: String
    /// The path of the model. If the model is gone, the entry is removed.
    var model: String
    /// The inner tensor that the graph returns, if one was asked for and found.
    var exposed: String?
    /// What became of rewriting the graph, if that was wanted.
    var rewriting: RewriteOutcome?
    var graphDigest: UInt64
    var weights: FileState
    var weightsDigest: UInt64

    var text: String {
        """
        \(key)
        \(exposed ?? "")
        \(rewriting?.text ?? "")
        \(graphDigest)
        \(weights.size) \(weights.inode) \(weights.modified) \(weightsDigest)
        \(model)
        """
    }

    init(
        key: String, model: String, exposed: String?, rewriting: RewriteOutcome?, graphDigest: UInt64,
        weights: FileState, weightsDigest: UInt64
    ) {
        self.key = key
        self.model = model
        self.exposed = exposed
        self.rewriting = rewriting
        self.graphDigest = graphDigest
        self.weights = weights
        self.weightsDigest = weightsDigest
    }

    init?(text: String) {
        // The path is last because it may contain anything.
        let lines = text.split(separator: "\n", maxSplits: 5, omittingEmptySubsequences: false)
        guard lines.count == 6, let graphDigest = UInt64(lines[3]) else { return nil }
        let words = lines[4].split(separator: " ")
        guard words.count == 4, let size = UInt64(words[0]), let inode = UInt64(words[1]),
            let weightsDigest = UInt64(words[3])
        else { return nil }
        self.init(
            key: String(lines[0]), model: String(lines[5]), exposed: lines[1].isEmpty ? nil : String(lines[1]),
            rewriting: RewriteOutcome(text: lines[2]), graphDigest: graphDigest,
            weights: FileState(size: size, inode: inode, modified: String(words[2])), weightsDigest: weightsDigest)
    }
}
