import System

/// Where answers are made that are sent when they are whole, or where recordings lie that were sent, all together up to a limit.
/// Any thread may use it.
final class WebSpool: Sendable {
    private let folder: String
    private let limit: Int
    private let taken = Monitor(0)

    /// - Parameters:
    ///   - folder: where long ones take room on the disk.
    ///   - limit: in bytes.
    init(folder: String, limit: Int) {
        self.folder = folder
        self.limit = limit
    }

    func newBytes() -> SpooledBytes { SpooledBytes(mostInMemory: Self.mostInMemory, folder: folder) }

    /// Whether so many bytes more may be kept; they are given back with `giveBack`.
    func take(_ count: Int) -> Bool {
        taken.update { taken in
            guard count <= limit - taken else { return false }
            taken += count
            return true
        }
    }

    func giveBack(_ count: Int) { taken.update { $0 -= count } }

    private static let mostInMemory = 128 << 10
}
