import Foundation
package import synthhost_cli
package import TestSupport

/// A new user whose registry lists voices of the Tone engine, and a server for their files.
package final class RegistryFixture: Sendable {
    package let home: UserHome
    package let server: LoopbackServer
    private let devices: SoundDevices

    /// A file that contains a pitch. Only its first number is read, so the file can be of any size.
    package static func pitch(_ hertz: Int, size: Int = 100) -> [UInt8] {
        let text = Array("\(hertz)\n".utf8)
        return text + (0..<max(0, size - text.count)).map { UInt8(truncatingIfNeeded: $0 &* 131 ^ $0 >> 7) }
    }

    /// Nature is recommended and is the first starter voice; Brook is the second. Left and Right share a model that is
    /// available in two precisions.
    package static let files = [
        "/nature.pitch": pitch(330), "/brook.pitch": pitch(260), "/duet.pitch": pitch(200, size: 200_000),
        "/small.pitch": pitch(210, size: 50_000),
    ]

    /// - Parameters:
    ///   - nature: The content of Nature's file; `nil` for the usual content.
    ///   - probe: The content of the probe, a Tone voice's file that is used to measure the machine's speed; `nil` for
    ///     no probe.
    ///   - devices: The machine's sound devices.
    ///   - answer: The server's responses; `nil` for correct responses.
    package init(
        nature: [UInt8]? = nil, probe: [UInt8]? = nil, devices: SoundDevices = .missing,
        answer: (@Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Answer?)? = nil
    ) throws {
        home = try UserHome()
        self.devices = devices
        var files = Self.files
        if let nature { files["/nature.pitch"] = nature }
        server = try LoopbackServer { [files] request, number in
            if let answer = answer?(request, number) { return answer }
            return files[request.path].map { .init($0, to: request) } ?? .init(status: 404)
        }
        func file(_ name: String) throws -> [String: Any] {
            let bytes = files["/" + name] ?? []
            return [
                "role": "pitch", "url": server.base + name, "size": bytes.count, "sha256": try Checksum.sha256(bytes),
            ]
        }
        var duet: [String: Any] = [
            "id": "duet", "engine": "tone", "precision": "fp32", "files": [try file("duet.pitch")],
        ]
        let small: [String: Any] = [
            "id": "duet-int8", "engine": "tone", "precision": "int8", "variantOf": "duet",
            "files": [try file("small.pitch")],
        ]
        if let probe {
            // The declared cost is so low that all machines seem too slow.
            duet["probe"] = [
                "cost": 1e-9, "language": "en",
                "files": [["role": "pitch", "name": "probe.pitch", "content": Data(probe).base64EncodedString()]],
            ]
        }
        let registry: [String: Any] = [
            "models": [duet, small],
            "voices": [
                [
                    "id": "nature_1", "engine": "tone", "name": "Nature", "language": "en-GB", "accent": "British",
                    "gender": "female", "grade": "A", "starter": 1, "recommended": true, "cost": 32,
                    "files": [try file("nature.pitch")],
                ],
                [
                    "id": "brook_1", "engine": "tone", "name": "Brook", "language": "en-US", "starter": 2, "cost": 4,
                    "files": [try file("brook.pitch")],
                ],
                ["id": "left_1", "engine": "tone", "name": "Left", "language": "en-US", "model": "duet"],
                ["id": "right_1", "engine": "tone", "name": "Right", "language": "en-US", "model": "duet"],
            ],
        ]
        let data = try JSONSerialization.data(withJSONObject: registry)
        try home.write(Array(data), to: "data/synthhost/models.json")
    }

    /// The requested paths.
    package var asked: [String] { server.requests.map(\.path) }

    /// The paths of files in the store whose names end with a string, such as ".part".
    package func stored(_ ending: String) -> [String] {
        let root = home.file("data/synthhost/models")
        return (FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? [])
            .filter { $0.hasSuffix(ending) }.map { "data/synthhost/models/\($0)" }.sorted()
    }

    /// Returns a configuration key's effective value.
    package func configured(_ key: String) throws -> String {
        try home.run("config", "get", key).text.trimmingCharacters(in: .newlines)
    }

    /// Runs a command line to completion using this fixture's sound devices.
    package func run(_ words: String..., adding variables: [String: String?] = [:]) throws -> ChildResult {
        try home.run(words, adding: variables, devices: devices)
    }

    /// Starts a command line with a terminal for its messages and questions.
    package func begin(
        _ words: String..., on screen: Screen, adding variables: [String: String?] = [:]
    ) throws -> RunningCommand {
        try begin(words, on: screen, adding: variables)
    }

    package func begin(
        _ words: [String], on screen: Screen, adding variables: [String: String?] = [:]
    ) throws -> RunningCommand {
        try home.begin(words, on: screen.terminal, adding: variables, devices: devices)
    }
}
