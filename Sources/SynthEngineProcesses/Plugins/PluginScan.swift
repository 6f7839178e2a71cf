import Glibc
import SynthEngineWire
import SynthSystem

/// Finds the files in the plugins folders and queries each file's description in a separate process.
package struct PluginScan: Sendable {
    private let folders: [String]
    private let program: WorkerProgram
    private let limits: EngineLimits
    private let cache: ScanCache?

    /// - Parameters:
    ///   - folders: the plugins folders in order of precedence: if several engines have the same ID, the first engine is used. Missing
    ///     folders are skipped.
    ///   - cacheFolder: the folder in which descriptions are cached, or nil to disable the cache.
    ///   - memory: the records that were read from the cache earlier.
    package init(
        folders: [String], program: WorkerProgram, limits: EngineLimits = EngineLimits(), cacheFolder: String? = nil,
        memory: ScanMemory = ScanMemory()
    ) {
        self.folders = folders
        self.program = program
        self.limits = limits
        cache = cacheFolder.map { ScanCache(folder: $0, program: program, memory: memory) }
    }

    /// Returns all plugins, ordered by folder and file name, and the folders that cannot be read. Blocks until the engines have responded.
    ///
    /// - Parameter anew: whether to query all plugins, bypassing the cache.
    package func run(anew: Bool = false) -> [PluginFile] {
        let (paths, unreadable) = candidates()
        return Self.files(paths, verdicts(of: paths, anew: anew, cached(paths)) { engineVerdict(of: $0) })
            + unreadable.map { PluginFile(path: $0.engine, verdict: .unusable($0.reason)) }
    }

    /// The cache files of plugins that no longer exist.
    package var recordsOfMissingFiles: [String] { cache?.recordsOfMissingFiles ?? [] }

    /// Returns the cached plugins, ordered by folder and file name. Starts no process.
    package func known() -> [PluginFile] {
        let paths = candidates().paths
        return Self.files(paths, cached(paths))
    }

    /// Returns the files that are or may be recognizers, ordered by folder and file name, with only the first file for each ID. Blocks
    /// until the recognizers have responded.
    ///
    /// - Parameter anew: whether to query all files, bypassing the cache.
    package func recognizers(anew: Bool = false) -> [RecognizerFile] {
        let (paths, unreadable) = candidates()
        let cached = paths.map { path -> RecognizerAnswer? in cache?.answer(of: path).map { .success($0) } }
        let answers = verdicts(of: paths, anew: anew, cached) { recognizerAnswer(of: $0) }
        var ids: Set<String> = []
        return zip(paths, answers).compactMap { path, answer in
            switch answer {
            case .success(.description(let description)):
                ids.insert(description.id).inserted
                    ? RecognizerFile(path: path, verdict: .success(description)) : nil
            case .failure(let failure): RecognizerFile(path: path, verdict: .failure(failure))
            case .success(.otherKind), nil: nil
            }
        } + unreadable.map { RecognizerFile(path: $0.engine, verdict: .failure($0)) }
    }

    private typealias RecognizerAnswer = Result<ScanAnswer<RecognizerDescription>, EngineFailure>

    private func cached(_ paths: [String]) -> [PluginFile.Verdict?] {
        paths.map { path in
            switch cache?.answer(of: path) as ScanAnswer<EngineDescription>? {
            case .description(let description): .usable(description)
            case .otherKind: .recognizer
            case nil: nil
            }
        }
    }

    private static func files(_ paths: [String], _ verdicts: [PluginFile.Verdict?]) -> [PluginFile] {
        var owners: [String: String] = [:]
        return zip(paths, verdicts).compactMap { path, verdict in
            guard let verdict else { return nil }
            guard case .usable(let engine) = verdict else { return PluginFile(path: path, verdict: verdict) }
            if let owner = owners[engine.id] {
                return PluginFile(path: path, verdict: .shadowed(engine, by: owner))
            }
            owners[engine.id] = path
            return PluginFile(path: path, verdict: verdict)
        }
    }

    /// Returns the candidate files, and an error for each folder that exists but cannot be read. Without this error, a
    /// folder that temporarily cannot be read would look like a folder without engines.
    private func candidates() -> (paths: [String], unreadable: [EngineFailure]) {
        var seen: Set<String> = []
        var paths: [String] = []
        var unreadable: [EngineFailure] = []
        for folder in folders where seen.insert(folder).inserted {
            do throws(Errno) {
                paths += try Self.libraries(FolderListing.read(folder), in: folder)
            } catch {
                if error == .notFound || error == .notFolder { continue }
                unreadable.append(EngineFailure(engine: folder, reason: .refused(Refusal(.cannotBeRead(error)))))
            }
        }
        return (paths, unreadable)
    }

    /// Returns the candidate files in a folder, sorted; empty if the folder cannot be read.
    package static func files(in folder: String) -> [String] { libraries(FolderListing.names(in: folder), in: folder) }

    private static func libraries(_ names: [String], in folder: String) -> [String] {
        names.filter { $0.hasSuffix(".so") }.sorted().map { "\(folder)/\($0)" }
    }

    /// Returns the results for the files, from the cache if possible. The remaining files are queried concurrently, so
    /// that a hung query does not delay the others.
    private func verdicts<Verdict: Sendable>(
        of paths: [String], anew: Bool, _ cached: [Verdict?], _ ask: @escaping @Sendable (String) -> Verdict
    ) -> [Verdict?] {
        let unknown = paths.indices.filter { anew || cached[$0] == nil }
        let progress = Monitor(ScanProgress(verdicts: cached))
        let work: @Sendable () -> Void = {
            while let index = progress.update({ (progress: inout ScanProgress<Verdict>) -> Int? in
                guard progress.next < unknown.count else { return nil }
                defer { progress.next += 1 }
                return unknown[progress.next]
            }) {
                let verdict = ask(paths[index])
                progress.update {
                    $0.verdicts[index] = verdict
                    $0.asked += 1
                }
            }
        }
        let threads = min(Self.concurrencyLimit, unknown.count)
        for _ in 1..<max(1, threads) { startThread("scan", work) }
        work()
        return progress.wait { $0.asked == unknown.count ? $0.verdicts : nil } ?? []
    }

    private static let concurrencyLimit = 4
    /// The maximum size in bytes of a file to search for entry points.
    private static let maximumSearchedBytes: UInt64 = 64 << 20

    private func engineVerdict(of path: String) -> PluginFile.Verdict {
        // Read the fingerprint before the query, so that a file that is replaced in the meantime is queried again.
        let fingerprint = cache?.fingerprint(of: path)
        do throws(EngineFailure) {
            if Self.isOnly(.recognizer, path) {
                throw EngineFailure(engine: path, reason: .refused(Refusal(.noEntry)))
            }
            let description: EngineDescription = try describe(path)
            // An engine without voices or roles cannot speak. It may have failed to read its voices, so do not cache its description.
            let isEmpty = description.voices.isEmpty && description.roles.isEmpty
            if let cache, let fingerprint, !isEmpty { cache.store(.description(description), of: path, fingerprint) }
            return .usable(description)
        } catch {
            let known: ScanAnswer<RecognizerDescription>? = cache?.answer(of: path)
            guard error.reason.isWrongKind,
                case .success(.description) = known.map({ .success($0) }) ?? recognizerAnswer(of: path)
            else { return .unusable(error.reason) }
            if let cache, let fingerprint {
                cache.store(ScanAnswer<EngineDescription>.otherKind, of: path, fingerprint)
            }
            return .recognizer
        }
    }

    private func recognizerAnswer(of path: String) -> RecognizerAnswer {
        let fingerprint = cache?.fingerprint(of: path)
        let answer: ScanAnswer<RecognizerDescription>
        do throws(EngineFailure) {
            if Self.isOnly(.engine, path) {
                throw EngineFailure(engine: path, reason: .refused(Refusal(.noRecognizer)))
            }
            answer = .description(try describe(path))
        } catch {
            guard error.reason.isWrongKind else {
                return .failure(EngineFailure(engine: path, reason: error.reason))
            }
            answer = .otherKind
        }
        if let cache, let fingerprint { cache.store(answer, of: path, fingerprint) }
        return .success(answer)
    }

    /// Whether the file contains this kind's entry point and not the other kind's, so that the other kind can be ruled
    /// out without starting a process. Exported names occur literally in the file. A worker determines the kind if the
    /// file contains neither entry point, or if searching the file would take longer than querying it.
    private static func isOnly(_ kind: PluginKind, _ path: String) -> Bool {
        let other: PluginKind = kind == .engine ? .recognizer : .engine
        do {
            guard try Descriptor.openRegular(path).size <= maximumSearchedBytes else { return false }
            return try !FileSearch.contains(Array(other.entry.utf8), in: path)
                && FileSearch.contains(Array(kind.entry.utf8), in: path)
        } catch { return false }
    }

    /// Queries a plugin. If another process kills its worker, the query is retried once.
    private func describe<Description: PluginDescription>(_ path: String) throws(EngineFailure) -> Description {
        let file = EngineFile(path: path)
        do { return try file.describe(as: Description.self, by: program, limits: limits) } catch {
            guard error.reason.isExternalKill else { throw error }
            return try file.describe(as: Description.self, by: program, limits: limits)
        }
    }
}

private struct ScanProgress<Verdict> {
    var next = 0
    var verdicts: [Verdict?]
    var asked = 0
}

extension EngineFailure.Reason {
    /// Whether the file can be loaded but lacks the entry point of the requested kind.
    fileprivate var isWrongKind: Bool {
        guard case .refused(let refusal) = self else { return false }
        return refusal.flaw == .noEntry || refusal.flaw == .noRecognizer
    }
}
