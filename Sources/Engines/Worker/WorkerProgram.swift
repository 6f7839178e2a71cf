/// Which program hosts an engine, and where what it prints is kept.
package struct WorkerProgram: Hashable, Sendable {
    /// The path of `synthhost-worker`.
    package var path: String
    /// A folder for one log per engine file; made when the first is written.
    package var logFolder: String
    /// The variables that it gets; nil = those of this process, to the byte.
    package var environment: [String: String]?

    package init(path: String, logFolder: String, environment: [String: String]? = nil) {
        self.path = path
        self.logFolder = logFolder
        self.environment = environment
    }
}
