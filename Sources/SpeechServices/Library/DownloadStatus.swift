import SynthHost

/// How far the download of a voice is.
struct DownloadStatus: Equatable, Sendable {
    enum Stage: Equatable, Sendable {
        /// For another process, or until fewer others are downloaded.
        case waiting
        case downloading, verifying, unpacking
        /// It could speak now.
        case measuring
        case failed(VoiceDownloadProblem, mayWorkLater: Bool)
    }

    var stage = Stage.waiting
    /// Bytes that are safe on the disk.
    var bytes: Int64
    var total: Int64
    /// nil = not known yet.
    var bytesPerSecond: Double?
    var timeLeft: Duration?

    init(bytes: Int64, total: Int64) {
        self.bytes = bytes
        self.total = total
    }

    var isRunning: Bool { if case .failed = stage { false } else { true } }

    mutating func take(_ state: VoiceDownload.State) {
        switch state {
        case .waiting: enter(.waiting)
        case .downloading(let bytes, let total, let speed, let left):
            stage = .downloading
            (self.bytes, self.total, bytesPerSecond, timeLeft) = (bytes, total, speed, left)
        // A small file may be compared while a large one still comes.
        case .verifying: if bytes >= total { enter(.verifying) }
        case .unpacking: enter(.unpacking)
        case .measuring:
            bytes = total
            enter(.measuring)
        case .failed(let problem, let mayWorkLater): enter(.failed(problem, mayWorkLater: mayWorkLater))
        default: break
        }
    }

    private mutating func enter(_ stage: Stage) {
        (self.stage, bytesPerSecond, timeLeft) = (stage, nil, nil)
    }
}
