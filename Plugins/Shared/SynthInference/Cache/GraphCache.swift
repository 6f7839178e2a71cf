import Glibc
import SynthGraphRewriting
import SynthGraphs

/// A folder of optimized models.
///
/// An entry is a folder that contains the graph (or the graphs of the model's parts) without shapes, the weights, which
/// ONNX Runtime maps into memory instead of reading, and a record. The folder gets its final name only once its content
/// is on disk, so every visible entry is complete. Several processes may share a cache.
struct GraphCache {
    struct Entry {
        /// The maximum number of files that a rewrite adds.
        static let maximumAddedFiles = 2

        var folder: String
        /// The lock on the folder; `nil` if the entry is complete or the file system does not support locks.
        var lock: EntryLock?
        /// The path of the complete graph as written by ONNX Runtime.
        var whole: String { graph(0) }
        /// Returns the path of a weights file. ONNX Runtime writes file 0, and rewrites add files with higher numbers.
        func weights(_ number: Int) -> String { folder + "/" + Self.weightsName(number) }
        static func weightsName(_ number: Int) -> String { "weights" + ending(number) }
        /// Returns the path of the graph with this index in `ModelParts`.
        func graph(_ number: Int) -> String { folder + "/graph\(Self.ending(number)).onnx" }
        /// Returns the path of a rewritten graph, before it replaces the original.
        func rewritten(_ number: Int) -> String { folder + "/rewritten\(Self.ending(number)).onnx" }
        /// Returns the path of a rewritten graph whose noise is an input, for comparison with the original.
        func compared(_ number: Int) -> String { folder + "/compared\(Self.ending(number)).onnx" }
        /// The path of the model converted to floats. The file exists until ONNX Runtime has read it.
        var floats: String { folder + "/floats.onnx" }
        static let floatWeights = "floats"
        var record: String { folder + "/record" }

        /// Whether the file belongs to this cache, judging by its name. No other files in the folder are ever deleted.
        static func isOwn(_ name: String) -> Bool {
            name == "record" || name == EntryLock.name
                || ["graph", "weights", "rewritten", "compared", "floats"].contains(where: name.hasPrefix)
        }

        private static func ending(_ number: Int) -> String { number == 0 ? "" : "-\(number)" }
    }

    /// An entry's contents after a rewrite.
    struct Rewritten {
        var outcome: RewriteOutcome
        var parts = ModelParts()
        /// The additional weights files; `nil` if no weights were added.
        var weights: [CheckedFile]?
    }

    private static let failure = InferenceError(.model, "the model cannot be stored in the cache")
    /// The part of an unfinished entry's name that precedes the process ID.
    static let unfinished = ".unfinished-"
    /// The maximum size of a record in bytes.
    private static let longestRecord = 1 << 15

    private let folder: String

    init(folder: String) {
        self.folder = folder
    }

    private func entry(_ key: CacheKey) -> Entry {
        Entry(folder: folder + "/" + key.name)
    }

    /// Returns the entry for this key if it exists and is valid.
    ///
    /// The graph is read and its digest checked. The weights are read only if their file has changed; reading them on
    /// every start would negate the benefit of mapping them.
    func find(_ key: CacheKey) -> (entry: Entry, record: CacheRecord)? {
        let entry = entry(key)
        guard let record = record(of: entry), record.key == key.text,
            record.model == key.model,
            record.digests.enumerated().allSatisfy({
                (try? DiskFile.digest(of: entry.graph($0.offset))) == $0.element
            }),
            record.weights.enumerated().allSatisfy({ $0.element.isSame(entry.weights($0.offset)) })
        else { return nil }
        // The process that published the entry may have failed to remove its lock file.
        unlink(entry.folder + "/" + EntryLock.name)
        return (entry, record)
    }

    /// Removes the entries of models that no longer exist and then creates an empty folder for a new entry.
    func begin(_ key: CacheKey) -> Entry? {
        removeUseless()
        let made = folder + "/" + key.name + Self.unfinished + "\(getpid())-"
        for attempt in 0..<16 {
            let made = made + "\(attempt)"
            if mkdir(made, 0o700) == 0 {
                switch EntryLock.claim(made) {
                case .taken(let lock): return Entry(folder: made, lock: lock)
                case .unavailable: return Entry(folder: made)
                case .lost: continue
                }
            } else if errno != EEXIST {
                return nil
            }
        }
        return nil
    }

    /// Removes unfinished entries whose processes have exited.
    func removeAbandoned() {
        for name in names(in: folder) ?? [] where name.contains(Self.unfinished) {
            let entry = Entry(folder: folder + "/" + name)
            guard let lock = EntryLock.takeOver(entry.folder) else { continue }
            withExtendedLifetime(lock) { remove(entry) }
        }
    }

    /// Turns the files written by ONNX Runtime into an entry that other processes can see.
    ///
    /// - Parameters:
    ///   - exposedOutputs: Outputs that the entry's graph returns in addition to the outputs of the original model.
    ///   - part: The part of a recognizer whose rewrite is applied; `nil` for none.
    ///   - rewrite: Changes the graph before it is published.
    /// - Returns: The outcome of `rewrite`; `nil` if there is no `rewrite`.
    func publish(
        _ unfinished: Entry, key: CacheKey, exposing exposedOutputs: ExposedOutputs, of part: RecognizerPart? = nil,
        rewrite: ((Entry) throws -> Rewritten)? = nil
    ) throws(InferenceError) -> RewriteOutcome? {
        do {
            let graph = try { () throws -> [UInt8] in
                let file = try MappedFile(unfinished.whole)
                var graph = try ModelGraph(file.bytes)
                try part?.rewrite(&graph)
                let size = FileState(path: unfinished.weights(0))?.size ?? 0
                guard graph.externalSize <= size else { throw Self.failure }
                let outputs = graph.outputs.map(\.name).filter { !exposedOutputs.forNow.contains($0) }
                return try graph.part(graph.nodes, inputs: nil, outputs: outputs).bytes()
            }()
            try write(graph, to: unfinished.whole)
            // ONNX Runtime does not write a weights file for a model without large tensors.
            if FileState(path: unfinished.weights(0)) == nil { try write([], to: unfinished.weights(0)) }
            let rewriting = try rewrite?(unfinished)
            let parts = rewriting?.parts ?? ModelParts()
            let graphs = (0..<parts.graphCount).map(unfinished.graph)
            for file in graphs { try DiskFile(reading: file).synchronize() }
            let weights = try rewriting?.weights ?? [CheckedFile(unfinished.weights(0))]
            let record = CacheRecord(
                key: key.text, model: key.model, exposed: exposedOutputs.lasting, rewriting: rewriting?.outcome,
                parts: parts,
                digests: try graphs.map { try DiskFile.digest(of: $0) }, weights: weights)
            // A model's names may contain any character, including those that a line of the record cannot contain.
            guard CacheRecord(text: record.text) == record, record.text.utf8.count <= Self.longestRecord else {
                throw Self.failure
            }
            try write(Array(record.text.utf8), to: unfinished.record)
            try DiskFile.synchronize(folder: unfinished.folder)
            try show(unfinished, as: entry(key))
            unlink(entry(key).folder + "/" + EntryLock.name)
            try DiskFile.synchronize(folder: folder)
            return rewriting?.outcome
        } catch {
            throw Self.failure
        }
    }

    func remove(_ entry: Entry) {
        guard let names = names(in: entry.folder) else { return }
        for name in names where Entry.isOwn(name) { unlink(entry.folder + "/" + name) }
        rmdir(entry.folder)
    }

    private func show(_ unfinished: Entry, as entry: Entry) throws(InferenceError) {
        if rename(unfinished.folder, entry.folder) == 0 { return }
        guard errno == ENOTEMPTY || errno == EEXIST else { throw Self.failure }
        // A rename cannot replace a non-empty folder, so first move the old folder out of the way.
        let old = Entry(folder: unfinished.folder + "-old")
        guard rename(entry.folder, old.folder) == 0 || errno == ENOENT else { throw Self.failure }
        defer { remove(old) }
        guard rename(unfinished.folder, entry.folder) == 0 else { throw Self.failure }
    }

    private func removeUseless() {
        for name in names(in: folder) ?? [] {
            let entry = Entry(folder: folder + "/" + name)
            if !name.contains(Self.unfinished), let record = record(of: entry), FileState(path: record.model) == nil {
                remove(entry)
            }
        }
    }

    private func record(of entry: Entry) -> CacheRecord? {
        guard let text = try? DiskFile.content(of: entry.record, limit: Self.longestRecord) else { return nil }
        return CacheRecord(text: String(decoding: text, as: UTF8.self))
    }

    private func names(in path: String) -> [String]? {
        guard let stream = opendir(path) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let item = readdir(stream) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = try DiskFile(writing: path)
        try file.write(bytes)
        try file.synchronize()
    }
}

/// Everything that determines a model's optimized variant. A cached variant is used only if its key equals the current
/// one.
struct CacheKey: Equatable {
    /// The version of the entry format. Increment it when the meaning of the files changes.
    private static let format = 7
    private static let sampleSize = 1 << 16

    let text: String
    let model: String
    /// The entry's name in the cache. The name depends only on the model's path, so the entry for a newer variant
    /// replaces the entry for an older one.
    let name: String

    /// Computes the key in constant time, regardless of the model's size. A model that has been overwritten, replaced
    /// or repaired differs in its modification time, inode, size, or first or last 64 KiB.
    ///
    /// - Parameter rewriting: Identifies everything that determines the rewritten variant; `nil` without a rewrite.
    init(
        model path: String, exposing operation: String?, rewriting: String? = nil, runtimeVersion: String
    ) throws(InferenceError) {
        guard let state = FileState(path: path) else { throw InferenceError(.model, "the file is missing") }
        var digest = ContentDigest()
        do {
            let file = try DiskFile(reading: path)
            let sample = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.sampleSize, alignment: 16)
            defer { sample.deallocate() }
            for offset in [0, state.size - min(state.size, UInt64(Self.sampleSize))] {
                let count = try file.read(into: sample, at: offset)
                digest.update(UnsafeRawBufferPointer(rebasing: sample.prefix(count)))
            }
        } catch {
            throw InferenceError(.model, "the file cannot be read")
        }
        text = """
            format \(Self.format) runtime \(runtimeVersion) processor \(Self.processor) size \(state.size) inode \
            \(state.inode) modified \(state.modified) sample \(digest.value) exposing \(operation ?? "-") \
            \(rewriting ?? "original")
            """
        model = path
        name = String(ContentDigest.of(path), radix: 16)
    }

    /// A digest of the first processor's model and features, from /proc/cpuinfo.
    private static let processor: UInt64 = {
        guard let bytes = try? DiskFile.content(of: "/proc/cpuinfo", limit: 4096) else { return 0 }
        var digest = ContentDigest()
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let name = String(
                decoding: line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "\t") }, as: UTF8.self)
            // Other lines, such as the clock speed, change constantly.
            if ["model name", "flags", "Features", "CPU part", "CPU implementer"].contains(name) {
                digest.update(Array(line))
            }
        }
        return digest.value
    }()
}
