import CommandSupport
import Testing
import TestSupport

@testable import synthhost_cli

@Suite("Adding files that are in the registry", .ownThreads)
struct KnownVoicesTests {
    @Test("Adding a file listed in the registry installs the registry's voice, without a download or a second copy")
    func known() throws {
        let fixture = try RegistryFixture()
        let home = fixture.home
        try home.write(RegistryFixture.pitch(330), to: "found/on a disk.bin")
        let added = try home.run("models", "add", home.file("found/on a disk.bin"))
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.errors.contains("Your voice is identical to Nature (British) in the registry"), "\(added.errors)")
        #expect(added.errors.contains("synthhost speak -v Nature"))
        #expect(fixture.server.requests.isEmpty)
        let listed = try home.run("models", "list", "--ids").text
        #expect(listed.contains("nature_1") && !listed.contains("nature_1-own"))
        #expect(try home.run("models", "verify").code == 0)
        #expect(try home.run("speak", "-v", "Nature", "hello", "-o", home.file("a.wav")).code == 0)
        let again = try home.run("models", "add", home.file("found"))
        #expect(again.code == 0 && fixture.server.requests.isEmpty, "\(again.errors)")
    }

    @Test("A file that is added with --name, or that differs in one byte, does not become the registry's voice")
    func own() throws {
        let fixture = try RegistryFixture()
        let home = fixture.home
        try home.write(RegistryFixture.pitch(330), to: "mine.pitch")
        let named = try home.run("models", "add", home.file("mine.pitch"), "--name", "Mine", "--language", "en")
        #expect(named.code == 0 && named.errors.contains("Mine is ready."), "\(named.errors)")
        var bytes = RegistryFixture.pitch(330)
        bytes[99] ^= 1
        try home.write(bytes, to: "en_GB-other.pitch")
        let other = try home.run("models", "add", home.file("en_GB-other.pitch"))
        #expect(other.code == 0 && other.errors.contains("Other is ready."), "\(other.errors)")
        #expect(fixture.server.requests.isEmpty)
    }

    @Test("Adding a model installs all voices that need only that model, in its precision")
    func model() throws {
        let fixture = try RegistryFixture()
        let home = fixture.home
        try home.write(RegistryFixture.pitch(210, size: 50_000), to: "some.pitch")
        let added = try home.run("models", "add", home.file("some.pitch"))
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.errors.contains("is identical to Left") && added.errors.contains("is identical to Right"))
        #expect(fixture.server.requests.isEmpty)
        #expect(try home.run("speak", "-v", "Right", "hello", "-o", home.file("a.wav")).code == 0)
    }

    @Test("If a model's voices need additional files, the message names the model")
    func lonely() throws {
        let home = try UserHome()
        let bytes = RegistryFixture.pitch(210)
        func file(_ name: String, _ bytes: [UInt8]) throws -> String {
            """
            {"role": "pitch", "url": "http://127.0.0.1:9/\(name)", "size": \(bytes.count), "sha256": "\(try Checksum.sha256(bytes))"}
            """
        }
        try home.write(
            """
            {"models": [{"id": "shared", "engine": "tone", "files": [\(try file("shared.pitch", bytes))]}],
             "voices": [{"id": "low", "engine": "tone", "name": "Low bell", "language": "en", "model": "shared",
                         "files": [\(try file("low.style", [1, 2, 3]))]}]}
            """, to: "data/synthhost/models.json")
        try home.write(bytes, to: "some.pitch")
        let added = try home.run("models", "add", home.file("some.pitch"))
        #expect(added.code == 64)
        #expect(added.errors.contains("some.pitch is the model for a voice of tone, Low bell, not"), "\(added.errors)")
        #expect(added.errors.contains("synthhost models pull \"Low bell\""), "\(added.errors)")
    }
}
