import CommandSupport
import Foundation
import Testing
import TestSupport

/// Folders that cannot be removed by code that uses complete paths or recursion, or that does not change permissions.
@Suite("Removing caches that contain folders nested 6000 levels deep and folders without permissions", .ownThreads)
struct CacheRemovalTests {
    private static let cache = "cache/synthhost/engine/hoarder"
    private static let deep = "deep.unfinished-4194305-0"

    private let home: UserHome

    init() throws { home = try UserHome() }

    /// Runs `synthhost` without root's privilege to ignore folder permissions, and with a stack that is too small for
    /// thousands of recursive calls.
    private func run(_ words: String...) throws -> ChildResult {
        let rights = geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
        let program = rights + ["prlimit", "--stack=524288", "\(home.programs)/synthhost"] + words
        return try ChildProcess(
            "/usr/bin/env", arguments: program.map { Array($0.utf8) }, environment: home.environment
        ).finish()
    }

    private func speak(_ engine: String) throws -> ChildResult {
        try run("speak", "-e", engine, "Hello", "-o", home.file("x.wav"))
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.file(folder)).sorted()
    }

    /// Makes the engine create the folders without permissions and, if requested, the deep folders.
    private func fill(deep: Bool = true) throws {
        try home.install("hoarder", ["SHUT"] + (deep ? ["DEPTH=6000"] : []))
        let spoken = try speak("hoarder")
        try #require(spoken.code == 0, "\(spoken)")
        let shut = ["blind.unfinished-4194305-0", "shut.unfinished-4194305-0"]
        try #require(try Set(names(Self.cache)) == Set(shut + (deep ? [Self.deep] : [])))
    }

    @Test("The cache does not affect the engine, and `models prune` measures and removes it")
    func prune() throws {
        try fill()
        #expect(try speak("hoarder").code == 0)
        let shown = try run("models", "prune", "--dry-run")
        #expect(shown.code == 0 && shown.lines.count == 3, "\(shown)")
        #expect(
            shown.text.contains("\(Self.deep): the process that was preparing it has exited, 12.3 kB\n"), "\(shown)")
        let pruned = try run("models", "prune")
        #expect(pruned.code == 0 && pruned.text == shown.text, "\(pruned)")
        #expect(try names(Self.cache).isEmpty)
        #expect(try run("models", "prune").errors.contains("All files are needed."))
    }

    @Test("If an engine is no longer installed, its entire cache is removed")
    func engineGone() throws {
        try fill()
        try FileManager.default.removeItem(atPath: "\(home.plugins)/hoarder.so")
        let pruned = try run("models", "prune")
        #expect(pruned.code == 0, "\(pruned)")
        #expect(pruned.text.contains("/hoarder: its engine is not installed, 12.3 kB\n"), "\(pruned)")
        #expect(try names("cache/synthhost/engine").isEmpty)
    }

    @Test(
        "If a killed process had begun to remove an earlier version's cache, loading a model removes the remaining files"
    )
    func earlierVersion() throws {
        try fill()
        let root = "cache/synthhost"
        let files = FileManager.default
        try files.moveItem(atPath: home.file("\(root)/engine"), toPath: home.file("\(root)/_old-4194305-0"))
        try files.removeItem(atPath: home.file("\(root)/_layout-2"))
        try home.write("old", to: "\(root)/engine/hoarder/file")
        let spoken = try speak("tone")
        #expect(spoken.code == 0, "\(spoken)")
        #expect(try names(root) == ["_host", "_layout-2", "engine"])
        #expect(try names("\(root)/engine") == ["tone"])
    }

    @Test(
        "A folder that cannot be removed is reported with the reason, after everything else has been removed",
        .enabled(if: Namespace.works))
    func stays() throws {
        try fill(deep: false)
        try home.write("half", to: "cache/synthhost/engine/zither/half")
        try FileManager.default.removeItem(atPath: "\(home.plugins)/hoarder.so")
        let folder = home.file(Self.cache)
        let line = """
            mkdir '\(folder)/held' && mount -t tmpfs none '\(folder)/held' && '\(home.programs)/synthhost' models prune
            """
        let pruned = try Namespace.run(line, home)
        #expect(pruned.code == 74, "\(pruned)")
        #expect(pruned.errors.contains("\(folder): unlink failed: Device or resource busy."), "\(pruned)")
        #expect(pruned.text.contains("engine/zither: its engine is not installed"), "\(pruned)")
        #expect(!home.exists("cache/synthhost/engine/zither"))
        let again = try Namespace.run("'\(home.programs)/synthhost' models prune", home)
        #expect(again.code == 0 && !home.exists(Self.cache), "\(again)")
    }
}
