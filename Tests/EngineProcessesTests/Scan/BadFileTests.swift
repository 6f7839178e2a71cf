import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("Files that are not engines", .ownThreads)
struct BadFileTests {
    private static func describe(_ path: String, _ fixture: EngineFixture) throws -> EngineDescription {
        try EngineFile(path: path).describe(by: fixture.program, limits: .short())
    }

    private static func expectRefusal(
        _ path: String, _ fixture: EngineFixture, _ isExpected: (EngineFailure.Reason) -> Bool,
        place: SourceLocation = #_sourceLocation
    ) {
        let failure = #expect(throws: EngineFailure.self, sourceLocation: place) { try describe(path, fixture) }
        guard let failure else { return }
        #expect(isExpected(failure.reason), "\(failure.reason)", sourceLocation: place)
        #expect(failure.engine == path, sourceLocation: place)
    }

    @Test("A truncated engine of any length is rejected")
    func truncations() throws {
        let fixture = try EngineFixture()
        let whole = try Data(contentsOf: URL(filePath: EngineFixture.tone))
        let lengths = [0, 1, 3, 4, 16, 63, 64, 65, 200, 1000] + (1...20).map { whole.count * $0 / 21 }
        var refusals = 0
        for length in lengths {
            let path = try fixture.write(whole.prefix(length), as: "cut\(length).so")
            // Only debug information follows the last segment.
            if (try? Self.describe(path, fixture)) == nil {
                refusals += 1
                Self.expectRefusal(
                    path, fixture,
                    length == 0
                        ? Fault.refusal(.empty) : Fault.refusal { [.notSharedLibrary, .damaged].contains($0.flaw) })
            }
        }
        #expect(refusals > 12)
    }

    @Test("A file for a different architecture or of a different type is rejected")
    func kinds() throws {
        let fixture = try EngineFixture()
        let whole = try Data(contentsOf: URL(filePath: EngineFixture.tone))
        func patched(_ place: Int, _ byte: UInt8) -> Data {
            var copy = whole
            copy[place] = byte
            return copy
        }
        Self.expectRefusal(
            try fixture.write(patched(18, 8), as: "mips.so"), fixture, Fault.refusal(.otherMachine))
        Self.expectRefusal(
            try fixture.write(patched(4, 1), as: "32.so"), fixture, Fault.refusal(.otherMachine))
        Self.expectRefusal(
            try fixture.write(patched(5, 2), as: "big.so"), fixture, Fault.refusal(.otherMachine))
        Self.expectRefusal(
            try fixture.write(patched(16, 1), as: "object.so"), fixture, Fault.refusal(.notSharedLibrary))
        Self.expectRefusal(
            try fixture.write(Data("#!/bin/sh\necho no\n".utf8), as: "text.so"), fixture,
            Fault.refusal(.notSharedLibrary))
        Self.expectRefusal(
            try fixture.write(try Data(contentsOf: URL(filePath: "/bin/true")), as: "program.so"), fixture,
            Fault.refusal { if case .cannotBeLoaded = $0.flaw { true } else { false } })
        Self.expectRefusal("\(fixture.plugins)/none.so", fixture, Fault.refusal(.cannotBeOpened(Errno(ENOENT))))
    }

    @Test("Anything other than a regular file is rejected")
    func noFiles() throws {
        let fixture = try EngineFixture()
        let folder = fixture.plugins
        mkfifo("\(folder)/pipe.so", 0o600)
        mkdir("\(folder)/folder.so", 0o700)
        symlink("nowhere", "\(folder)/dangling.so")
        symlink("loop.so", "\(folder)/loop.so")
        Self.expectRefusal("\(folder)/pipe.so", fixture, Fault.refusal(.notRegularFile))
        Self.expectRefusal("\(folder)/folder.so", fixture, Fault.refusal(.notRegularFile))
        Self.expectRefusal("\(folder)/dangling.so", fixture, Fault.refusal(.cannotBeOpened(Errno(ENOENT))))
        Self.expectRefusal("\(folder)/loop.so", fixture, Fault.refusal(.cannotBeOpened(Errno(ELOOP))))
    }

    @Test("Symbolic links to engines are accepted")
    func link() throws {
        let fixture = try EngineFixture()
        symlink(EngineFixture.tone, "\(fixture.plugins)/link.so")
        #expect(try Self.describe("\(fixture.plugins)/link.so", fixture).id == "tone")
    }

    @Test("An engine is rejected if other users can write to it or to a folder above it, unless that folder is sticky")
    func writable() throws {
        let fixture = try EngineFixture()
        let path = try fixture.copyTone()
        // A group without users, to which only root can assign a file.
        let foreign: gid_t = 54_321
        func set(_ path: String, _ mode: mode_t, group: gid_t? = nil) {
            if let group { chown(path, uid_t.max, group) }
            chmod(path, mode)
        }
        set(path, 0o646)
        Self.expectRefusal(path, fixture, Fault.refusal(.writableByAll(path)))
        set(path, 0o664)
        // The owner's private group has write access.
        #expect(try Self.describe(path, fixture).id == "tone")
        set(path, 0o644)
        set(fixture.plugins, 0o777)
        let folder = EnginePart.folder(fixture.plugins)
        Self.expectRefusal(path, fixture, Fault.refusal(.writableByAll(fixture.plugins), of: folder))
        set(fixture.plugins, 0o1777)
        // The loader searches this folder for libraries, and any user could create a library there.
        Self.expectRefusal(
            path, fixture,
            Fault.refusal(.sharedFolder(fixture.plugins), of: .searchFolder(fixture.plugins, for: nil)))
        #expect(try Self.describe(try fixture.makeEngine([]), fixture).id == "faulty")
        set(fixture.plugins, 0o700)
        guard geteuid() == 0 else { return }
        set(path, 0o664, group: foreign)
        Self.expectRefusal(path, fixture, Fault.refusal(.writableByGroup(path)))
        set(path, 0o644)
        set(fixture.plugins, 0o770, group: foreign)
        Self.expectRefusal(path, fixture, Fault.refusal(.writableByGroup(fixture.plugins), of: folder))
        set(fixture.plugins, 0o700, group: 0)
        chown(path, 54_321, 0)
        Self.expectRefusal(path, fixture, Fault.refusal(.ofOtherUser(path)))
    }

    @Test(
        "An engine is rejected if an access control list for the engine or its folder grants another user write access")
    func accessList() throws {
        let fixture = try EngineFixture()
        let path = try fixture.copyTone()
        for place in [path, fixture.plugins] {
            // The entries are owner, named user, group, mask, others.
            try #require(AccessControl.set([(1, 7), (2, 6), (4, 5), (0x10, 7), (0x20, 0)], named: 65_534, on: place))
            Self.expectRefusal(
                path, fixture,
                Fault.refusal(.writableByOthers(place), of: place == path ? .file : .folder(place)))
            // The mask removes the named user's write permission.
            try #require(AccessControl.set([(1, 7), (2, 6), (4, 5), (0x10, 5), (0x20, 0)], named: 65_534, on: place))
            #expect(try Self.describe(path, fixture).id == "tone")
            // The mask permits writing, but none of the entries do.
            try #require(AccessControl.set([(1, 7), (2, 5), (4, 5), (0x10, 7), (0x20, 0)], named: 65_534, on: place))
            #expect(try Self.describe(path, fixture).id == "tone")
        }
    }

    @Test("The error names the missing library")
    func missingLibrary() throws {
        let fixture = try EngineFixture()
        let made = try ChildProcess.run(
            "/bin/sh",
            [
                "-c",
                """
                cd '\(fixture.folder)' && echo 'int f(void) { return 1; }' > a.c && cc -shared -fPIC -o libnotthere.so a.c &&
                echo 'int f(void); int g(void) { return f(); }' > b.c &&
                cc -shared -fPIC -o plugins/needy.so b.c -L. -lnotthere && rm libnotthere.so
                """,
            ])
        #expect(made.code == 0, "\(made.errors)")
        Self.expectRefusal("\(fixture.plugins)/needy.so", fixture, Fault.refusal(.lacksLibrary("libnotthere.so")))
    }
}
