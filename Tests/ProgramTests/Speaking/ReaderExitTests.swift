import CommandSupport
import Foundation
import Glibc
import SynthSystem
import Testing
import TestSupport

/// However a program ends, its document reader process also ends.
@Suite("Ending a program while it is reading a document", .ownThreads)
struct ReaderExitTests {
    /// A home folder with a copy of the program next to a document reader that never finishes.
    private static func home() throws -> (UserHome, reader: String) {
        let built = BuildFolder.withoutNeuralEngines
        let home = try UserHome()
        let folder = home.file("programs")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try GeneratedProgram.copy("\(built)/synthhost", to: "\(folder)/synthhost")
        for name in ["synthhost-worker", "synthhost-fetch"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(name)", withDestinationPath: "\(built)/\(name)")
        }
        let reader = "\(folder)/synthhost-read"
        try GeneratedProgram.write("#!/bin/sh\ntrap '' INT TERM HUP PIPE\nwhile :; do :; done\n", to: reader)
        try home.write("<html><p>Hello.</p></html>", to: "page.html")
        return (home, reader)
    }

    private static func start(_ arguments: [String], _ home: UserHome) throws -> ChildProcess {
        try ChildProcess(
            home.file("programs/synthhost"), arguments: arguments.map { Array($0.utf8) },
            environment: home.environmentOfCopies.merging(["XDG_RUNTIME_DIR": home.path]) { $1 })
    }

    private static func reader(_ path: String, of process: ChildProcess) throws -> Int32 {
        try process.wait("its reader") { _ in !ProcessTable.processes(naming: path).isEmpty }
        return try #require(ProcessTable.processes(naming: path).first)
    }

    @Test(
        "The reader exits when its command ends", arguments: ["book", "speak -f"],
        [SIGINT, SIGTERM, SIGHUP, SIGKILL, SIGABRT])
    func commands(command: String, signal: Int32) throws {
        let (home, path) = try Self.home()
        let words = command.split(separator: " ").map(String.init)
        let process = try Self.start(words + [home.file("page.html")], home)
        let reader = try Self.reader(path, of: process)
        process.signal(signal)
        _ = try process.finish()
        #expect(ProcessTable.waitForEnd(of: reader, within: .seconds(60)))
    }

    @Test("When the service exits, so do its starter and an upload's document reader", arguments: [SIGTERM, SIGKILL])
    func service(signal: Int32) throws {
        let (home, path) = try Self.home()
        let process = try Self.start(["serve", "--http", "127.0.0.1:0", "--drain", "1"], home)
        try process.waitForErrors("#token=")
        let starters = ProcessTable.children(of: process.identifier)
        let said = String(decoding: process.errors, as: UTF8.self)
        let found = try #require(said.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/#token=(\S+)/))
        let port = try #require(UInt16(found.1))
        let client = try SocketStream(to: .tcp(host: "127.0.0.1", port: port), within: .seconds(60))
        defer { client.stop() }
        let head = [
            "POST /api/documents?form=page HTTP/1.1", "Host: 127.0.0.1:\(port)", "Authorization: Bearer \(found.2)",
            "Content-Length: 4",
        ]
        try client.write(Array((head.map { "\($0)\r\n" }.joined() + "\r\n<p>a").utf8), within: .seconds(60))
        let reader = try Self.reader(path, of: process)
        process.signal(signal)
        _ = try process.finish()
        for ended in starters + [reader] { #expect(ProcessTable.waitForEnd(of: ended, within: .seconds(60))) }
    }
}
