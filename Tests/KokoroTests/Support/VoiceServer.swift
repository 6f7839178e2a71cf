import CommandSupport
import Foundation
import TestSupport

/// A new user whose registry lists two voices for the test model, and a server for their files.
final class VoiceServer: Sendable {
    let home: UserHome
    private let server: LoopbackServer

    init() throws {
        home = try UserHome(programs: BuildFolder.path)
        var files: [String: [UInt8]] = [:]
        for name in ["kokoro-tern.onnx", "af_tern.bin", "bm_tern.bin"] {
            files["/" + name] = Array(try Data(contentsOf: URL(filePath: Fixtures.voice(name))))
        }
        server = try LoopbackServer.good(files)
        let base = server.base
        func file(_ role: String, _ name: String) throws -> [String: Any] {
            return [
                "role": role, "url": base + name, "size": files["/" + name]?.count ?? 0,
                "sha256": try Checksum.sha256(files["/" + name] ?? []),
            ]
        }
        let model: [String: Any] = [
            "id": "kokoro-tern", "engine": "kokoro", "files": [try file("model", "kokoro-tern.onnx")],
        ]
        let voices = try [("af_tern", "Tern", "en-US"), ("bm_tern", "Skua", "en-GB")].map { id, name, language in
            [
                "id": id, "engine": "kokoro", "name": name, "language": language, "model": "kokoro-tern",
                "files": [try file("style", id + ".bin")],
            ] as [String: Any]
        }
        let registry = try JSONSerialization.data(withJSONObject: ["models": [model], "voices": voices])
        try home.write(Array(registry), to: "data/synthhost/models.json")
    }

    /// Adds a user's voice from files that are named after their roles.
    static func add(
        _ id: String, _ files: [String: Data], language: String = "en-US", to home: UserHome
    ) throws -> ChildResult {
        for (name, content) in files { try home.write(Array(content), to: "\(id)/\(name)") }
        return try home.run(
            "models", "add", home.file(id), "--engine", "kokoro", "--language", language, "--id", id, "--name", id)
    }
}
