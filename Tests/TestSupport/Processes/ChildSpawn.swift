import Glibc
import SynthSystem

/// Starts a program with the given streams and default signal handlers. The program inherits nothing else.
struct ChildSpawn: ~Copyable {
    private var spawn: Spawn
    /// The child's ends of the pipes, which this process closes once the child has been started.
    private var theirs: [Descriptor] = []

    init(leadsSession: Bool, ignoresBrokenPipes: Bool) {
        spawn = Spawn(group: leadsSession ? .session : .parents, ignoresBrokenPipes: ignoresBrokenPipes)
    }

    /// Attaches a stream and returns the other end if it is a pipe.
    mutating func attach(_ stream: ChildProcess.Stream, to number: Int32) throws -> Descriptor? {
        switch stream {
        case .null: try spawn.open("/dev/null", O_RDWR, as: number)
        case .closed: spawn.close(number)
        case .descriptor(let descriptor): try spawn.pass(descriptor, as: number)
        // The first terminal that a session leader opens becomes its controlling terminal.
        case .terminal(let terminal): try spawn.open(terminal.path, O_RDWR, as: number)
        case .pipe:
            let (reading, writing) = try Descriptor.pipe()
            let isInput = number == STDIN_FILENO
            let theirEnd = isInput ? reading : writing
            try spawn.pass(theirEnd.raw, as: number)
            theirs.append(theirEnd)
            return isInput ? writing : reading
        }
        return nil
    }

    consuming func start(_ program: String, arguments: [[UInt8]], environment: [String: String]) throws -> pid_t {
        try spawn.start(program, arguments: arguments, environment: environment)
    }
}
