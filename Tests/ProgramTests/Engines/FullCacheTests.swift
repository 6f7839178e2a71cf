import CommandSupport
import Foundation
import Testing
import TestSupport

/// The user's cache folder is on a small separate file system.
@Suite("A full disk that holds the cache", .enabled(if: Namespace.works), .ownThreads)
struct FullCacheTests {
    /// An amount that an engine writes to its cache, a disk that is too small for it, and one that is large enough.
    struct Shortage: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let wanted: String
        let small: String
        let large: String

        static let all = [
            Shortage(testDescription: "bytes", wanted: "BYTES=4000000", small: "size=1m", large: "size=16m"),
            Shortage(
                testDescription: "files", wanted: "FILES=1000", small: "size=16m,nr_inodes=100",
                large: "size=16m,nr_inodes=5000"),
        ]
    }

    /// A shell script with a home folder, and the output of each of its commands.
    private struct Steps {
        let home: UserHome
        private var lines = ["export XDG_CACHE_HOME=/mnt/cache"]

        init(_ home: UserHome) { self.home = home }

        mutating func run(_ line: String) { lines.append("\(line) || exit 99") }

        /// - Parameter name: The file name for the command's output.
        mutating func synthhost(_ words: String, as name: String) {
            lines.append("'\(home.programs)/synthhost' \(words) >\"$HOME/\(name)\" 2>&1; echo \(name) $?")
        }

        /// - Returns: The outcome of each command.
        func finish() throws -> [String: Outcome] {
            let result = try Namespace.run(lines.joined(separator: "\n"), home)
            try #require(result.code == 0, "\(result)")
            return try result.lines.map { $0.split(separator: " ") }.reduce(into: [:]) { outcomes, words in
                let name = String(words[0])
                let text = String(decoding: try home.data(name), as: UTF8.self)
                outcomes[name] = Outcome(code: Int(words[1]) ?? -1, text: text)
            }
        }
    }

    private struct Outcome {
        let code: Int
        let text: String
    }

    private static let noSpace = "The cache does not hold what it needs: No space left on device."
    private static let note = "note  cache: The disk is full: cannot write /mnt/cache/synthhost."

    @Test(
        "Only the engine that fills the disk fails, and it works again once there is more space",
        arguments: Shortage.all)
    func fill(_ shortage: Shortage) throws {
        let home = try UserHome()
        try home.install("hoarder", [shortage.wanted])
        var steps = Steps(home)
        steps.run("mount -t tmpfs -o \(shortage.small) none /mnt")
        steps.synthhost("speak -e hoarder Hello -o \"$HOME/x.wav\"", as: "filling")
        steps.synthhost("speak -e hoarder Hello -o \"$HOME/x.wav\"", as: "again")
        steps.synthhost("engines list --rescan", as: "list")
        steps.synthhost("speak -e tone Hello -o \"$HOME/tone.wav\"", as: "other")
        steps.synthhost("models prune", as: "prune")
        steps.synthhost("doctor", as: "full")
        steps.run("mount -o remount,\(shortage.large) none /mnt")
        steps.synthhost("speak -e hoarder Hello -o \"$HOME/x.wav\"", as: "spoken")
        steps.synthhost("doctor", as: "free")
        steps.run("test -d /mnt/cache/synthhost/engine/hoarder")
        let came = try steps.finish()
        for name in ["filling", "again"] {
            #expect(came[name]?.code == 1 && came[name]?.text.contains(Self.noSpace) == true, "\(came)")
        }
        for name in ["list", "other", "prune", "spoken"] { #expect(came[name]?.code == 0, "\(came)") }
        #expect(came["list"]?.text.contains("hoarder") == true, "\(came)")
        #expect(try !home.wav("tone.wav").samples.isEmpty && !home.wav("x.wav").samples.isEmpty)
        #expect(came["full"]?.text.contains(Self.note) == true, "\(came)")
        #expect(came["free"]?.text.contains("  cache:") == false, "\(came)")
    }

    @Test("`models prune` frees disk space once the engine that filled it has been removed", arguments: Shortage.all)
    func prune(_ shortage: Shortage) throws {
        let home = try UserHome()
        try home.install("hoarder", [shortage.wanted])
        var steps = Steps(home)
        steps.run("mount -t tmpfs -o \(shortage.small) none /mnt")
        steps.synthhost("speak -e hoarder Hello -o \"$HOME/x.wav\"", as: "filling")
        steps.run("rm '\(home.plugins)/hoarder.so'")
        steps.synthhost("models prune", as: "prune")
        steps.run("test ! -e /mnt/cache/synthhost/engine/hoarder")
        steps.synthhost("doctor", as: "free")
        let came = try steps.finish()
        #expect(came["filling"]?.code == 1 && came["prune"]?.code == 0, "\(came)")
        let pruned = came["prune"]?.text ?? ""
        #expect(pruned.contains("/mnt/cache/synthhost/engine/hoarder: its engine is not installed, "), "\(pruned)")
        #expect(pruned.contains(" was freed."), "\(pruned)")
        #expect(came["free"]?.text.contains("  cache:") == false, "\(came)")
    }

    @Test("If the disk has no space for an engine's folder, the engine has no cache, and `doctor` reports why")
    func noFolder() throws {
        let home = try UserHome()
        try home.install("squatter")
        var steps = Steps(home)
        steps.run("mount -t tmpfs -o nr_inodes=1 none /mnt")
        steps.synthhost("speak -e tone Hello -o \"$HOME/tone.wav\"", as: "other")
        // This engine uses a cache.
        steps.synthhost("speak -e squatter Hello -o \"$HOME/x.wav\"", as: "without")
        steps.synthhost("doctor", as: "full")
        steps.run("mount -o remount,nr_inodes=1000 none /mnt")
        steps.synthhost("speak -e squatter Hello -o \"$HOME/x.wav\"", as: "spoken")
        let came = try steps.finish()
        #expect(came["other"]?.code == 0 && came["without"]?.code == 1 && came["spoken"]?.code == 0, "\(came)")
        #expect(came["without"]?.text.contains("There is no cache.") == true, "\(came)")
        #expect(came["full"]?.text.contains(Self.note) == true, "\(came)")
    }
}
