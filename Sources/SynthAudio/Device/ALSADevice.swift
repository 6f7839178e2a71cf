import CSynthALSA
import Glibc

/// A playback device in ALSA's configuration.
package struct ALSADevice: Sendable, Equatable {
    /// The ALSA name, such as `default` or `plughw:CARD=PCH,DEV=0`.
    package var name: String
    /// A one-line description for the user. May be empty.
    package var description: String

    /// Returns all playback devices in ALSA's order. Reads the configuration files and queries every card.
    package static func list() -> [ALSADevice] {
        ALSALibrary.prepare()
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
        defer { snd_device_name_free_hint(hints) }
        var devices: [ALSADevice] = []
        var next = hints
        while let hint = next.pointee {
            // A hint without a direction applies to both playback and capture.
            if let name = text(hint, "NAME"), text(hint, "IOID") != "Input" {
                let lines = (text(hint, "DESC") ?? "").split(separator: "\n")
                devices.append(ALSADevice(name: name, description: lines.joined(separator: ", ")))
            }
            next = next.advanced(by: 1)
        }
        return devices
    }

    /// Opens and closes a device without playing audio.
    ///
    /// - Throws: `deviceMissing`, `deviceNotOpened`.
    package static func probe(_ name: String) throws(AudioError) {
        _ = try ALSAPlayback(device: name)
    }

    /// Returns libasound's message for an error code.
    ///
    /// - Parameter code: a positive code, like an errno.
    package static func reason(_ code: Int32) -> String {
        snd_strerror(-code).map { String(cString: $0) } ?? "code \(code)"
    }

    private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
        guard let value = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(value) }
        return String(cString: value)
    }
}

/// The parts of libasound that playback and recording have in common.
enum ALSALibrary {
    private static let silenced: Void = synth_alsa_silence()

    /// Silences libasound's error messages. Call this before any libasound function that may print messages.
    static func prepare() {
        silenced
    }

    /// Opens a device in non-blocking mode.
    ///
    /// - Parameter device: the name for error messages.
    /// - Throws: `deviceMissing`, `deviceNotOpened`.
    static func open(
        _ name: String, _ direction: snd_pcm_stream_t, of device: String
    ) throws(AudioError) -> OpaquePointer {
        prepare()
        var handle: OpaquePointer?
        let code = snd_pcm_open(&handle, name, direction, SND_PCM_NONBLOCK)
        if code == 0, let handle { return handle }
        switch -code {
        case ENOENT, ENODEV, ENXIO: throw .deviceMissing(device: device, known: ALSADevice.list().map(\.name))
        default: throw .deviceNotOpened(device: device, code: -code)
        }
    }

    /// Sets the hardware parameters. The period is 20 ms, if the device supports it.
    ///
    /// - Parameters:
    ///   - buffer: the length of the buffer in microseconds.
    ///   - takesFloat: set to true if the device supports only floats instead of 16-bit samples.
    ///   - periodFrames: set to the number of frames per period, if it is known.
    /// - Returns: 0 or a negative ALSA code.
    static func configure(
        _ pcm: OpaquePointer, _ format: AudioFormat, buffer: UInt32, _ takesFloat: inout Bool, _ periodFrames: inout Int
    ) -> Int32 {
        var parameters: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&parameters) == 0, let parameters else { return -ENOMEM }
        defer { snd_pcm_hw_params_free(parameters) }
        let steps: [() -> Int32] = [
            { snd_pcm_hw_params_any(pcm, parameters) },
            { snd_pcm_hw_params_set_rate_resample(pcm, parameters, 1) },
            { snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED) },
            { snd_pcm_hw_params_set_channels(pcm, parameters, UInt32(clamping: format.channels)) },
            { snd_pcm_hw_params_set_rate(pcm, parameters, UInt32(clamping: format.sampleRate), 0) },
        ]
        for step in steps {
            let code = step()
            if code < 0 { return code }
        }
        var code = snd_pcm_hw_params_set_format(pcm, parameters, SND_PCM_FORMAT_S16)
        if code < 0 {
            takesFloat = true
            code = snd_pcm_hw_params_set_format(pcm, parameters, SND_PCM_FORMAT_FLOAT)
        }
        if code < 0 { return code }
        // Ignore errors, because other sizes work too.
        var (buffer, period): (UInt32, UInt32) = (buffer, 20_000)
        snd_pcm_hw_params_set_buffer_time_near(pcm, parameters, &buffer, nil)
        snd_pcm_hw_params_set_period_time_near(pcm, parameters, &period, nil)
        code = snd_pcm_hw_params(pcm, parameters)
        if code < 0 { return code }
        var frames: snd_pcm_uframes_t = 0
        if snd_pcm_hw_params_get_period_size(parameters, &frames, nil) == 0 { periodFrames = Int(frames) }
        return 0
    }

    /// Returns the descriptors to poll until the device is ready.
    static func pollDescriptors(_ pcm: OpaquePointer) -> [pollfd] {
        let count = max(snd_pcm_poll_descriptors_count(pcm), 0)
        var descriptors = Array(repeating: pollfd(), count: Int(count))
        let filled = snd_pcm_poll_descriptors(pcm, &descriptors, UInt32(count))
        return Array(descriptors.prefix(Int(max(filled, 0))))
    }
}
