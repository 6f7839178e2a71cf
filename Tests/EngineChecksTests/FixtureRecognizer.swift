import Foundation
import TestSupport

/// `Tests/Fixtures/Checks/recognizer.c`, compiled into a temporary folder, which is deleted along with this object. The
/// source is compiled only once; the name of the fault is patched into the binary.
final class FixtureRecognizer: Sendable {
    let folder: TemporaryFolder
    let path: String

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    private static let plain = Result { try compile("Tests/Fixtures/Checks/recognizer.c") }
    private static let withFiles = Result { try compile("Tests/Fixtures/Checks/recognizer.c", ["-DFILES"]) }
    private static let marker = Data("=NONE of the faults, choose one".utf8)

    struct NotBuilt: Error { let errors: String }

    init(_ fault: String? = nil, hasFiles: Bool = false) throws {
        folder = try TemporaryFolder()
        var library = try (hasFiles ? Self.withFiles : Self.plain).get()
        if let fault {
            guard let place = library.firstRange(of: Self.marker) else {
                throw NotBuilt(errors: "The compiled file has no marker for the fault.")
            }
            var words = Data("=\(fault)".utf8)
            words.append(Data(count: place.count - words.count))
            library.replaceSubrange(place, with: words)
        }
        path = try folder.write(library, to: "recognizer.so")
        _ = try folder.write(Data("WEIGHTS".utf8), to: "weights")
    }

    /// Compiles these sources instead of `recognizer.c`.
    init(compiling sources: [String], _ options: [String] = []) throws {
        folder = try TemporaryFolder()
        path = try folder.write(try Self.compile(sources, options), to: "recognizer.so")
    }

    private static func compile(_ source: String, _ options: [String] = []) throws -> Data {
        try compile([source], options)
    }

    private static func compile(_ sources: [String], _ options: [String] = []) throws -> Data {
        let folder = try TemporaryFolder()
        let made = folder.file("made.so")
        let run = try ChildProcess.run(
            "/usr/bin/env",
            ["gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-pthread"] + options
                + ["-I", "\(root)/Sources/CSynthEngine/include", "-o", made] + sources.map { "\(root)/\($0)" })
        guard run.code == 0 else { throw NotBuilt(errors: run.errors) }
        return try Data(contentsOf: URL(filePath: made))
    }
}
