import Glibc

/// Where the parts of synthhost lie: beside the running executable (a build tree), or below a prefix.
package struct Installation: Hashable, Sendable {
    /// The program that hosts an engine.
    package let worker: String
    /// The program that downloads.
    package let fetch: String
    /// The registry of voices; nil where none came along.
    package let registry: String?
    /// The folders with the engines that came along.
    package let plugins: [String]

    /// Looks beside the executable, in the prefix that it lies in, below `SYNTHHOST_PREFIX`, `/usr/local` and `/usr`.
    /// - Parameter executable: the running program.
    package init(executable: String, environment: [String: String]) throws(InstallationError) {
        let folder = String(executable[..<(executable.lastIndex(of: "/") ?? executable.startIndex)])
        let prefixes = [environment["SYNTHHOST_PREFIX"], "/usr/local", "/usr"].compactMap { $0 }
        let libraries = ["\(folder)/../lib/synthhost"] + prefixes.map { "\($0)/lib/synthhost" }
        let candidates = ([folder] + libraries).map { "\($0)/synthhost-worker" }
        guard let worker = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw InstallationError(missing: "synthhost-worker", candidates: candidates)
        }
        self.worker = worker
        fetch = "\(worker.dropLast("worker".count))fetch"
        // In a build tree the registry lies at the root of the checkout, three folders up.
        registry = ([folder] + libraries + ["\(folder)/../../.."]).map { "\($0)/models.json" }
            .first { access($0, R_OK) == 0 }
        plugins = libraries.map { "\($0)/plugins" } + [folder]
    }

    /// The program that this process runs.
    package static var executable: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let base = buffer.baseAddress, case let count = readlink("/proc/self/exe", base, buffer.count),
                count > 0
            else { return CommandLine.arguments.first ?? "" }
            return String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
        }
    }
}
