import Foundation
import SynthEngineProcesses
import SynthEngineWire
import Testing
import TestSupport

@Suite("Libraries required by an engine", .ownThreads)
struct LibraryTrustTests {
    /// `liba.so` in a folder, and an engine that requires it, linked with the given options.
    private struct Linked {
        let fixture: EngineFixture
        let engine: String

        init(
            _ options: String, libraryFolder: String = "libraries", name: String = "-la", below folder: String? = nil
        ) throws {
            fixture = try EngineFixture(below: folder)
            engine = "\(fixture.plugins)/linked.so"
            let made = try ChildProcess.run(
                "/bin/sh",
                [
                    "-euc",
                    """
                    cd "$0"
                    echo 'int here(void);' >needed.h
                    mkdir -p \(libraryFolder)
                    echo 'int here(void) { return 1; }' | cc -xc -shared -fPIC -o \(libraryFolder)/liba.so -
                    cc -std=gnu11 -shared -fPIC -I '\(EngineFixture.root)/Sources/CSynthEngine/include' -D IN_ENTRY=here \
                        -include needed.h -o plugins/linked.so '\(EngineFixture.root)/Tests/Fixtures/Engines/faulty.c' \
                        -L\(libraryFolder) \(name) -lpthread \(options)
                    """, fixture.folder,
                ])
            guard made.code == 0 else { throw EngineFixture.Failure(description: made.errors) }
        }

        func describe() throws -> EngineDescription {
            try EngineFile(path: engine).describe(by: fixture.program, limits: .short())
        }

        func expectRefusal(
            _ flaw: Refusal.Flaw, of part: EnginePart, place: SourceLocation = #_sourceLocation
        ) {
            let failure = #expect(throws: EngineFailure.self, sourceLocation: place) { try describe() }
            guard let failure else { return }
            #expect(failure.reason == .refused(Refusal(flaw, of: part)), sourceLocation: place)
        }
    }

    @Test("Libraries are loaded from the engine's folder and from folders that only the user can write to")
    func good() throws {
        #expect(try Linked("'-Wl,-rpath,$ORIGIN/../libraries'").describe().id == "faulty")
        #expect(try Linked("'-Wl,-rpath,${ORIGIN}'", libraryFolder: "plugins").describe().id == "faulty")
        let absolute = try Linked("-Wl,-rpath,\"$PWD/libraries\"")
        #expect(try absolute.describe().id == "faulty")
        // A missing folder is permitted, because it may exist only on the machine that built the engine.
        #expect(try Linked("'-Wl,-rpath,/nowhere/at/all:$ORIGIN/../libraries'").describe().id == "faulty")
    }

    @Test(
        "Libraries are loaded from folders regardless of the folders' names",
        arguments: ["a$b", "$ORIGIN", "${LIB}", "a:b", "a;b", "a b", "$", "a\"b", "a'b", "ä\\b", "%s", "$PLATFORM x"])
    func names(folder: String) throws {
        #expect(try Linked("'-Wl,-rpath,$ORIGIN/../libraries'", below: folder).describe().id == "faulty")
        #expect(try Linked("'-Wl,-rpath,/nowhere:${ORIGIN}/../libraries'", below: folder).describe().id == "faulty")
    }

    @Test("A search path with a token that only the loader can expand is rejected, regardless of the folder's name")
    func tokens() throws {
        for folder in [nil, "a$b"] {
            for element in [
                "$ORIGIN/$LIB", "$PLATFORM", "/usr/$ORIGINS", "/usr/${ORIGIN", "$ORIGIN/a$", "$LIB/$ORIGIN",
            ] {
                try Linked("'-Wl,-rpath,\(element)'", below: folder).expectRefusal(
                    .notAbsolute, of: .searchElement(element, for: nil))
            }
        }
    }

    @Test(
        "A search path that includes the working directory is rejected",
        arguments: [
            ("-Wl,-rpath,.", "."), ("'-Wl,-rpath,$ORIGIN/../libraries:'", ""),
            ("'-Wl,-rpath,:$ORIGIN/../libraries'", ""), ("-Wl,-rpath,libraries", "libraries"),
            ("-Wl,--disable-new-dtags,-rpath,.", "."),
        ])
    func relative(options: String, element: String) throws {
        try Linked(options).expectRefusal(.notAbsolute, of: .searchElement(element, for: nil))
    }

    @Test("A library with a path relative to the working directory is rejected")
    func relativeName() throws {
        try Linked("", name: "./libraries/liba.so").expectRefusal(
            .notAbsolute, of: .namedLibrary("./libraries/liba.so", for: nil))
    }

    @Test("A library is rejected if other users can write to it or its folder or can create that folder")
    func writable() throws {
        let linked = try Linked("'-Wl,-rpath,$ORIGIN/../libraries'")
        let folder = "\(linked.fixture.folder)/libraries"
        let named = "\(linked.fixture.plugins)/../libraries"
        let flaws: [(mode_t, Refusal.Flaw)] = [(0o777, .writableByAll(named)), (0o1777, .sharedFolder(named))]
        for (mode, flaw) in flaws {
            chmod(folder, mode)
            linked.expectRefusal(flaw, of: .searchFolder(named, for: nil))
        }
        chmod(folder, 0o755)
        chmod("\(folder)/liba.so", 0o666)
        linked.expectRefusal(
            .writableByAll("\(linked.fixture.plugins)/../libraries/liba.so"),
            of: .library("\(linked.fixture.plugins)/../libraries/liba.so"))
        chmod("\(folder)/liba.so", 0o644)
        #expect(try linked.describe().id == "faulty")
        let missing = try Linked("'-Wl,-rpath,$ORIGIN/../open/none:$ORIGIN/../libraries'")
        mkdir("\(missing.fixture.folder)/open", 0o700)
        chmod("\(missing.fixture.folder)/open", 0o1777)
        missing.expectRefusal(
            .absentFolder, of: .searchFolder("\(missing.fixture.plugins)/../open/none", for: nil))
    }

    @Test("A library is found even if the subfolders for processor variants are links to its folder")
    func variants() throws {
        let linked = try Linked("'-Wl,-rpath,$ORIGIN/../libraries'")
        let folder = "\(linked.fixture.folder)/libraries"
        for name in ["glibc-hwcaps", "x86-64-v3", "tls", "haswell", "x86_64"] { symlink(".", "\(folder)/\(name)") }
        #expect(try linked.describe().id == "faulty")
    }

    @Test("The libraries that a library itself requires are checked")
    func transitive() throws {
        let linked = try Linked("'-Wl,-rpath,$ORIGIN/../libraries'")
        let made = try ChildProcess.run(
            "/bin/sh",
            [
                "-euc",
                """
                cd "$0"
                echo 'int deep(void) { return 1; }' | cc -xc -shared -fPIC -o libraries/libb.so -
                echo 'int deep(void); int here(void) { return deep(); }' |
                    cc -xc -shared -fPIC -o libraries/liba.so - -Llibraries -lb -Wl,-rpath,.
                """, linked.fixture.folder,
            ])
        #expect(made.code == 0, "\(made.errors)")
        linked.expectRefusal(
            .notAbsolute, of: .searchElement(".", for: "\(linked.fixture.plugins)/../libraries/liba.so"))
    }
}
