import System

/// Identifies the processor, to tell machines of different speed apart.
enum ProcessorIdentity {
    private static let names: Set<String> = [
        "vendor_id", "cpu family", "model", "model name", "cpu implementer", "cpu architecture", "cpu variant",
        "cpu part", "hardware", "uarch", "isa",
    ]

    /// Of this machine.
    static func current(threads: Int) -> String {
        let bytes = (try? readWholeFile("/proc/cpuinfo", limit: 16 << 20)) ?? []
        return text(of: String(decoding: bytes, as: UTF8.self), threads: threads)
    }

    /// One line.
    ///
    /// - Parameter description: the text of `/proc/cpuinfo`: a block for each processor, on ARM one more for the board.
    static func text(of description: String, threads: Int) -> String {
        var seen: Set<String> = []
        var facts: [String] = []
        for line in description.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1).map(trimmed)
            guard parts.count == 2, names.contains(parts[0].lowercased()) else { continue }
            let fact = "\(parts[0]) \(parts[1])"
            if seen.insert(fact).inserted { facts.append(fact) }
        }
        return (facts + ["threads \(threads)"]).joined(separator: "; ")
    }

    private static func trimmed(_ text: Substring) -> String {
        text.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }
}
