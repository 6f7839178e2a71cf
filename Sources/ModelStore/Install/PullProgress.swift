import Glibc
import Synchronization
import VoiceCatalogue

/// Turns the steps of installations into the states of the voices that wait for them.
final class PullProgress: Sendable {
    /// Each once, models first.
    let entries: [StoreEntry]
    private let voices: [Voice]
    private let live: LiveStates
    private let meters: Mutex<[String: ProgressMeter]>

    init(_ voices: [Voice], _ live: LiveStates) {
        self.voices = voices
        self.live = live
        var seen: Set<String> = []
        entries = voices.flatMap(\.entries).filter { seen.insert($0.folder).inserted }
            .sorted { $0.downloadSize > $1.downloadSize }
        var meters: [String: ProgressMeter] = [:]
        for voice in voices { meters[voice.folder] = ProgressMeter(total: voice.downloadSize) }
        self.meters = Mutex(meters)
    }

    /// What the user calls an entry: a model goes by a voice that leans on it.
    func name(of entry: StoreEntry) -> String { waiting(for: entry).first?.id ?? entry.folder }

    func report(_ step: InstallStep, of entry: StoreEntry) {
        for voice in waiting(for: entry) {
            switch step {
            case .waiting(let process):
                if process != getpid() { live.publish(.waiting(process: process), of: voice.folder) }
            case .arrived(let bytes, let file):
                update(voice) { $0.record(bytes, of: entry.folder + "/" + file, at: .now) }
            case .note(let news): update(voice) { $0.note(news) }
            case .verifying: live.publish(.verifying, of: voice.folder)
            case .unpacking: live.publish(.unpacking, of: voice.folder)
            }
        }
    }

    /// The entry is there, whichever way it came.
    func finish(_ entry: StoreEntry) {
        for voice in waiting(for: entry) {
            update(voice) { meter in
                for file in entry.files { meter.record(file.size, of: entry.folder + "/" + file.name, at: .now) }
            }
        }
    }

    private func update(_ voice: Voice, _ change: (inout ProgressMeter) -> Void) {
        meters.withLock { meters in
            guard var meter = meters[voice.folder] else { return }
            change(&meter)
            meters[voice.folder] = meter
            // Told inside the lock: two entries arrive at once, and the later sum must not be told first.
            live.publish(.downloading(meter.progress), of: voice.folder)
        }
    }

    private func waiting(for entry: StoreEntry) -> [Voice] {
        voices.filter { voice in voice.entries.contains { $0.folder == entry.folder } }
    }
}
