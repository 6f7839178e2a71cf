import Glibc
import Synchronization
import SynthGraphs

/// Decides when ONNX Runtime returns memory to the system.
///
/// ONNX Runtime retains as much memory as its longest run needed. Returning all of that memory after every run costs
/// 10% of the CPU time, because the next run faults in every page again. Retaining all of it increases a medium-quality
/// voice's memory use from 310 MB to 585 MB after one very long sentence. Therefore, memory is retained up to a limit
/// that thirty-word sentences do not reach, and the first run that starts above the limit returns it.
final class ScratchMemory: Sendable {
    private static let least = 272 << 20

    /// This process's private memory before the first run, in bytes, excluding mapped weights.
    private let base: Int
    /// The number of bytes that ONNX Runtime may retain per active run.
    private let share: Int
    private let isBeyond = Atomic(false)

    /// - Parameter modelSize: The size of the model file in bytes. A larger model has a higher limit.
    init(modelSize: UInt64) {
        base = Self.own ?? 0
        share = max(Self.least, Int(clamping: modelSize))
    }

    /// Whether the next run should return unused memory when it ends.
    var isToBeReturned: Bool { isBeyond.load(ordering: .relaxed) }

    /// Compares this process's memory use with the limit.
    ///
    /// - Parameter runs: The number of active runs, including the run that is ending.
    func noteEndOfRun(among runs: Int) {
        isBeyond.store((Self.own ?? .max) > base + share * runs, ordering: .relaxed)
    }

    /// Resident memory that is not backed by a file, in bytes; `nil` if the kernel does not report it.
    private static var own: Int? {
        guard let text = try? DiskFile.content(of: "/proc/self/statm", limit: 128) else { return nil }
        let pages = text.split(separator: UInt8(ascii: " ")).prefix(3).compactMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
        guard pages.count == 3 else { return nil }
        return (pages[1] - pages[2]) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
