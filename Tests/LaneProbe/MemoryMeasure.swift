import Glibc
import SynthEngineProcesses

/// Speaks sentences, of which 80% have 1 to 15 words, and 20% are much longer than a single run of the engine. Prints
/// the worker's peak memory in each half of the rounds.
func measureMemory(_ lane: EngineLane, _ rounds: Int) throws {
    var sentences = Sentences(seed: 6)
    let clock = ContinuousClock()
    let start = clock.now
    guard let worker = children().first else { throw WorkerMissing() }
    print("resident after loading: \(try kilobytes("VmRSS", of: worker) / 1024) MiB")
    var halves: [Int] = []
    var frames = 0
    for half in 0..<2 {
        // Reset the peak that Linux reports.
        guard write("5", to: "/proc/\(worker)/clear_refs") else { throw WorkerMissing() }
        for round in 0..<rounds / 2 {
            let request = Sentences.request(sentences.next())
            _ = try lane.speak(request) { part in
                if case .audio(let samples) = part { frames += samples.count }
                return true
            }
            if round % 100 == 99 {
                let now = try kilobytes("VmRSS", of: worker)
                print("after \(half * rounds / 2 + round + 1): \(now / 1024) MiB resident")
            }
        }
        halves.append(try kilobytes("VmHWM", of: worker))
    }
    let growth = Double(halves[1] - halves[0]) / Double(halves[0]) * 100
    print("most in the first half \(halves[0] / 1024) MiB, in the second \(halves[1] / 1024) MiB")
    print("growth: \((growth * 100).rounded() / 100) %")
    print("\(frames) samples in \(clock.now - start)")
}

private struct WorkerMissing: Error {}

private func children() -> [Int] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [Int] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        // The parent's process ID comes after the state and the program's name, which is in parentheses.
        guard let process = Int(name), let fields = read("/proc/\(name)/stat")?.split(separator: ")").last else {
            continue
        }
        if fields.split(separator: " ").dropFirst().first.flatMap({ Int32($0) }) == getpid() { found.append(process) }
    }
    return found
}

private func kilobytes(_ key: String, of process: Int) throws -> Int {
    let lines = read("/proc/\(process)/status")?.split(separator: "\n") ?? []
    guard let line = lines.first(where: { $0.hasPrefix(key + ":") }),
        let number = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
    else { throw WorkerMissing() }
    return number
}

private func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
}

private func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    fputs(text, file)
    return fclose(file) == 0
}
