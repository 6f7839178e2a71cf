import EngineWire
import Glibc
import System

/// Finds the files in the plugins folders and asks each for its description, in a process of its own.
package struct PluginScan: Sendable {
    private let folders: [String]
    private let program: WorkerProgram
    private let limits: EngineLimits
    private let cache: ScanCache?

    /// - Parameters:
    ///   - folders: in order of precedence: the first engine of an id wins. Missing folders are skipped.
    ///   - cacheFolder: where descriptions are cached; nil = nowhere.
    package init(
        folders: [String], program: WorkerProgram, limits: EngineLimits = EngineLimits(), cacheFolder: String? = nil
    ) {
        self.folders = folders
        self.program = program
        self.limits = limits
        cache = cacheFolder.map { ScanCache(folder: $0, program: program) }
    }

    /// All plugins, in the order of the folders and of the file names. Blocks while engines answer.
    /// - Parameter anew: ask all of them, without the cache.
    package func run(anew: Bool = false) -> [PluginFile] {
        let paths = candidates()
        var verdicts = anew ? paths.map { _ in nil } : cached(paths)
        let unknown = paths.indices.filter { verdicts[$0] == nil }
        for (index, verdict) in zip(unknown, ask(unknown.map { paths[$0] })) { verdicts[index] = verdict }
        return Self.files(paths, verdicts)
    }

    /// The plugins in the cache, in the same order. Starts no process.
    package func known() -> [PluginFile] {
        let paths = candidates()
        return Self.files(paths, cached(paths))
    }

    private func cached(_ paths: [String]) -> [PluginFile.Verdict?] {
        paths.map { cache?.description(of: $0).map { .usable($0) } }
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

    private func candidates() -> [String] {
        var seen: Set<String> = []
        return folders.filter { seen.insert($0).inserted }.flatMap(Self.files)
    }

    /// The files of a folder that may be plugins, in order.
    package static func files(in folder: String) -> [String] {
        FolderListing.names(in: folder).filter { $0.hasSuffix(".so") }.sorted().map { "\(folder)/\($0)" }
    }

    /// Asks a few at a time, so that one that hangs does not delay the others.
    private func ask(_ paths: [String]) -> [PluginFile.Verdict] {
        struct Progress {
            var next = 0
            var verdicts: [Int: PluginFile.Verdict] = [:]
        }
        let progress = Monitor(Progress())
        let work: @Sendable () -> Void = {
            while let index = progress.update({ progress -> Int? in
                guard progress.next < paths.count else { return nil }
                defer { progress.next += 1 }
                return progress.next
            }) {
                let verdict = ask(paths[index])
                progress.update { $0.verdicts[index] = verdict }
            }
        }
        let threads = min(Self.mostAtOnce, paths.count)
        for _ in 1..<max(1, threads) { startThread("scan", work) }
        work()
        return progress.wait { progress in
            progress.verdicts.count == paths.count ? paths.indices.map { progress.verdicts[$0] }.compactMap { $0 } : nil
        } ?? []
    }

    private static let mostAtOnce = 4

    private func ask(_ path: String) -> PluginFile.Verdict {
        // Read before the question, so that a file that is replaced meanwhile is asked again.
        let fingerprint = cache?.fingerprint(of: path)
        do {
            let description = try describe(path)
            if let cache, let fingerprint { cache.store(description, of: path, fingerprint) }
            return .usable(description)
        } catch {
            return .unusable(error.reason)
        }
    }

    /// An engine whose worker was killed from outside is asked once more.
    private func describe(_ path: String) throws(EngineFailure) -> EngineDescription {
        let file = EngineFile(path: path)
        do {
            return try file.describe(by: program, limits: limits)
        } catch {
            guard error.reason.isExternalKill else { throw error }
            return try file.describe(by: program, limits: limits)
        }
    }
}
