import CSynthALSA
import Glibc

/// An open ALSA playback device. No method blocks except `drain`.
struct ALSAPlayback: ~Copyable {
    enum Step {
        case wrote(frames: Int)
        /// The buffer is full. Poll the device's descriptors.
        case full
        /// The device has recovered from an underrun or a suspend.
        case recovered(hadUnderrun: Bool)
        /// The machine is resuming from suspend, and the device is not ready yet.
        case suspended
    }

    let device: String
    private let pcm: OpaquePointer
    private var channels = 1
    private var sampleRate = 1
    private var periodFrames = 1
    private var takesFloat = false
    private var hasFrames = false
    private var scratch: [Int16] = []

    /// - Throws: `deviceMissing`, `deviceNotOpened`.
    init(device: String) throws(AudioError) {
        pcm = try ALSALibrary.open(device, SND_PCM_STREAM_PLAYBACK, of: device)
        self.device = device
    }

    deinit {
        snd_pcm_close(pcm)
    }

    /// Opens a device with a format. ALSA's `plug` converts formats that the hardware does not support.
    ///
    /// - Throws: `deviceMissing`, `deviceNotOpened`, `deviceRefusesFormat`.
    static func open(device: String, format: AudioFormat) throws(AudioError) -> ALSAPlayback {
        var plain = try ALSAPlayback(device: device)
        let code = plain.configure(format)
        if code >= 0 { return plain }
        if !device.contains("'"), var plugged = try? ALSAPlayback(device: "plug:'\(device)'"),
            plugged.configure(format) >= 0
        {
            return plugged
        }
        throw .deviceRefusesFormat(device: device, format: format, code: -code)
    }

    /// Writes as many frames as the buffer can currently accept.
    ///
    /// - Throws: `deviceFailed`.
    mutating func write(_ samples: ArraySlice<Float>) throws(AudioError) -> Step {
        let block = samples.prefix(4096 * channels)
        let frames = snd_pcm_uframes_t(block.count / channels)
        let result: snd_pcm_sframes_t
        if takesFloat {
            result = block.withUnsafeBytes { snd_pcm_writei(pcm, $0.baseAddress, frames) }
        } else {
            FloatPCM.convert(block, into: &scratch)
            result = scratch.withUnsafeBytes { snd_pcm_writei(pcm, $0.baseAddress, frames) }
        }
        if result >= 0 {
            hasFrames = hasFrames || result > 0
            return result == 0 ? .full : .wrote(frames: result)
        }
        return result == -Int(EAGAIN) ? .full : try recover(from: Int32(-result))
    }

    /// Returns the descriptors to poll while the buffer is full.
    func pollDescriptors() -> [pollfd] { ALSALibrary.pollDescriptors(pcm) }

    /// Passes the result of `poll` to the device. Some devices need this to detect free space.
    ///
    /// - Throws: `deviceFailed`.
    mutating func acknowledge(_ descriptors: [pollfd]) throws(AudioError) {
        var descriptors = descriptors
        var events: UInt16 = 0
        let code = snd_pcm_poll_descriptors_revents(pcm, &descriptors, UInt32(descriptors.count), &events)
        if code < 0 { throw .deviceFailed(device: device, code: -code) }
        guard Int32(events) & (POLLERR | POLLNVAL) != 0 else { return }
        switch snd_pcm_state(pcm) {
        case SND_PCM_STATE_XRUN, SND_PCM_STATE_SUSPENDED, SND_PCM_STATE_RUNNING, SND_PCM_STATE_PREPARED:
            // The next write recovers the device.
            return
        case SND_PCM_STATE_DISCONNECTED:
            throw .deviceFailed(device: device, code: ENODEV)
        default:
            throw .deviceFailed(device: device, code: EIO)
        }
    }

    /// Returns the number of frames that are queued but not yet played.
    func queuedFrames() -> Int {
        var frames: snd_pcm_sframes_t = 0
        switch snd_pcm_state(pcm) {
        case SND_PCM_STATE_RUNNING, SND_PCM_STATE_DRAINING, SND_PCM_STATE_PREPARED, SND_PCM_STATE_PAUSED:
            return snd_pcm_delay(pcm, &frames) == 0 ? max(frames, 0) : 0
        default:
            return 0
        }
    }

    /// Returns the duration of the queued audio, excluding its last period, which `drain` plays.
    func remainingTime() -> Duration {
        .seconds(Double(max(queuedFrames() - periodFrames, 0)) / Double(sampleRate))
    }

    /// Starts the device even if the queue has not reached the start threshold.
    mutating func start() {
        if hasFrames, snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED { snd_pcm_start(pcm) }
    }

    /// Blocks until the rest of the queue has been played. Wait for `remainingTime` before calling this.
    ///
    /// - Throws: `deviceFailed`.
    mutating func drain() throws(AudioError) {
        snd_pcm_nonblock(pcm, 0)
        let code = snd_pcm_drain(pcm)
        switch -code {
        case ...0, EPIPE, ESTRPIPE, EBADFD: return
        default: throw .deviceFailed(device: device, code: -code)
        }
    }

    /// Stops playback and discards the queue.
    mutating func drop() {
        snd_pcm_drop(pcm)
    }

    private mutating func recover(from code: Int32) throws(AudioError) -> Step {
        switch code {
        case EINTR:
            return .recovered(hadUnderrun: false)
        case EPIPE:
            break
        case ESTRPIPE:
            switch -snd_pcm_resume(pcm) {
            case 0: return .recovered(hadUnderrun: false)
            case EAGAIN: return .suspended
            default: break
            }
        default:
            throw .deviceFailed(device: device, code: code)
        }
        let prepared = snd_pcm_prepare(pcm)
        guard prepared == 0 else { throw .deviceFailed(device: device, code: -prepared) }
        hasFrames = false
        return .recovered(hadUnderrun: code == EPIPE)
    }

    /// - Returns: 0 or a negative ALSA code.
    private mutating func configure(_ format: AudioFormat) -> Int32 {
        channels = format.channels
        sampleRate = format.sampleRate
        let code = ALSALibrary.configure(pcm, format, buffer: 160_000, &takesFloat, &periodFrames)
        return code < 0 ? code : configureSoftware()
    }

    private mutating func configureSoftware() -> Int32 {
        var parameters: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&parameters) == 0, let parameters else { return -ENOMEM }
        defer { snd_pcm_sw_params_free(parameters) }
        let code = snd_pcm_sw_params_current(pcm, parameters)
        if code < 0 { return code }
        // Start after two periods to keep latency low.
        snd_pcm_sw_params_set_start_threshold(pcm, parameters, snd_pcm_uframes_t(2 * periodFrames))
        snd_pcm_sw_params_set_avail_min(pcm, parameters, snd_pcm_uframes_t(periodFrames))
        return snd_pcm_sw_params(pcm, parameters)
    }
}
