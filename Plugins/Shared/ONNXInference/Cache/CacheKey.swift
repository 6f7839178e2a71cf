import Glibc
import ONNXGraphs

/// Everything that determines the optimized form of a model. A cached form with another key is not used.
struct CacheKey: Equatable {
    /// Increase it when the files of an entry change their meaning.
    private static let format = 7
    private static let sampleSize = 1 << 16

    /// One line.
    let text: String
    /// The path of the model.
    let model: String
    /// The entry's name in the cache. It depends on the model's path only, so that a newer form replaces an older one.
    let name: String

    /// The cost does not depend on the model's size: a model that was written to, replaced or repaired differs in time,
    /// inode, size or in its first or last 64 KiB.
    ///
    /// - Parameter rewriting: What the form depends on if the graph is rewritten.
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

    /// The model and features of the first processor, from the first block of /proc/cpuinfo.
    private static let processor: UInt64 = {
        guard let bytes = try? DiskFile.content(of: "/proc/cpuinfo", limit: 4096) else { return 0 }
        var digest = ContentDigest()
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let name = String(
                decoding: line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "\t") }, as: UTF8.self)
            // Other lines, such as the clock, change all the time.
            if ["model name", "flags", "Features", "CPU part", "CPU implementer"].contains(name) {
                digest.update(Array(line))
            }
        }
        return digest.value
    }()
}
