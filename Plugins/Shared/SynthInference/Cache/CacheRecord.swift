import Glibc
import SynthGraphRewriting
import SynthGraphs

/// A cache entry's record, stored as a small text file.
struct CacheRecord: Equatable {
    var key: String
    /// The path of the model. The entry is removed if the model no longer exists.
    var model: String
    /// The intermediate tensor that the graph also returns, if it was requested and found.
    var exposed: String?
    /// The rewrite outcome, if a rewrite was requested.
    var rewriting: RewriteOutcome?
    var parts: ModelParts
    var digests: [UInt64]
    var weights: [CheckedFile]

    /// The content of the record file: a digest of the lines, followed by the lines.
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
        // The path comes last because it may contain any character.
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, UInt64(parts[0]) == ContentDigest.of(String(parts[1])) else { return nil }
        let lines = parts[1].split(separator: "\n", maxSplits: 7, omittingEmptySubsequences: false)
        guard lines.count == 8, let split = StageSplit(text: lines[3]) else { return nil }
        let digests = lines[5].split(separator: " ").compactMap { UInt64($0) }
        let cuts = lines[4].split(separator: "\t").map { ModelCut(text: $0) }
        let known = ModelParts(split: split, cuts: cuts.compactMap(\.self))
        guard known.cuts.count == cuts.count, cuts.count <= ModelCut.most, ModelCut.fit(known.cuts),
            digests.count == known.graphCount,
            let weights = CheckedFile.files(lines[6]),
            (1...1 + GraphCache.Entry.maximumAddedFiles).contains(weights.count)
        else { return nil }
        self.init(
            key: String(lines[0]), model: String(lines[7]), exposed: lines[1].isEmpty ? nil : String(lines[1]),
            rewriting: RewriteOutcome(text: lines[2]), parts: known, digests: digests, weights: weights)
    }
}

/// The metadata and digest of a file, recorded once its content is complete and on disk.
struct CheckedFile: Equatable, Sendable {
    var state: FileState
    var digest: UInt64

    init(state: FileState, digest: UInt64) { (self.state, self.digest) = (state, digest) }

    /// Reads a file and waits until it is on disk.
    init(_ path: String) throws {
        // Hashing the file before synchronizing it gives the disk time to write.
        digest = try DiskFile.digest(of: path)
        let file = try DiskFile(reading: path)
        try file.synchronize()
        guard let state = FileState(path: path) else { throw InferenceError.file(code: ENOENT) }
        self.state = state
    }

    /// Whether the file at `path` is this file or a copy of it. The content is read only if the metadata is
    /// inconclusive.
    func isSame(_ path: String) -> Bool {
        guard let found = FileState(path: path), found.size == state.size else { return false }
        return found == state || (try? DiskFile.digest(of: path)) == digest
    }

    var text: String { "\(state.size) \(state.inode) \(state.modified) \(digest)" }

    /// Parses a line of file states. Returns `nil` if the line is damaged.
    static func files(_ line: some StringProtocol) -> [CheckedFile]? {
        let words = line.split(separator: " ")
        let files = stride(from: 0, to: words.count - 3, by: 4).compactMap { CheckedFile(words[$0..<$0 + 4]) }
        return files.count * 4 == words.count ? files : nil
    }

    private init?(_ words: ArraySlice<some StringProtocol>) {
        let words = words.map { String($0) }
        guard let size = UInt64(words[0]), let inode = UInt64(words[1]), let digest = UInt64(words[3]) else {
            return nil
        }
        self.init(state: FileState(size: size, inode: inode, modified: words[2]), digest: digest)
    }
}
