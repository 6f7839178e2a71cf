import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Voices that an engine declares", .ownThreads)
struct DeclaredVoiceTests {
    @Test("A voice that an engine declares can be downloaded and used without a registry")
    func dropIn() throws {
        let file = RegistryFixture.pitch(500)
        let server = try LoopbackServer.good(["/fetched.pitch": file])
        let home = try UserHome()
        try FileManager.default.createDirectory(atPath: home.plugins, withIntermediateDirectories: true)
        let root = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        let declared =
            "\"\(server.base)fetched.pitch\", \"\(try Checksum.sha256(file))\", \(file.count)"
        let built = try ChildProcess(
            "/usr/bin/env",
            arguments: [
                "cc", "-std=c11", "-O2", "-shared", "-fPIC", "-DTONE_FILES=\(declared)", "-I",
                "\(root)/Sources/CSynthEngine/include", "-o", "\(home.plugins)/tone.so",
                "\(root)/Plugins/Tone/tone.c",
            ].map { Array($0.utf8) }, environment: home.environment
        ).finish()
        try #require(built.code == 0, "\(built.errors)")
        let asked = try home.run("speak", "-e", "tone", "-v", "Fetched", "hello", "-o", home.file("a.wav"))
        #expect(asked.code == 69)
        #expect(asked.errors.contains("The voice Fetched is not downloaded (100 bytes)."))
        #expect(asked.errors.contains("synthhost models pull Fetched"))
        let spoken = try home.run("speak", "-e", "tone", "-v", "Fetched", "--yes", "hello", "-o", home.file("a.wav"))
        #expect(spoken.code == 0, "\(spoken.errors)")
        #expect(!(try home.wav("a.wav").samples.isEmpty))
        #expect(try home.run("models", "remove", "Fetched").code == 0)
        #expect(try home.run("config", "set", "autoDownload", "true").code == 0)
        #expect(try home.run("speak", "-v", "Fetched", "hello", "-o", home.file("b.wav")).code == 0)
        #expect(try home.data("a.wav") == home.data("b.wav"))
        #expect(server.requests.count == 2)
    }
}
