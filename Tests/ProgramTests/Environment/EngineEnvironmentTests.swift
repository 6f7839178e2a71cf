import Foundation
import Testing
import TestSupport

/// The shell's working directory and limits must not affect engines.
@Suite("An engine's environment", .ownThreads)
struct EngineEnvironmentTests {
    /// Runs a shell command line in the home folder, with the built `synthhost`.
    private func shell(_ line: String, _ home: UserHome, adding variables: [String: String] = [:]) throws -> ChildResult
    {
        let script = "cd '\(home.path)' && \(line.replacing("synthhost", with: "'\(home.programs)/synthhost'"))"
        return try ChildProcess(
            "/bin/sh", arguments: ["-c", script].map { Array($0.utf8) },
            environment: home.environment.merging(variables) { $1 }
        ).finish()
    }

    @Test(
        "Code in the working directory is not run",
        arguments: ["", ":", "/nowhere::/nowhere", ";/nowhere", "/nowhere:"])
    func foreignCode(libraryPath: String) throws {
        let home = try UserHome()
        let marker = home.file("ran")
        try home.write(
            """
            #include <fcntl.h>
            __attribute__((constructor)) static void run(void) { open("\(marker)", O_CREAT | O_WRONLY, 0600); }
            """, to: "library.c")
        let made = try shell("cc -shared -fPIC -o libespeak-ng.so.1 library.c", home)
        try #require(made.code == 0, "\(made.errors)")
        let result = try shell(
            "synthhost speak Hello -o x.wav", home, adding: ["LD_LIBRARY_PATH": libraryPath])
        #expect(result.code == 0, "\(result.errors)")
        #expect(!home.exists("ran"))
    }

    @Test("The engine process runs in the root folder, and relative paths are relative to the user's folder")
    func folder() throws {
        let home = try UserHome()
        try home.install("reed")
        let text = String(repeating: "A long text that takes its time to be said. ", count: 400)
        let script = """
            cd '\(home.path)' &&
            exec '\(home.programs)/synthhost' speak --plugins-dir data/synthhost/plugins -v Slow --raw '\(text)'
            """
        let process = try ChildProcess(
            "/bin/sh", arguments: ["-c", script].map { Array($0.utf8) }, environment: home.environment)
        try process.waitForOutput(count: 100)
        let worker = try #require(ProcessTable.children(of: process.identifier).first)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(worker)/cwd") == "/")
        process.signal(SIGKILL)
        _ = try process.finish()
    }

    @Test(
        "With a file size limit of zero, speech still works, but the scan cache is not written",
        .disabled(if: Sanitizer.isThread, "ThreadSanitizer needs files."))
    func fileSize() throws {
        let home = try UserHome()
        let result = try shell("ulimit -f 0 && exec synthhost speak Hello -o -", home)
        #expect(result.code == 0, "\(result)")
        #expect(result.output.count > 1000)
        let left = (try? FileManager.default.subpathsOfDirectory(atPath: home.file("cache"))) ?? []
        #expect(left.allSatisfy { !$0.hasSuffix(".new") && !$0.hasSuffix(".scan") }, "\(left)")
    }
}
