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
    /// How long a device may deliver no data before it is considered to have failed.
    private static let timeout = Duration.seconds(5)

    /// Opens a device. Recording starts with the first read. ALSA's `plug` converts formats that the hardware does not support.
    ///
    /// - Parameter rate: the sample rate in hertz.
    /// - Throws: `deviceMissing`, `deviceNotOpened`, `deviceRefusesFormat`, `noDescriptor`.
    package init(device: String, rate: Int) throws(AudioError) {
        try signal.check()
        (shorts, floats) = ([Int16](repeating: 0, count: rate / 50), [Float](repeating: 0, count: rate / 50))
        self.device = device
        let format = AudioFormat(sampleRate: rate, channels: 1)
        var code: Int32 = 0
        for name in device.contains("'") ? [device] : [device, "plug:'\(device)'"] {
            let opened = try ALSALibrary.open(name, SND_PCM_STREAM_CAPTURE, of: device)
            var (takesFloat, periodFrames) = (false, 0)
            code = ALSALibrary.configure(opened, format, buffer: 500_000, &takesFloat, &periodFrames)
            if code >= 0 {
                (pcm, self.takesFloat) = (opened, takesFloat)
                return
            }
            snd_pcm_close(opened)
        }
        throw .deviceRefusesFormat(device: device, format: format, code: -code)
    }

    /// Opens and closes a device without recording.
    ///
    /// - Throws: `deviceMissing`, `deviceNotOpened`, `noDescriptor`.
    package static func probe(_ device: String) throws(AudioError) {
        try StopSignal().check()
        snd_pcm_close(try ALSALibrary.open(device, SND_PCM_STREAM_CAPTURE, of: device))
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
        var descriptors = ALSALibrary.pollDescriptors(pcm)
        guard signal.wait(for: &descriptors, timeout: .seconds(1)) == .ready else { return }
        var events: UInt16 = 0
        let code = snd_pcm_poll_descriptors_revents(pcm, &descriptors, UInt32(descriptors.count), &events)
        if code < 0 { throw .deviceFailed(device: device, code: -code) }
        if snd_pcm_state(pcm) == SND_PCM_STATE_DISCONNECTED { throw .deviceFailed(device: device, code: ENODEV) }
    }

    private func recover(from code: Int32) throws(AudioError) {
        switch code {
        // Audio was lost to an overrun. Recording continues.
        case EPIPE: break
        case ESTRPIPE:
            switch -snd_pcm_resume(pcm) {
            case 0: return
            // The machine is resuming from suspend, and the device is not ready yet.
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
}
