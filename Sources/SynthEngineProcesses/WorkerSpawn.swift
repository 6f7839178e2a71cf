import Glibc
package import SynthEngineWire
package import SynthSystem

/// Starts a worker in a new process group, with `/` as the working directory and default signal handling. The worker
/// inherits only the control socket and the pipe that captures its output.
package enum WorkerSpawn {
    /// Starts a worker and returns its process ID. `control` becomes descriptor 3, and `output` becomes stdout and stderr. Paths in the
    /// arguments must be absolute. The worker gets the variables from `environment` (nil means this process's environment) that
    /// `EngineVariables` allows.
    ///
    /// - Parameter allowed: the names of the variables that the engine requests and the user allows.
    package static func start(
        program: String, arguments: [String], environment given: [String: String]? = nil,
        allowing allowed: Set<String> = [], control: Descriptor, output: Descriptor, by starter: ProgramStarter? = nil
    ) throws(Errno) -> Int32 {
        var spawn = Spawn(group: .own)
        try spawn.open("/dev/null", O_RDONLY, as: STDIN_FILENO)
        try spawn.pass(output.raw, as: STDOUT_FILENO)
        try spawn.pass(output.raw, as: STDERR_FILENO)
        try spawn.pass(control.raw, as: 3)
        // Relative paths in an engine or in the loader's search path must not resolve to files in the user's working
        // directory.
        spawn.work(in: "/")
        return try spawn.start(
            absolutePath(program), arguments: arguments.map { Array($0.utf8) },
            environment: environment(given ?? ProcessEnvironment().variables, allowed), by: starter)
    }

    /// Starts a helper process, which starts workers on behalf of a process that must not start programs itself.
    ///
    /// - Parameters:
    ///   - program: the worker program.
    ///   - fetcher: the download program, which the helper may also start.
    ///   - reader: the document reader, which the helper may also start.
    ///   - variables: additional variables that the helper can pass on. They must be known in advance, because a start
    ///     request contains only the names of variables.
    package static func starter(
        _ program: String, fetcher: String, reader: String, confinement: EngineConfinement,
        offering variables: [String: String] = [:]
    ) throws(Errno) -> ProgramStarter {
        let own = ProcessEnvironment().variables
        return try ProgramStarter(
            program,
            arguments: WorkerStart(worker: program, fetcher: fetcher, reader: reader, confinement: confinement).words,
            environment: variables.merging(own) { $1 }.merging(environment(own, [])) { $1 })
    }

    /// Returns a worker's environment. The library path includes the folder of the host's Swift runtime, so that an
    /// engine written in Swift finds the runtime even if no toolchain is installed. The long backtrace that the runtime
    /// prints after a crash is disabled.
    ///
    /// malloc is configured to use huge pages (`madvise`), which speeds up a neural model by up to an eighth, because
    /// such a model reads hundreds of megabytes.
    private static func environment(_ given: [String: String], _ allowed: Set<String>) -> [String: String] {
        var variables = ["SWIFT_BACKTRACE": "enable=no", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"]
        variables.merge(given.filter { EngineVariables.passes($0.key, $0.value, allowed: allowed) }) { $1 }
        let named = LibraryPath.folders(in: variables[LibraryPath.variable] ?? "")
        // An installed engine finds the runtime through its own search path.
        let runtime = SwiftRuntime.folder.flatMap { LibraryPath.canName($0) ? [$0] : nil } ?? []
        let folders = runtime + named
        variables[LibraryPath.variable] = folders.isEmpty ? nil : folders.joined(separator: ":")
        return variables
    }
}

/// The variables and permissions that an engine requests, in addition to those that every engine gets.
package struct WorkerRequest: Equatable, Sendable {
    /// The names of environment variables.
    package var variables: [String]
    package var needs: [EngineNeed]
    /// The permissions, including those for variables, that the user has granted the file.
    private let allowed: [EngineNeed.Kind]
    private let file: FileIdentity?

    /// - Parameter file: the engine's current file, to which the user's permissions apply.
    package init(
        variables: [String] = [], needs: [EngineNeed] = [], allowed: [EngineNeed.Kind] = [], to file: String? = nil
    ) {
        self.variables = variables
        self.needs = needs
        self.allowed = (needs.map(\.kind) + variables.map { .variable($0) }).filter(allowed.contains)
        self.file = file.flatMap { FileIdentity(path: $0) }
    }

    /// Returns the permissions for the file that is now at the path, or none if it has been replaced.
    func allowed(to path: String) -> [EngineNeed.Kind] {
        allowed.isEmpty || FileIdentity(path: path) != file ? [] : allowed
    }
}

/// The worker program, its environment, and the folder for its logs.
package struct WorkerProgram: Equatable, Sendable {
    /// The path of `synthhost-worker`.
    package var path: String
    /// The folder for the logs. There is one log for each engine file, and the folder is created when the first log is
    /// written.
    package var logFolder: String
    /// The program's environment, or nil to inherit this process's environment.
    package var environment: [String: String]?
    /// The paths that every worker is allowed to read, such as the voices folder.
    package var readable: [String]
    package var confinement: EngineConfinement
    /// The newest Landlock version to use, or nil for the kernel's version.
    package var landlockVersion: Int?
    /// The helper that starts the program, or nil if this process starts it.
    package var starter: ProgramStarter?

    package init(
        path: String, logFolder: String, environment: [String: String]? = nil, readable: [String] = [],
        confinement: EngineConfinement = .usual, landlockVersion: Int? = nil
    ) {
        self.path = path
        self.logFolder = logFolder
        self.environment = environment
        self.readable = readable
        self.confinement = confinement
        self.landlockVersion = landlockVersion
    }

    /// Returns the files that a worker may read and write when it loads a model and receives additional files. Links
    /// are resolved, because the kernel's rules apply to files rather than names. Access to a file cannot be granted
    /// before the file exists.
    func files(for load: LoadRequest, _ further: [HandedFile]) -> FileRules {
        FileRules(
            readable: (readable + (load.files + further).map(\.path)).compactMap(LinkTarget.real),
            writable: [load.cacheDirectory].compactMap { $0 }.compactMap(LinkTarget.real))
    }
}

/// The Swift runtime of this process.
enum SwiftRuntime {
    /// The folder of the runtime's libraries, or nil if they are linked statically.
    static let folder: String? = {
        guard let maps = try? readWholeFile("/proc/self/maps", limit: 4 << 20) else { return nil }
        for line in maps.split(separator: UInt8(ascii: "\n")) {
            guard let slash = line.firstIndex(of: UInt8(ascii: "/")) else { continue }
            let path = String(decoding: line[slash...], as: UTF8.self)
            if path.hasSuffix("/libswiftCore.so") { return String(path.dropLast("/libswiftCore.so".count)) }
        }
        return nil
    }()
}
