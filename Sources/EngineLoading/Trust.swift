import EngineWire
import Glibc
import System

/// Whether nobody but the superuser and the user could have written a file, or could put another in its place: code
/// runs with the rights of whoever loads it.
struct Trust {
    private let accounts: Accounts
    /// Folders that passed with all above them: those of one engine have most of them in common.
    private var passed: Set<String> = []

    init(accounts: Accounts = .ofSystem) { self.accounts = accounts }

    /// Checks a file or folder, and all folders above it.
    /// - Parameters:
    ///   - path: absolute.
    ///   - part: what the path is for.
    ///   - isOpen: names that are not there now count as well, so that not even a sticky folder is well.
    mutating func check(_ path: String, of part: EnginePart = .file, isOpen: Bool = false) throws(Refusal) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw Refusal(.cannotBeOpened(Errno.last), of: part)
        }
        try check(status, at: path, of: part, isOpen: isOpen)
        var folder = path[...]
        var above: [String] = []
        while let slash = folder.lastIndex(of: "/"), folder != "/" {
            folder = slash == folder.startIndex ? "/" : folder[..<slash]
            if passed.contains(String(folder)) { break }
            above.append(String(folder))
            guard lstat(String(folder), &status) == 0 else { continue }
            let place = part == .file ? .folder(String(folder)) : part
            try check(status, at: String(folder), of: place, isOpen: false)
        }
        passed.formUnion(above)
    }

    private func check(_ status: stat, at path: String, of part: EnginePart, isOpen: Bool) throws(Refusal) {
        let kind = status.st_mode & S_IFMT
        // Who may change a link may change the folder that it is in.
        if kind == S_IFLNK { return }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw Refusal(.ofOtherUser(path), of: part)
        }
        // There nobody takes away what is another's.
        if kind == S_IFDIR, status.st_mode & S_ISVTX != 0, !isOpen { return }
        let list: AccessList?
        do throws(Errno) {
            list = try AccessList(of: path)
        } catch {
            throw Refusal(.unreadableAccessList(error), of: part)
        }
        if status.st_mode & S_IWOTH != 0 || list?.hasEverybody == true {
            throw Refusal(.writableByAll(path), of: part)
        }
        let mayGroup = list.map(\.hasOwningGroup) ?? (status.st_mode & S_IWGRP != 0)
        if mayGroup, !accounts.isPrivate(status.st_gid, of: status.st_uid) {
            throw Refusal(.writableByGroup(path), of: part)
        }
        guard let list else { return }
        let strangers = list.users.contains { $0 != 0 && $0 != geteuid() }
        if strangers || list.groups.contains(where: { !accounts.isPrivate($0, of: status.st_uid) }) {
            throw Refusal(.writableByOthers(path), of: part)
        }
    }
}
