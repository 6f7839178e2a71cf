import System

/// Where answers are made that are sent when they are whole. Any thread may use it.
final class WebSpool: Sendable {
    private let folder: String
    /// What all of them take.
    let budget: ByteBudget

    /// - Parameters:
    ///   - folder: where long ones take room on the disk.
    ///   - limit: in bytes.
    init(folder: String, limit: Int) {
        self.folder = folder
        budget = ByteBudget(limit: limit)
    }

    func newBytes() -> SpooledBytes { SpooledBytes(mostInMemory: Self.mostInMemory, folder: folder) }

    private static let mostInMemory = 128 << 10
}
