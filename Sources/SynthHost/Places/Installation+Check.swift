import Glibc

extension Installation {
    /// The program that checks engines, beside the worker.
    package func checkProgram() throws(InstallationError) -> String {
        let folder = worker[..<(worker.lastIndex(of: "/") ?? worker.startIndex)]
        let path = "\(folder)/synthhost-check"
        guard access(path, X_OK) == 0 else {
            throw InstallationError(missing: "synthhost-check", candidates: [path])
        }
        return path
    }
}
