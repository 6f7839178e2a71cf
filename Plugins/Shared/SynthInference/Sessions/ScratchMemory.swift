import Glibc
import Synchronization
import SynthGraphs

/// Decides when ONNX Runtime returns the memory used by its runs to the system.
///
/// The library keeps as much memory as its longest run needed. Returning all of it after every run costs 10 % of the processor
/// time, because the next run faults it in again page by page. Keeping it costs 585 MB instead of 310 MB for a medium-quality
/// voice after one very long sentence. So memory is kept up to a limit that sentences of thirty words do not reach, and the first
/// run that starts above the limit returns it.
final class ScratchMemory: Sendable {
    private static let least = 272 << 20

    /// The private memory of this process before any run, in bytes, without mapped weights.
    private let base: Int
    /// The memory that the library may keep per run, in bytes.
    private let share: Int
    private let isBeyond = Atomic(false)

    /// - Parameter modelSize: The size of the model file in bytes. Runs of a larger model need more memory.
    init(modelSize: UInt64) {
        base = Self.own ?? 0
        share = max(Self.least, Int(clamping: modelSize))
    }

    /// Whether the run that is about to start should return unused memory at its end.
    var isToBeReturned: Bool { isBeyond.load(ordering: .relaxed) }

    /// Compares the process's memory with the limit.
    ///
    /// - Parameter runs: The number of active runs, including this one.
    func noteEndOfRun(among runs: Int) {
        isBeyond.store((Self.own ?? .max) > base + share * runs, ordering: .relaxed)
    }

    /// Resident memory not backed by a file, in bytes; `nil` if the kernel does not report it.
    private static var own: Int? {
        guard let text = try? DiskFile.content(of: "/proc/self/statm", limit: 128) else { return nil }
        let pages = text.split(separator: UInt8(ascii: " ")).prefix(3).compactMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
        guard pages.count == 3 else { return nil }
        return (pages[1] - pages[2]) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
