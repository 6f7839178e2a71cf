import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("An engine's cache folder", .ownThreads)
struct CacheFolderTests {
    /// The bytes of all files in the cache, except those below a given folder.
    private func files(_ home: UserHome, besides folder: String) throws -> [String: Data] {
        let root = home.file("cache/synthhost")
        let names = try FileManager.default.subpathsOfDirectory(atPath: root)
        return try names.reduce(into: [:]) { files, name in
            var isFolder: ObjCBool = false
            guard !name.hasPrefix("\(folder)/"),
                FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isFolder)
            else { return }
            files[name] = isFolder.boolValue ? Data() : try home.data("cache/synthhost/\(name)")
        }
    }

    @Test(
        "An engine can write only to its own cache folder, regardless of its ID",
        arguments: [
            "engines", "recognizer", "recognizers", "engine", "probe", "pace", "host", "scans", "sentry", "tone-2",
        ])
    func hostile(id: String) throws {
        let home = try UserHome()
        try home.install("sentry")
        try home.install("squatter", ["ID=\"\(id)\""])
        // All engines have been scanned at this point, and other engines have caches.
        let before = try home.run("engines", "list", "--rescan", "--json").text
        let recognizers = try home.run("recognizers", "--rescan", "--json").text
        for folder in ["engine/tone", "recognizer/sentry", "_host/probe"] {
            try home.write("of another", to: "cache/synthhost/\(folder)/kept")
        }
        try home.write("1.5\nthis machine\n", to: "cache/synthhost/_host/pace")
        let speak = { try home.run("speak", "-e", id, "Hello", "-o", home.file("x.wav")) }
        #expect(try speak().code == 0)
        let known = try files(home, besides: "engine/\(id)")
        #expect(known["_host/pace"] != nil && known.keys.contains { $0.hasSuffix(".scan") }, "\(known.keys)")
        #expect(home.exists("cache/synthhost/engine/\(id)/planted"))
        #expect(try speak().code == 0)
        #expect(try files(home, besides: "engine/\(id)") == known)
        #expect(!known.keys.contains { $0.hasSuffix("planted") })

        #expect(try home.run("engines", "list", "--json").text == before)
        #expect(try home.run("recognizers", "--json").text == recognizers)
        try FileManager.default.removeItem(atPath: "\(home.plugins)/squatter.so")
        let other = try home.run("speak", "-e", "espeak-ng", "Hello", "-o", home.file("x.wav"))
        #expect(other.code == 0, "\(other.errors)")
    }

    @Test("An earlier version's cache is moved, and the parts that its engines could forge are deleted")
    func earlier() throws {
        let home = try UserHome()
        try home.install("squatter")
        for name in [
            "squatter/graph", "tone/graph", "engine/tone/forged", "recognizer/sentry/forged", "probe/probe.onnx",
            "pace",
        ] {
            try home.write("old", to: "cache/synthhost/\(name)")
        }
        try home.write("forged", to: "cache/synthhost/engines/0123.scan")
        #expect(try home.run("speak", "-e", "squatter", "Hello", "-o", home.file("x.wav")).code == 0)
        #expect(try home.data("cache/synthhost/engine/squatter/graph") == Data("planted".utf8))
        #expect(try home.data("cache/synthhost/tone/graph") == Data("old".utf8))
        for name in ["squatter", "engine/tone", "recognizer", "engines", "probe", "pace"] {
            #expect(!home.exists("cache/synthhost/\(name)"), "\(name)")
        }
        // From now on, these names are trusted.
        try home.write("new", to: "cache/synthhost/recognizer/sentry/graph")
        #expect(try home.run("speak", "-e", "squatter", "Hello", "-o", home.file("x.wav")).code == 0)
        #expect(try home.data("cache/synthhost/recognizer/sentry/graph") == Data("new".utf8))
    }

    @Test("An earlier version's cache is deleted if a recognizer with the same ID could also write to it")
    func shared() throws {
        let home = try UserHome()
        try home.install("sentry")
        try home.install("squatter", ["ID=\"sentry\""])
        try home.write("old", to: "cache/synthhost/sentry/graph")
        #expect(try home.run("speak", "-e", "sentry", "Hello", "-o", home.file("x.wav")).code == 0)
        #expect(!home.exists("cache/synthhost/sentry") && !home.exists("cache/synthhost/engine/sentry/graph"))
    }
}
