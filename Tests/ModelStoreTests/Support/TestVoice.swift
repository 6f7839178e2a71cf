import Foundation
import SynthArchives
import SynthSystem

@testable import SynthCatalogue
@testable import SynthModelStore

/// Registries of voices whose files are on a local server.
enum TestVoice {
    /// Retries quickly, but tolerates a busy machine.
    static let retries = RetryPolicy(stall: 3600, stallBytes: 4096, attempts: 4, firstWait: 0.01, longestWait: 0.05)

    static func digest(_ bytes: [UInt8]) throws -> Digest {
        let folder = try TemporaryFolder()
        return try require(FileDigest.compute(.sha256, of: folder.write(bytes, to: "f"), SystemFiles()))
    }

    static func file(
        _ role: String, _ name: String, _ bytes: [UInt8], _ base: String, archive: ArchiveContents? = nil
    ) throws -> ModelFile {
        ModelFile(
            role: role, name: name, url: base + name, size: Int64(bytes.count), digest: try digest(bytes),
            archive: archive)
    }

    static func voice(
        _ id: String, _ files: [ModelFile], model: Model? = nil, alternative: [ModelFile] = []
    ) -> Voice {
        Voice(
            id: id, engine: "test", name: id, language: "en", accent: nil, gender: nil, grade: nil, quality: nil,
            license: nil, cardURL: nil, speakers: [], aliases: [], gain: 0, cost: nil, starter: nil,
            isRecommended: false, unsupported: nil,
            model: model, files: files, alternative: alternative, folder: id)
    }

    static func model(_ id: String, _ files: [ModelFile]) -> Model {
        Model(
            id: id, engine: "test", name: nil, precision: nil, variantOf: nil, license: nil, cost: nil, probe: nil,
            files: files,
            alternative: [])
    }

    static func store(_ root: String, network: NetworkPolicy = NetworkPolicy(retries: retries)) -> ModelStore {
        ModelStore(root: root, fetcher: FetchProgram(path: Programs.fetch), network: network)
    }

    /// Returns the error from a pull that must fail.
    static func failure(
        _ store: ModelStore, _ voices: [Voice], onState: @escaping @Sendable (DownloadState) -> Void = { _ in }
    ) async -> StoreError? {
        do throws(StoreError) {
            try await store.pull(voices, onState: onState)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the registry as text, for a separate process.
    static func registry(_ voices: [Voice]) throws -> [UInt8] {
        let documents = voices.map { voice in
            var document = voice.document
            document.files = voice.files.map { file in
                FileDocument(
                    role: file.role, url: file.url, size: file.size, sha256: file.digest.hexadecimal,
                    unpacked: file.archive?.unpackedSize, roles: file.archive?.roles)
            }
            return document
        }
        return Array(try JSONEncoder().encode(RegistryDocument(voices: documents)))
    }
}

struct Missing: Error {}

func require<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
}

extension ModelStore {
    /// Adds a user's files without testing the voice.
    func add(
        _ path: String, as voice: VoiceDocument, roles: [String: String] = [".onnx": "model", ".onnx.json": "config"]
    ) throws(StoreError) -> InstalledVoice {
        let addition = try beginAdding()
        defer { addition.discard() }
        _ = try addition.take(path, as: voice, roles: roles)
        guard let added = try addition.commit().first else {
            throw .notWhole(voice: voice.id)
        }
        return added
    }
}
