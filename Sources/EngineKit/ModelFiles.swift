import CSynthEngine

/// What a model is loaded from.
public struct ModelFiles: Sendable {
    /// The `model` of the voice; the voice's id if it names none.
    public let model: String
    /// CPU threads for one request; 0 = as the engine thinks best.
    public let threads: Int
    /// An existing folder for this engine only, until exit; `nil` = write nothing.
    public let cacheDirectory: String?
    /// The files of scope `.model`.
    public let files: FileSet

    init(_ load: synth_load) {
        model = load.model.map { String(cString: $0) } ?? ""
        threads = Int(load.threads)
        cacheDirectory = load.cache_directory.map { String(cString: $0) }
        files = FileSet(load.files, count: load.file_count)
    }
}
