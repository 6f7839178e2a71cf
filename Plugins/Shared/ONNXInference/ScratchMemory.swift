import Glibc
import Synchronization

/// Decides when ONNX Runtime gives the memory of its runs back.
///
/// The library keeps what its longest run needed. To give all of it back behind every run costs a tenth of the
/// processor's time, for the next run gets it from the kernel anew, page by page; to keep it costs 585 MB instead of 310
/// on a medium voice, once a very long sentence was spoken. So it is kept up to a limit, which sentences of thirty words
/// stay below, and given back by the first run that begins beyond it.
final class ScratchMemory: Sendable {
    private static let least = 272 << 20

    /// Bytes of this process alone without any run, which the weights are not where they are mapped.
    private let base: Int
    /// Bytes that one run may leave behind.
    private let share: Int
    private let isBeyond = Atomic(false)

    /// - Parameter modelSize: of the file, in bytes; runs of a larger model need more.
    init(modelSize: UInt64) {
        base = Self.own ?? 0
        share = max(Self.least, Int(clamping: modelSize))
    }

    /// Whether the run that begins gives back what it does not need any more when it ends.
    var isToBeReturned: Bool { isBeyond.load(ordering: .relaxed) }

    /// Looks at what the process has.
    /// - Parameter runs: how many were under way, this one among them.
    func noteEndOfRun(among runs: Int) {
        isBeyond.store((Self.own ?? .max) > base + share * runs, ordering: .relaxed)
    }

    /// What is in memory and belongs to no file; `nil` where the kernel does not tell.
    private static var own: Int? {
        guard let text = try? DiskFile.content(of: "/proc/self/statm", limit: 128) else { return nil }
        let pages = text.split(separator: UInt8(ascii: " ")).prefix(3).compactMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
        guard pages.count == 3 else { return nil }
        return (pages[1] - pages[2]) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
