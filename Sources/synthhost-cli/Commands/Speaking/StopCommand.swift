import Glibc
import SynthCommandSyntax
import SynthHost
import SynthSystem

/// Marks this process as playing while this object exists. The mark is a locked file that contains the name of the command.
///
/// The kernel reports which process holds the lock, so `stop` never signals an unrelated process that has reused the process ID.
final class PlayingMark: Sendable {
    private let path: String
    private let file: Descriptor
    /// The folders that were created, innermost first.
    private let created: [String]

    /// Returns nil if the file cannot be created. In this case, `synthhost stop` does not find this process.
    init?(_ context: CommandContext, _ command: String) {
        let folder = Self.folder(context)
        path = folder.child("\(getpid())")
        var (missing, above) = ([String](), folder)
        while above.count > 1, access(above, F_OK) != 0 {
            missing.append(above)
            above = LinkTarget.folder(of: above)
        }
        created = missing
        makeFolder(of: path)
        var lock = Self.wholeFile(F_WRLCK)
        guard let file = try? Descriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600),
            fcntl(file.raw, F_SETLK, &lock) == 0, ftruncate(file.raw, 0) == 0,
            (try? file.writeAll(Array(command.utf8))) != nil
        else { return nil }
        self.file = file
        // Remove the marks of killed processes. Skip this process's own mark, because closing it again would release its lock.
        for name in FolderListing.names(in: folder) {
            if let number = Int32(name), number != getpid() { _ = Player(folder.child(name)) }
        }
    }

    deinit {
        unlink(path)
        // rmdir keeps folders that contain other files.
        for folder in created { rmdir(folder) }
    }

    static func folder(_ context: CommandContext) -> String {
        let folders = UserFolders(environment: context.environment)
        return (folders.runtime ?? folders.state).child("playing")
    }

    static func wholeFile(_ kind: Int32) -> flock {
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        return lock
    }
}

/// `synthhost stop`: ends this user's `read`, `speak` and `play` commands that are playing audio.
struct StopCommand: Command {
    let context: CommandContext

    /// How long `stop` waits for a process to exit.
    private static let timeout = Duration.seconds(3)

    func run() throws {
        let folder = PlayingMark.folder(context)
        let numbers = FolderListing.names(in: folder).compactMap { Int32($0) }.sorted()
        var stopped = 0
        for number in numbers {
            guard let player = Player(folder.child("\(number)")) else { continue }
            guard player.stop(within: Self.timeout) else {
                throw CommandFailure(
                    .failure, "synthhost \(player.command) (process \(player.process)) did not exit.",
                    "To end it immediately, type: kill -KILL \(player.process)")
            }
            context.printNote("Stopped synthhost \(player.command).")
            stopped += 1
        }
        if stopped == 0 { throw CommandFailure(.failure, arguments[Options.quiet] ? nil : "Nothing is playing.") }
    }
}

/// A process that holds the lock on a mark.
private struct Player {
    let process: Int32
    let command: String
    private let other: ProcessHandle

    /// Returns nil if no process holds the lock. Removes the mark of a process that has exited.
    init?(_ path: String) {
        guard let file = try? Descriptor.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK) else { return nil }
        guard let holder = Self.holder(of: file) else {
            // Keep the mark if its process is running, because the process may be about to lock the new file.
            if let name = path.split(separator: "/").last, let number = Int32(name), kill(number, 0) != 0,
                errno == ESRCH
            {
                unlink(path)
            }
            return nil
        }
        guard let other = ProcessHandle(holder) else { return nil }
        self.other = other
        // The process may have exited before the handle was opened, and its ID may have been reused.
        guard Self.holder(of: file) == holder else { return nil }
        process = holder
        let words = (try? file.readAll(limit: 64)) ?? []
        command = String(decoding: words.filter { (0x61...0x7A).contains($0) }, as: UTF8.self)
    }

    private static func holder(of file: Descriptor) -> Int32? {
        var lock = PlayingMark.wholeFile(F_WRLCK)
        guard fcntl(file.raw, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 0 else { return nil }
        return lock.l_pid
    }

    /// Sends SIGTERM, waits, and returns whether the process has exited.
    func stop(within limit: Duration) -> Bool {
        other.signal(SIGTERM)
        return other.hasEnded(within: limit)
    }
}
