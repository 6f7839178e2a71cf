import Foundation
import SynthSystem
import Testing
import TestSupport

@testable import SynthCatalogue
@testable import SynthModelStore

@Suite("File system errors during a pull")
struct FaultTests {
    private static let base = "http://127.0.0.1:1/"
    /// Calls that are retried after a signal has interrupted them.
    private static let repeated: Set<String> = ["open", "read", "write", "sync", "lock"]

    private static func voice() throws -> (voice: Voice, contents: [String: [UInt8]]) {
        let model = Noise.bytes(30_000, seed: 1)
        var tar = TarBytes()
        tar.add("v/config", Noise.bytes(700, seed: 2))
        tar.add("v/data/a", Noise.bytes(900, seed: 3))
        tar.add("v/readme", [1])
        let archive = tar.compressed(.gzip)
        let contents = ArchiveContents(roles: ["config": "v/config", "data": "v/data/"])
        let voice = TestVoice.voice(
            "v",
            [
                try TestVoice.file("model", "model", model, base),
                try TestVoice.file("archive", "rest.tar.gz", archive, base, archive: contents),
            ])
        return (voice, [base + "model": model, base + "rest.tar.gz": archive])
    }

    @Test(
        "A failed call leaves behind no incorrect file and no open descriptor, and the next pull repairs everything",
        arguments: FailingFiles.Fault.allCases)
    func everyCall(_ fault: FailingFiles.Fault) async throws {
        let (voice, contents) = try Self.voice()
        func fetcher(_ files: (any StoreFiles)? = nil) -> FakeFetcher { FakeFetcher(contents: contents, files: files) }
        let reference = try TemporaryFolder()
        let counting = FailingFiles(fault, at: 0, root: reference.path)
        let error = await TestVoice.failure(
            ModelStore(root: reference.path, fetcher: fetcher(counting), files: counting), [voice])
        #expect(error == nil)
        let right = Tree(reference.path)
        #expect(right.finalFiles.count == 3)

        for number in 1...counting.calls {
            let folder = try TemporaryFolder()
            let failing = FailingFiles(fault, at: number, root: folder.path)
            let error = await TestVoice.failure(
                ModelStore(root: folder.path, fetcher: fetcher(failing), files: failing), [voice])
            let place = "\(failing.failed ?? "nothing"), call \(number)"
            let found = Tree(folder.path).finalFiles
            let isRight = found.allSatisfy { name, data in
                right.finalFiles[name] == data
                    || contents[Self.base + (name as NSString).lastPathComponent] == Array(data)
            }
            #expect(isRight, "a wrong file after \(place)")
            #expect(failing.openDescriptors.isEmpty, "an open file after \(place)")
            if error == nil {
                #expect(ModelStore(root: folder.path, fetcher: fetcher()).state(of: voice) == .ready, "after \(place)")
            }
            if fault == .shortWrite || fault == .interrupted && Self.repeated.contains(failing.failed ?? "") {
                #expect(error == nil, "\(place)")
            }
            if fault == .noSpace, failing.failed == "write", let error { #expect(error.kind == .diskFull) }
            let second = await TestVoice.failure(ModelStore(root: folder.path, fetcher: fetcher()), [voice])
            #expect(second == nil, "after \(place)")
            #expect(Tree(folder.path) == right, "after \(place)")
        }
    }
}
