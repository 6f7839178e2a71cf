import CLinux
import Glibc
import System

/// Tells which calls of a watched process are refused, and in which words.
struct CallJudge {
    let watched: pid_t
    /// What Landlock allows; nil = there is no Landlock.
    let files: FileRules?

    struct Verdict {
        /// What was refused, as the end of a sentence after "It was refused"; nil = nothing.
        var refused: String?
        /// The error that the call ends with; 0 = the kernel does with it as it would.
        var failure: Int32 = 0
    }

    /// Not where a process may look at no other.
    var canReadMemory: Bool {
        // What was here before the two parted is at the same place in both.
        withUnsafeBytes(of: watched) { here in
            CallMemory(thread: watched).bytes(at: UInt64(UInt(bitPattern: here.baseAddress)), count: 1) != nil
        }
    }

    func verdict(on call: linux_call) -> Verdict {
        let memory = CallMemory(thread: call.thread)
        let paths = CallPaths(call, memory, watched: watched)
        let words = CallWords(call, memory, paths)
        guard call.deed.rawValue <= LINUX_LINKS.rawValue else { return Verdict(refused: words.refused, failure: EPERM) }
        guard let path = paths.first else { return Verdict() }
        if call.deed == LINUX_OPENS { return opening(path, OpenFlags(call), words) }
        guard let files, isRefused(call, path, paths.second, files) else { return Verdict() }
        return Verdict(refused: words.refused)
    }

    private func opening(_ path: CallPath, _ flags: OpenFlags, _ words: CallWords) -> Verdict {
        if flags.emptiesByReading { return Verdict(refused: words.refused(to: "empty"), failure: EPERM) }
        // A descriptor that only names a place is never refused.
        if flags.onlyNames { return Verdict() }
        if flags.isUnnamed {
            return path.isFolder && !mayChange(path.real)
                ? Verdict(refused: words.refused(to: "create a file in")) : Verdict()
        }
        switch path.answer(to: flags.harmless) {
        case EACCES, EPERM:
            return flags.mustBeNew ? Verdict() : Verdict(refused: words.refused(to: flags.writes ? "write" : "read"))
        case ENOENT where flags.raw & O_CREAT != 0 && path.folder.isFolder && !mayChange(path.folder.real):
            return Verdict(refused: words.refused(to: "create"))
        default: return Verdict()
        }
    }

    /// Of what is asked by path besides opening. What would fail without walls as well is not counted.
    private func isRefused(_ call: linux_call, _ path: CallPath, _ other: CallPath?, _ files: FileRules) -> Bool {
        let isOutside = !mayChange(path.folder.real)
        switch call.deed {
        case LINUX_MAKES_FOLDER: return isOutside && path.isFree
        case LINUX_MAKES_FILE:
            let mode = mode_t(truncatingIfNeeded: call.folder < 0 ? call.arguments.1 : call.arguments.2) & S_IFMT
            return (isOutside || mode != 0 && mode != S_IFREG) && path.isFree
        case LINUX_MAKES_LINK: return path.isFree
        case LINUX_REMOVES: return isOutside && path.exists
        default: return path.exists && (isOutside || other.map { !mayChange($0.folder.real) } ?? false)
        }
    }

    private func mayChange(_ folder: String?) -> Bool {
        guard let files, let folder else { return true }
        return files.mayChange(folder: folder)
    }
}

/// How a file is to be opened.
struct OpenFlags {
    let raw: Int32

    init(_ call: linux_call) {
        if call.name.map({ String(cString: $0) }) == "creat" {
            raw = O_CREAT | O_WRONLY | O_TRUNC
        } else {
            raw = Int32(truncatingIfNeeded: call.folder < 0 ? call.arguments.1 : call.arguments.2)
        }
    }

    var writes: Bool { raw & O_ACCMODE != O_RDONLY }
    var mustBeNew: Bool { raw & O_CREAT != 0 && raw & O_EXCL != 0 }
    /// linux_refused.c refuses that.
    var emptiesByReading: Bool { raw & O_TRUNC != 0 && ![O_WRONLY, O_RDWR].contains(raw & O_ACCMODE) }
    /// `O_TMPFILE`, which has the bit of a folder in it.
    var isUnnamed: Bool { raw & Self.unnamed != 0 }
    /// The same without making, emptying or waiting for anything.
    var harmless: Int32 { raw & ~(O_CREAT | O_EXCL | O_TRUNC | Self.unnamed) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC }

    /// `O_PATH`.
    var onlyNames: Bool { raw & 0o10000000 != 0 }

    /// `__O_TMPFILE`. The Glibc module has neither; the numbers are the same on all machines.
    private static let unnamed: Int32 = 0o20000000
}
