import CSynthALSA
import Glibc

/// A source of live mono audio. Only one thread may read from it; any thread can call `stop`.
package protocol Microphone: AnyObject, Sendable {
    /// Blocks until at least one frame is available and returns the available frames, or nil after `stop`. The first call
    /// starts recording.
    func read() throws(AudioError) -> [Float]?

    /// Makes `read` return nil. Returns immediately.
    func stop()

    /// Closes the microphone. Must be called on the reading thread.
    func close()
}

/// A local microphone.
package final class ALSACapture: Microphone, @unchecked Sendable {
    // Used only by the reading thread.
    private let pcm: OpaquePointer
    private let device: String
    private let signal = StopSignal()
    private var takesFloat = false
    private var shorts: [Int16]
    private var floats: [Float]

    private var isOpen = true
    private var isRecording = false
    /// The time at which the most recent frame was received.
    private var latest = ContinuousClock.now
    /// A device that delivers no data for this long is considered to have failed.
    private static let timeout = Duration.seconds(5)

    private static let bufferMicroseconds: UInt32 = 500_000
    private static let periodMicroseconds: UInt32 = 20_000

    /// Opens a device. Recording starts with the first read. ALSA's `plug` converts formats that the hardware does not support.
    ///
    /// - Parameter rate: the sample rate in hertz.
    /// - Throws: `deviceMissing`, `deviceNotOpened`, `deviceRefusesFormat`, `noDescriptor`.
    package init(device: String, rate: Int) throws(AudioError) {
        try signal.check()
        (shorts, floats) = ([Int16](repeating: 0, count: rate / 50), [Float](repeating: 0, count: rate / 50))
        self.device = device
        var code: Int32 = 0
        for name in device.contains("'") ? [device] : [device, "plug:'\(device)'"] {
            let opened = try Self.open(name, known: device)
            if let takesFloat = Self.configure(opened, rate: rate, &code) {
                (pcm, self.takesFloat) = (opened, takesFloat)
                return
            }
            snd_pcm_close(opened)
        }
        throw .deviceRefusesFormat(device: device, format: AudioFormat(sampleRate: rate, channels: 1), code: -code)
    }

    /// Opens and closes a device without recording.
    ///
    /// - Throws: `deviceMissing`, `deviceNotOpened`, `noDescriptor`.
    package static func probe(_ device: String) throws(AudioError) {
        try StopSignal().check()
        snd_pcm_close(try open(device, known: device))
    }

    deinit { close() }

    package func close() {
        if isOpen { snd_pcm_close(pcm) }
        isOpen = false
    }

    package func stop() { signal.raise() }

    /// - Throws: `deviceFailed`.
    package func read() throws(AudioError) -> [Float]? {
        if isOpen, !isRecording {
            try start()
            isRecording = true
            latest = .now
        }
        while isOpen, !signal.isRaised {
            let frames = snd_pcm_uframes_t(floats.count)
            let result =
                takesFloat
                ? floats.withUnsafeMutableBytes { snd_pcm_readi(pcm, $0.baseAddress, frames) }
                : shorts.withUnsafeMutableBytes { snd_pcm_readi(pcm, $0.baseAddress, frames) }
            switch result {
            case 1...:
                latest = .now
                return taken(Int(result))
            case 0, -Int(EAGAIN):
                guard ContinuousClock.now - latest < Self.timeout else {
                    throw .deviceFailed(device: device, code: ETIMEDOUT)
                }
                try wait()
            case -Int(EINTR): continue
            default: try recover(from: Int32(clamping: -result))
            }
        }
        return nil
    }

    /// Converts recorded samples. Clamps them and clears invalid values, because a device may leave some samples unwritten.
    private func taken(_ count: Int) -> [Float] {
        takesFloat
            ? floats[..<count].map { $0.isFinite ? max(-1, min(1, $0)) : 0 }
            : shorts[..<count].map { Float($0) / 32_768 }
    }

    private func wait() throws(AudioError) {
        let count = max(snd_pcm_poll_descriptors_count(pcm), 0)
        var descriptors = Array(repeating: pollfd(), count: Int(count))
        let filled = snd_pcm_poll_descriptors(pcm, &descriptors, UInt32(count))
        descriptors = Array(descriptors.prefix(Int(max(filled, 0))))
        guard signal.wait(for: &descriptors, timeout: .seconds(1)) == .ready else { return }
        var events: UInt16 = 0
        let code = snd_pcm_poll_descriptors_revents(pcm, &descriptors, UInt32(descriptors.count), &events)
        if code < 0 { throw .deviceFailed(device: device, code: -code) }
        if snd_pcm_state(pcm) == SND_PCM_STATE_DISCONNECTED { throw .deviceFailed(device: device, code: ENODEV) }
    }

    private func recover(from code: Int32) throws(AudioError) {
        switch code {
        // Audio was lost in an overrun. Recording continues.
        case EPIPE: break
        case ESTRPIPE:
            switch -snd_pcm_resume(pcm) {
            case 0: return
            // The machine is waking from suspend, and the device is not ready yet.
            case EAGAIN:
                var none: [pollfd] = []
                _ = signal.wait(for: &none, timeout: .milliseconds(50))
                return
            default: break
            }
        default: throw .deviceFailed(device: device, code: code)
        }
        let prepared = snd_pcm_prepare(pcm)
        guard prepared == 0 else { throw .deviceFailed(device: device, code: -prepared) }
        try start()
    }

    private func start() throws(AudioError) {
        let started = snd_pcm_start(pcm)
        guard started == 0 else { throw .deviceFailed(device: device, code: -started) }
    }

    private static func open(_ name: String, known device: String) throws(AudioError) -> OpaquePointer {
        ALSALibrary.prepare()
        var handle: OpaquePointer?
        let code = snd_pcm_open(&handle, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK)
        if code == 0, let handle { return handle }
        switch -code {
        case ENOENT, ENODEV, ENXIO: throw .deviceMissing(device: device, known: ALSADevice.list().map(\.name))
        default: throw .deviceNotOpened(device: device, code: -code)
        }
    }

    /// - Parameter code: set to a negative ALSA code on failure.
    /// - Returns: whether the samples are floats; nil if the device does not support the format.
    private static func configure(_ pcm: OpaquePointer, rate: Int, _ code: inout Int32) -> Bool? {
        var parameters: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&parameters) == 0, let parameters else {
            code = -ENOMEM
            return nil
        }
        defer { snd_pcm_hw_params_free(parameters) }
        let steps: [() -> Int32] = [
            { snd_pcm_hw_params_any(pcm, parameters) },
            { snd_pcm_hw_params_set_rate_resample(pcm, parameters, 1) },
            { snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED) },
            { snd_pcm_hw_params_set_channels(pcm, parameters, 1) },
            { snd_pcm_hw_params_set_rate(pcm, parameters, UInt32(clamping: rate), 0) },
        ]
        for step in steps {
            code = step()
            if code < 0 { return nil }
        }
        var takesFloat = false
        code = snd_pcm_hw_params_set_format(pcm, parameters, SND_PCM_FORMAT_S16)
        if code < 0 {
            takesFloat = true
            code = snd_pcm_hw_params_set_format(pcm, parameters, SND_PCM_FORMAT_FLOAT)
        }
        if code < 0 { return nil }
        // Ignore errors, because other sizes work too.
        var (buffer, period) = (bufferMicroseconds, periodMicroseconds)
        snd_pcm_hw_params_set_buffer_time_near(pcm, parameters, &buffer, nil)
        snd_pcm_hw_params_set_period_time_near(pcm, parameters, &period, nil)
        code = snd_pcm_hw_params(pcm, parameters)
        return code < 0 ? nil : takesFloat
    }
}
