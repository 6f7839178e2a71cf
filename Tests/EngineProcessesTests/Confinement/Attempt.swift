import Testing

/// An operation attempted by the intruder (`Tests/Fixtures/Engines/intruder.c`), and the first version of Landlock that
/// denies it.
struct Attempt: CustomTestStringConvertible, Sendable {
    enum Target: Sendable {
        case nothing
        /// A file that engines cannot access.
        case secret
        /// An unused name in the secret's folder.
        case free
        /// The secret's folder, and an empty folder in it.
        case folder, empty
        /// A file that is passed to the engine.
        case model
        case engine
        /// Another process, whose standard input is the secret.
        case process
        /// Both the other process and the secret.
        case processAndSecret
        case path(String)
    }

    let name: String
    let target: Target
    /// The first version of Landlock that denies the operation; 0 if the system call filter denies it on every kernel.
    let version: Int
    /// Whether some systems deny the call to all programs or do not support it, or whether it would harm the target
    /// process.
    let isSpecial: Bool

    init(_ name: String, at target: Target = .nothing, from version: Int = 0, isSpecial: Bool = false) {
        self.name = name
        self.target = target
        self.version = version
        self.isSpecial = isSpecial
    }

    var testDescription: String { "\(name) \(target)" }

    static let all = byLandlock + onFiles + onProcesses + onNetwork + onKernel + onMemory

    private static func each(_ names: String, at target: Target = .nothing, isSpecial: Bool = false) -> [Attempt] {
        names.split(separator: " ").map { Attempt(String($0), at: target, isSpecial: isSpecial) }
    }

    private static func fromFirst(_ names: String, at target: Target = .nothing, isSpecial: Bool = false) -> [Attempt] {
        names.split(separator: " ").map { Attempt(String($0), at: target, from: 1, isSpecial: isSpecial) }
    }

    static let byLandlock =
        fromFirst(
            """
            read-file write-file append empty-file reopen remove-file rename-file exchange link symbolic-link read-by-root \
            read-by-thread
            """, at: .secret)
        + fromFirst("create-file mkdir", at: .free) + fromFirst("list-folder unnamed-file", at: .folder)
        + fromFirst("rmdir", at: .empty) + fromFirst("fifo socket-file constructor early-thread")
        + fromFirst("device-file write-own-memory", isSpecial: true)
        + fromFirst("write-file append empty-file link rename-file remove-file", at: .model)
        + fromFirst("write-file remove-file", at: .engine)
        + fromFirst("read-environment read-descriptor", at: .process)
        + fromFirst("read-memory", at: .process, isSpecial: true)
        + fromFirst("read-by-foreign-root", at: .processAndSecret) + fromFirst("list-folder", at: .path("/proc"))
        + fromFirst("read-file", at: .path("/proc/version")) + fromFirst("read-file list-folder", at: .path("/etc"))
        + fromFirst("list-folder", at: .path("/proc/self")) + ofProcess + fromFirst("shared-zeros")

    /// Files in the engine's folder in /proc that reveal the user's connections and mounts, under each of their paths.
    private static let ofProcess =
        ["/proc", "/proc/self", "/proc/thread-self"].flatMap { folder in
            ["net/tcp", "net/unix", "net/dev", "mounts"].flatMap {
                fromFirst("read-file", at: .path("\(folder)/\($0)"))
            }
        }
        + ["/proc/self/mountinfo", "/proc/thread-self/mountinfo", "/proc/self/task"].flatMap {
            fromFirst($0.hasSuffix("task") ? "list-folder" : "read-file", at: .path($0))
        }

    private static let onFiles =
        each("truncate chmod chown lchown utimes utimensat fchmod fchown futimens", at: .secret)
        + each("setxattr removexattr fsetxattr", at: .secret)
        + each("getxattr lgetxattr listxattr llistxattr fgetxattr", at: .secret)
        + each("getxattr listxattr fgetxattr flistxattr syncfs", at: .model)
        + each("getxattrat listxattrat file-getattr", at: .secret, isSpecial: true)
        + each("empty-by-reading openat2 set-flags set-attributes lock lease", at: .secret)
        + each("empty-by-reading set-flags set-attributes lock lease", at: .model)
        + each("truncate fchmod fchown futimens", at: .model) + each("fsetxattr", at: .model, isSpecial: true)
        + each("fchmodat2 setxattrat read-by-handle fanotify", at: .secret, isSpecial: true)
        + each("watch notify", at: .folder)
        + each("mount umount open-tree fsopen mount-setattr chroot pivot-root", at: .secret, isSpecial: true)

    private static let onProcesses =
        each("execve execveat", at: .path("/bin/true"))
        + each("run-memory fork raw-fork vfork clone clone-sharing setns")
        + each("realtime", isSpecial: true)
        + each(
            "clone-space clone-thread-space clone-high clone3 clone3-space unshare unshare-mounts setsid setpgid",
            isSpecial: true)
        + each(
            """
            signal signal-high signal-group signal-all tgkill tkill rt-sigqueueinfo prlimit ioprio-set \
            sched-setaffinity sched-setscheduler sched-setattr
            """, at: .process)
        + each(
            """
            setpriority setown setown-ex fiosetown siocspgrp pidfd-signal pidfd-getfd folder-signal peer-signal pidfd-send-signal \
            ptrace ptrace-me process-vm-readv process-vm-writev move-pages migrate-pages process-madvise \
            process-mrelease kcmp
            """, at: .process, isSpecial: true)

    private static let onNetwork =
        each("connect-tcp udp", at: .path("9")) + each("bind-tcp unix-datagram pair-bind pair-listen")
        + each("tcp6 udp6 multipath-tcp tcp-high raw packet netlink vsock crypto bluetooth", isSpecial: true)
        + each("unix-stream unix-abstract", at: .free)
        + each("pair-sendto pair-sendmsg pair-sendmmsg raw-pair-sendmsg pair-connect stream-sendto", at: .free)
        + each("list-networks")

    private static let onKernel =
        each(
            """
            bpf perf userfaultfd keyctl add-key request-key io-uring init-module finit-module delete-module kexec syslog swapon \
            swapoff reboot quotactl acct settimeofday clock-settime clock-adjtime sethostname setdomainname obsolete beyond-all \
            personality sync
            """, isSpecial: true) + onProcessor

    #if arch(x86_64)
        private static let onProcessor = each("iopl ioperm modify-ldt uselib other-numbers back-door", isSpecial: true)
    #else
        private static let onProcessor: [Attempt] = []
    #endif

    private static let onMemory =
        each("executable executable-later writable-executable shmget msgget semget tiocsti tiocsti-high tioclinux")
        + each("tiocsctty mq-open", isSpecial: true) + each("outlive-host outlive-host-high limit-memory limit-files")
        + each("be-traced move-own-memory limit-by-old-call secret-memory", isSpecial: true) + sharedMemory

    /// Shared memory that is not a file in a folder, and that a memory limit would not count.
    static let sharedMemory =
        each("shared-memory shared-memory-high memory-file") + each("shared-memory-validated", isSpecial: true)
}
