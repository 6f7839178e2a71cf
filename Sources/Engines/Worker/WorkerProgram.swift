/// The worker program, its environment and the folder of its logs.
package struct WorkerProgram: Hashable, Sendable {
    /// The path of `synthhost-worker`.
    package var path: String
    /// The folder of the logs, one per engine file. It is created with the first log.
    package var logFolder: String
    /// Its environment; nil = that of this process.
    package var environment: [String: String]?

    package init(path: String, logFolder: String, environment: [String: String]? = nil) {
        self.path = path
        self.logFolder = logFolder
        self.environment = environment
    }
}
