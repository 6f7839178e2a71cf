import Foundation

@testable import ModelStore
@testable import VoiceCatalogue

/// Has the bytes at hand. Writes the part file as the fetch program does, from the offset that it is told.
struct FakeFetcher: Fetcher {
    let contents: [String: [UInt8]]

    func fetch(
        _ job: FetchJob, lock: Int32, cancellation: Cancellation, onEvent: (FetchEvent) -> Void
    ) throws(FetchFailure) {
        guard let url = job.urls.first, let bytes = contents[url] else { throw FetchFailure(.refused, "no such file") }
        onEvent(.answered(tag: "\"v1\"", url: url))
        if !FileManager.default.fileExists(atPath: job.part) {
            _ = FileManager.default.createFile(atPath: job.part, contents: nil)
        }
        guard let file = FileHandle(forWritingAtPath: job.part) else { throw FetchFailure(.file, "not writable") }
        do {
            try file.truncate(atOffset: UInt64(job.offset))
            try file.write(contentsOf: Data(bytes.dropFirst(Int(job.offset))))
            try file.close()
        } catch {
            throw FetchFailure(.file, "\(error)")
        }
        onEvent(.progress(bytes: Int64(bytes.count)))
        onEvent(.done)
    }
}
