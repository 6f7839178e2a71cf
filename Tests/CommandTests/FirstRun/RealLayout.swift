import CommandSupport
import Foundation
import synthhost_cli
import TestSupport

/// A new user with all engines, and a local server that replaces the servers in the shipped registry. It serves small
/// test files for four of the voices, with the original paths, revisions and file names. The user's registry refers to
/// this server, and contains the sizes and digests of the test files.
final class RealLayout: Sendable {
    let home: UserHome
    let server: LoopbackServer
    /// The paths of the model and the voices on the server.
    let model: String
    let heart: String
    /// A small voice, which is recommended.
    let kore: String
    let kristin: String
    /// A Piper voice in a different language.
    let thorsten: String

    private struct Broken: Error {}

    /// - Parameters:
    ///   - offersSmall: Whether small voices are offered to new users, as in the shipped registry. If not, Kokoro's
    ///     *Heart* comes first.
    ///   - answer: The server's responses; `nil` for correct responses.
    init(
        offersSmall: Bool = true,
        answer: (@Sendable (LoopbackServer.Request, [UInt8]?) -> LoopbackServer.Answer?)? = nil
    ) throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let voices = tests.appending(path: "Fixtures/Voices")
        func fixture(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: voices.appending(path: name))) }
        let shipped = try JSONSerialization.jsonObject(
            with: Data(contentsOf: tests.deletingLastPathComponent().appending(path: "models.json")))
        guard let shipped = shipped as? [String: Any], let sources = shipped["sources"] as? [String: [String: Any]]
        else { throw Broken() }
        func entry(_ kind: String, _ id: String) throws -> [String: Any] {
            let found = (shipped[kind] as? [[String: Any]])?.first { $0["id"] as? String == id }
            guard let found else { throw Broken() }
            return found
        }

        let home = try UserHome(programs: BuildFolder.path)
        self.home = home
        var served: [String: [UInt8]] = [:]
        /// Makes the server offer the test files and returns the registry entry with their sizes and digests.
        func standIn(_ entry: [String: Any], _ contents: [String: [UInt8]]) throws -> (
            entry: [String: Any], paths: [String]
        ) {
            guard let source = entry["source"] as? String, let base = sources[source]?["url"] as? String,
                let files = entry["files"] as? [[String: Any]], let folder = URL(string: base)?.path
            else { throw Broken() }
            var entry = entry
            var paths: [String] = []
            entry["files"] = try files.map { file -> [String: Any] in
                guard let role = file["role"] as? String, let bytes = contents[role],
                    let path = (file["path"] as? String).map({ "\(folder)/\($0)" })
                else { throw Broken() }
                paths.append(path)
                served[path] = bytes
                var file = file
                file["size"] = bytes.count
                file["sha256"] = try Checksum.sha256(bytes)
                return file
            }
            return (entry, paths)
        }
        let piper = [
            "model": try fixture("en_US-tern-x_low.onnx"), "config": try fixture("en_US-tern-x_low.onnx.json"),
        ]
        let model = try standIn(try entry("models", "kokoro-82m"), ["model": try fixture("kokoro-tern.onnx")])
        let heart = try standIn(try entry("voices", "af_heart"), ["style": try fixture("af_tern.bin")])
        let kore = try standIn(try entry("voices", "af_kore-small"), ["model": try fixture("af_small.onnx")])
        var others: [[String: Any]] = []
        if !offersSmall {
            let starters = ((shipped["voices"] as? [[String: Any]]) ?? []).filter {
                $0["engine"] as? String == "hibari" && $0["starter"] != nil
            }
            others = starters.map { $0.filter { !["starter", "recommended"].contains($0.key) } }
        }
        let kristin = try standIn(try entry("voices", "en_US-kristin-medium"), piper)
        let thorsten = try standIn(try entry("voices", "de_DE-thorsten-medium"), piper)
        self.model = model.paths[0]
        self.heart = heart.paths[0]
        self.kore = kore.paths[0]
        self.kristin = kristin.paths[0]
        self.thorsten = thorsten.paths[0]
        server = try LoopbackServer { [served] request, _ in
            let file = served[request.path]
            if let answer = answer?(request, file) { return answer }
            return file.map { .init($0, to: request) } ?? .init(status: 404)
        }
        let base = server.base
        let moved = try sources.mapValues { source -> [String: Any] in
            var source = source
            guard let url = (source["url"] as? String).flatMap(URL.init(string:)) else { throw Broken() }
            source["url"] = base + url.path.dropFirst()
            return source
        }
        let registry: [String: Any] = [
            "sources": moved, "models": [model.entry],
            "voices": [heart.entry, kristin.entry, thorsten.entry] + (offersSmall ? [kore.entry] : others),
        ]
        try home.write(Array(try JSONSerialization.data(withJSONObject: registry)), to: "data/synthhost/models.json")
    }

    /// Environment variables that make the machine seem fast enough for all voices.
    static let fast = ["SYNTHHOST_PACE": "1000"]

    var asked: [String] { server.requests.map(\.path) }

    /// A device that writes playback to a file.
    private var devices: SoundDevices { .recorder(home.file("played.wav")) }

    /// Runs a command line to completion.
    func run(_ words: [String], adding variables: [String: String?] = fast) throws -> ChildResult {
        try home.run(words, adding: variables, devices: devices)
    }

    /// Starts a command line with a terminal for all streams.
    func begin(
        _ words: String..., on screen: Screen, adding variables: [String: String?] = fast
    ) throws -> RunningCommand {
        try begin(words, on: screen, adding: variables)
    }

    func begin(
        _ words: [String], on screen: Screen, adding variables: [String: String?] = fast
    ) throws -> RunningCommand {
        try home.begin(words, on: screen.terminal, showsOutput: true, adding: variables, devices: devices)
    }

    func configured(_ key: String) throws -> String {
        try home.run("config", "get", key).text.trimmingCharacters(in: .newlines)
    }

    /// The default voice, as stated in the messages of `speak`.
    func speaker() throws -> String {
        let spoken = try home.run("speak", "Hello", "--verbose", "-o", home.file("check.wav"))
        guard spoken.code == 0, try home.wav("check.wav").seconds > 0.1 else { throw Broken() }
        let line = spoken.errors.split(separator: "\n").first { $0.hasPrefix("Speaking with ") }
        return line.map { String($0.dropFirst("Speaking with ".count)) } ?? ""
    }
}
