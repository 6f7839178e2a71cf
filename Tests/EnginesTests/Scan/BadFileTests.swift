import Engines
import EngineWire
import Foundation
import System
import Testing
import TestSupport

@Suite("A file that is no engine", .ownThreads)
struct BadFileTests {
    private static func describe(_ path: String, _ workshop: EngineWorkshop) throws -> EngineDescription {
        try EngineFile(path: path).describe(by: workshop.program, limits: .short())
    }

    private static func expectRefusal(
        _ path: String, _ workshop: EngineWorkshop, _ isExpected: (EngineFailure.Reason) -> Bool,
        place: SourceLocation = #_sourceLocation
    ) {
        let failure = #expect(throws: EngineFailure.self, sourceLocation: place) { try describe(path, workshop) }
        guard let failure else { return }
        #expect(isExpected(failure.reason), "\(failure.reason)", sourceLocation: place)
        #expect(failure.engine == path, sourceLocation: place)
    }

    @Test("is refused whatever length it is cut to")
    func truncations() throws {
        let workshop = try EngineWorkshop()
        let whole = try Data(contentsOf: URL(filePath: EngineWorkshop.tone))
        let lengths = [0, 1, 3, 4, 16, 63, 64, 65, 200, 1000] + (1...20).map { whole.count * $0 / 21 }
        var refusals = 0
        for length in lengths {
            let path = try workshop.write(whole.prefix(length), as: "cut\(length).so")
            // Behind the last segment lies only what a debugger reads.
            if (try? Self.describe(path, workshop)) == nil {
                refusals += 1
                Self.expectRefusal(
                    path, workshop,
                    length == 0
                        ? Fault.refusal(.empty) : Fault.refusal { [.notSharedLibrary, .damaged].contains($0.flaw) })
            }
        }
        #expect(refusals > 12)
    }

    @Test("is refused where it is for another machine, or of another kind")
    func kinds() throws {
        let workshop = try EngineWorkshop()
        let whole = try Data(contentsOf: URL(filePath: EngineWorkshop.tone))
        func patched(_ place: Int, _ byte: UInt8) -> Data {
            var copy = whole
            copy[place] = byte
            return copy
        }
        Self.expectRefusal(
            try workshop.write(patched(18, 8), as: "mips.so"), workshop, Fault.refusal(.otherMachine))
        Self.expectRefusal(
            try workshop.write(patched(4, 1), as: "32.so"), workshop, Fault.refusal(.otherMachine))
        Self.expectRefusal(
            try workshop.write(patched(5, 2), as: "big.so"), workshop, Fault.refusal(.otherMachine))
        Self.expectRefusal(
            try workshop.write(patched(16, 1), as: "object.so"), workshop, Fault.refusal(.notSharedLibrary))
        Self.expectRefusal(
            try workshop.write(Data("#!/bin/sh\necho no\n".utf8), as: "text.so"), workshop,
            Fault.refusal(.notSharedLibrary))
        Self.expectRefusal(
            try workshop.write(try Data(contentsOf: URL(filePath: "/bin/true")), as: "program.so"), workshop,
            Fault.refusal { if case .cannotBeLoaded = $0.flaw { true } else { false } })
        Self.expectRefusal("\(workshop.plugins)/none.so", workshop, Fault.refusal(.cannotBeOpened(Errno(ENOENT))))
    }

    @Test("is refused where it is no file")
    func noFiles() throws {
        let workshop = try EngineWorkshop()
        let folder = workshop.plugins
        mkfifo("\(folder)/pipe.so", 0o600)
        mkdir("\(folder)/folder.so", 0o700)
        symlink("nowhere", "\(folder)/dangling.so")
        symlink("loop.so", "\(folder)/loop.so")
        Self.expectRefusal("\(folder)/pipe.so", workshop, Fault.refusal(.notRegularFile))
        Self.expectRefusal("\(folder)/folder.so", workshop, Fault.refusal(.notRegularFile))
        Self.expectRefusal("\(folder)/dangling.so", workshop, Fault.refusal(.cannotBeOpened(Errno(ENOENT))))
        Self.expectRefusal("\(folder)/loop.so", workshop, Fault.refusal(.cannotBeOpened(Errno(ELOOP))))
    }

    @Test("may be a link to an engine")
    func link() throws {
        let workshop = try EngineWorkshop()
        symlink(EngineWorkshop.tone, "\(workshop.plugins)/link.so")
        #expect(try Self.describe("\(workshop.plugins)/link.so", workshop).id == "tone")
    }

    @Test("is refused where others may write it, or a folder that it lies in, unless that is sticky")
    func writable() throws {
        let workshop = try EngineWorkshop()
        let path = try workshop.copyTone()
        // A group that is nobody's own; only the superuser can give a file to it.
        let foreign: gid_t = 54_321
        func set(_ path: String, _ mode: mode_t, group: gid_t? = nil) {
            if let group { chown(path, uid_t.max, group) }
            chmod(path, mode)
        }
        set(path, 0o646)
        Self.expectRefusal(path, workshop, Fault.refusal(.writableByAll(path)))
        set(path, 0o664)
        // Its owner's own group may.
        #expect(try Self.describe(path, workshop).id == "tone")
        set(path, 0o644)
        set(workshop.plugins, 0o777)
        let folder = EnginePart.folder(workshop.plugins)
        Self.expectRefusal(path, workshop, Fault.refusal(.writableByAll(workshop.plugins), of: folder))
        set(workshop.plugins, 0o1777)
        // Its libraries are looked for beside it, where anybody may put one.
        Self.expectRefusal(
            path, workshop,
            Fault.refusal(.writableByAll(workshop.plugins), of: .searchFolder(workshop.plugins, for: nil)))
        #expect(try Self.describe(try workshop.makeEngine([]), workshop).id == "faulty")
        set(workshop.plugins, 0o700)
        guard geteuid() == 0 else { return }
        set(path, 0o664, group: foreign)
        Self.expectRefusal(path, workshop, Fault.refusal(.writableByGroup(path)))
        set(path, 0o644)
        set(workshop.plugins, 0o770, group: foreign)
        Self.expectRefusal(path, workshop, Fault.refusal(.writableByGroup(workshop.plugins), of: folder))
        set(workshop.plugins, 0o700, group: 0)
        chown(path, 54_321, 0)
        Self.expectRefusal(path, workshop, Fault.refusal(.ofOtherUser(path)))
    }

    @Test("is refused where its access list, or that of its folder, lets somebody else write")
    func accessList() throws {
        let workshop = try EngineWorkshop()
        let path = try workshop.copyTone()
        for place in [path, workshop.plugins] {
            // The owner, nobody, the group, the mask, the others.
            try #require(AccessControl.set([(1, 7), (2, 6), (4, 5), (0x10, 7), (0x20, 0)], named: 65_534, on: place))
            Self.expectRefusal(
                path, workshop,
                Fault.refusal(.writableByOthers(place), of: place == path ? .file : .folder(place)))
            // The mask takes from the user who is named what the list gives.
            try #require(AccessControl.set([(1, 7), (2, 6), (4, 5), (0x10, 5), (0x20, 0)], named: 65_534, on: place))
            #expect(try Self.describe(path, workshop).id == "tone")
            // The mask shows as the group's right, and nobody has it.
            try #require(AccessControl.set([(1, 7), (2, 5), (4, 5), (0x10, 7), (0x20, 0)], named: 65_534, on: place))
            #expect(try Self.describe(path, workshop).id == "tone")
        }
    }

    @Test("names the library that it lacks")
    func missingLibrary() throws {
        let workshop = try EngineWorkshop()
        let made = try ChildProcess.run(
            "/bin/sh",
            [
                "-c",
                """
                cd '\(workshop.folder)' && echo 'int f(void) { return 1; }' > a.c && cc -shared -fPIC -o libnotthere.so a.c &&
                echo 'int f(void); int g(void) { return f(); }' > b.c &&
                cc -shared -fPIC -o plugins/needy.so b.c -L. -lnotthere && rm libnotthere.so
                """,
            ])
        #expect(made.code == 0, "\(made.errors)")
        Self.expectRefusal("\(workshop.plugins)/needy.so", workshop, Fault.refusal(.lacksLibrary("libnotthere.so")))
    }
}
