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
    ///   - subject: what the path is for, to be read between the engine's name and what is wrong; "" = it is the engine.
    ///   - isOpen: names that are not there now count as well, so that not even a sticky folder is well.
    mutating func check(_ path: String, subject: String = "", isOpen: Bool = false) throws(Refusal) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw Refusal(.notLoadable, "\(subject)cannot be opened: \(Errno.last)")
        }
        try check(status, at: path, subject, isOpen: isOpen)
        var folder = path[...]
        var above: [String] = []
        while let slash = folder.lastIndex(of: "/"), folder != "/" {
            folder = slash == folder.startIndex ? "/" : folder[..<slash]
            if passed.contains(String(folder)) { break }
            above.append(String(folder))
            guard lstat(String(folder), &status) == 0 else { continue }
            let place = subject.isEmpty ? "is in the folder \(folder), which " : subject
            try check(status, at: String(folder), place, isOpen: false)
        }
        passed.formUnion(above)
    }

    private func check(_ status: stat, at path: String, _ subject: String, isOpen: Bool) throws(Refusal) {
        let kind = status.st_mode & S_IFMT
        // Who may change a link may change the folder that it is in.
        if kind == S_IFLNK { return }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw Refusal(
                .untrusted, "\(subject)belongs to another user",
                remedy: "If you trust it, type: sudo chown root \(ShellWord.quoted(path))")
        }
        // There nobody takes away what is another's.
        if kind == S_IFDIR, status.st_mode & S_ISVTX != 0, !isOpen { return }
        let list: AccessList?
        do throws(Errno) {
            list = try AccessList(of: path)
        } catch {
            throw Refusal(.untrusted, "\(subject)has an access list that cannot be read: \(error)")
        }
        if status.st_mode & S_IWOTH != 0 || list?.hasEverybody == true {
            throw Refusal(
                .untrusted, "\(subject)may be written by everybody", remedy: "Type: chmod o-w \(ShellWord.quoted(path))"
            )
        }
        let mayGroup = list.map(\.hasOwningGroup) ?? (status.st_mode & S_IWGRP != 0)
        if mayGroup, !accounts.isPrivate(status.st_gid, of: status.st_uid) {
            throw Refusal(
                .untrusted, "\(subject)may be written by a group", remedy: "Type: chmod g-w \(ShellWord.quoted(path))")
        }
        guard let list else { return }
        let strangers = list.users.contains { $0 != 0 && $0 != geteuid() }
        if strangers || list.groups.contains(where: { !accounts.isPrivate($0, of: status.st_uid) }) {
            throw Refusal(
                .untrusted, "\(subject)may be written by others, who are in its access list",
                remedy: "Type: setfacl -b \(ShellWord.quoted(path))")
        }
    }
}
