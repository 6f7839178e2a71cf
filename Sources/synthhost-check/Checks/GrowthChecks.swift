import CSynthEngine
import CSynthLinux
import Glibc
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

/// Checks that memory use and the numbers of threads and descriptors do not grow when a task is repeated.
enum GrowthChecks {
    private static let longest = Duration.seconds(15)

    static func models(_ subject: Subject) throws -> CheckFinding {
        try models(of: try subject.plugin())
    }

    private static func models(of plugin: some Plugin) throws -> CheckFinding {
        let choice = try plugin.choice()
        return try repeated(100, "loaded and unloaded a model", perRound: 1024) {
            let model = try plugin.load(choice)
            let lane = try model.open()
            lane.close()
            model.unload()
        }
    }

    static func utterances(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let finding = try repeated(1000, "spoke a word", perRound: 48) {
            let spoken = session.speak(session.request("One."), keepsSamples: false)
            guard spoken.status == SYNTH_OK else {
                throw CheckFinding.failed("For the word \"One.\", it returned \(spoken.words).")
            }
        }
        session.close()
        return finding
    }

    /// Uses a higher base tolerance than for engines, because recognizers are so slow that only a few rounds fit in the
    /// time limit, and because the threads of an inference library keep some memory.
    static func sounds(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        let sound = ProbeSound.short(session.rate)
        let finding = try repeated(1000, "transcribed a short recording", perRound: 48, base: 64_000) {
            try session.listenWhole(RecognitionRecord(sound))
        }
        session.close()
        return finding
    }

    /// Repeats a task. During the first half of the rounds, the engine may fill caches. During the second half, only
    /// memory that the C library retains may grow.
    ///
    /// - Parameters:
    ///   - perRound: the tolerated heap growth per round, in bytes.
    ///   - base: the additional heap growth that is tolerated regardless of the number of rounds, in bytes.
    private static func repeated(
        _ wanted: Int, _ what: String, perRound: Int, base: Int = 4096,
        _ body: () throws -> Void
    ) throws -> CheckFinding {
        let deadline = ContinuousClock.now + longest
        var done = 0
        while done < wanted / 2, done < 5 || .now < deadline {
            try body()
            done += 1
        }
        let before = Footprint.now()
        let half = done
        while done < 2 * half {
            try body()
            done += 1
        }
        let after = Footprint.now()
        let heap = after.heap - before.heap
        let resident = after.resident - before.resident
        let measured = [
            Measurement("rounds", Double(done)), Measurement("heap growth", Double(heap) / 1000, "kB"),
            Measurement("resident growth", Double(resident) / 1000, "kB"),
            Measurement("descriptor growth", Double(after.descriptors - before.descriptors)),
            Measurement("thread growth", Double(after.threads - before.threads)),
        ]
        let when = "during the last \(half) of \(done) rounds (in each round, it \(what))"
        if after.descriptors > before.descriptors {
            let counts = "from \(before.descriptors) to \(after.descriptors)"
            return .failed("The number of open file descriptors grew \(counts) \(when).", measured)
        }
        if after.threads > before.threads {
            return .failed("The number of threads grew from \(before.threads) to \(after.threads) \(when).", measured)
        }
        if heap > base + perRound * half {
            return .failed("The heap grew by \((Double(heap) / 1000).short) kB \(when).", measured)
        }
        if resident > 4_000_000 {
            return .failed("Its resident memory grew by \((Double(resident) / 1_000_000).short) MB \(when).", measured)
        }
        let growth = "\((Double(heap) / 1000).short) kB of heap"
        return .passed("It \(what) \(done) times; the last \(half) rounds added \(growth) and nothing else.", measured)
    }

    static func threads(_ subject: Subject) throws -> CheckFinding {
        let plugin = try subject.plugin()
        // Listing voices may start a library thread that does not belong to a model.
        _ = try plugin.choice()
        let before = Footprint.now().threads
        let (working, after) = try threadsOfOneLoad(plugin, expecting: before)
        let measured = [Measurement("threads while loaded", Double(working - before))]
        guard after > before else {
            return .passed("It leaves no threads behind; it had \(working - before) while it was loaded.", measured)
        }
        // A library that the engine uses may keep a thread for the lifetime of the process. If each load adds a thread,
        // the engine leaks threads.
        let (_, again) = try threadsOfOneLoad(plugin, expecting: after)
        return again > after
            ? .failed(
                "Threads left after the first unload: \(after - before); after the second: \(again - before).", measured
            )
            : .warning(
                "Threads left after the first and second unload: \(after - before).", measured)
    }

    /// Returns the number of threads after the first request, and after the model has been unloaded.
    private static func threadsOfOneLoad(
        _ plugin: any Plugin, expecting count: Int
    ) throws -> (working: Int, after: Int) {
        let trial = try plugin.trial()
        try trial.work()
        let working = Footprint.now().threads
        trial.close()
        var after = Footprint.now().threads
        // Detached threads may take a moment to exit.
        let deadline = ContinuousClock.now + .milliseconds(300)
        while after > count, .now < deadline {
            usleep(5000)
            after = Footprint.now().threads
        }
        return (working, after)
    }
}

/// The memory, threads and descriptors used by this process.
struct Footprint {
    /// The resident memory in bytes.
    var resident: Int
    /// The heap memory in use, in bytes.
    var heap: Int
    var descriptors: Int
    var threads: Int

    static func now() -> Footprint {
        let pages =
            (try? readWholeFile("/proc/self/statm", limit: 4096))
            .map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
        return Footprint(
            resident: (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE))),
            heap: Int(linux_heap_in_use()),
            descriptors: FolderListing.names(in: "/proc/self/fd").count,
            threads: threads())
    }

    /// Returns the lowest number of threads within 5 ms, because the kernel still counts a joined thread for a moment.
    /// The number is read from field 20 of /proc/self/stat, because a confined process cannot read the per-thread
    /// folders.
    private static func threads() -> Int {
        var lowest = Int.max
        for _ in 0..<5 {
            guard let fields = ProcessStat.fields(in: "/proc/self"), fields.count > 17 else { return 0 }
            lowest = min(lowest, Int(fields[17]) ?? 0)
            if lowest == 1 { break }
            usleep(1000)
        }
        return lowest
    }
}

extension Duration {
    var milliseconds: Double { seconds * 1000 }
}

extension Double {
    /// The number with one decimal place, or with two decimal places if the number is below 1.
    var short: String {
        guard isFinite, magnitude < 1e12 else { return "\(self)" }
        let digits = magnitude < 1 ? 2 : 1
        let scale = digits == 2 ? 100 : 10
        let scaled = Int((self * Double(scale)).rounded())
        let fraction = String(Int(scaled.magnitude) % scale)
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return "\(scaled < 0 ? "-" : "")\(Int(scaled.magnitude) / scale).\(zeros)\(fraction)"
    }
}

extension Array where Element == Double {
    /// Returns a percentile, or 0 if there are no values.
    func percentile(_ share: Double) -> Double {
        let sorted = sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[Swift.min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
}
