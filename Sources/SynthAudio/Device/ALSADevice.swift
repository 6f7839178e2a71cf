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
            // A hint without a direction applies to playback and capture.
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

enum ALSALibrary {
    private static let silenced: Void = synth_alsa_silence()

    /// Silences libasound's error messages. Call this before any libasound function that may print messages.
    static func prepare() {
        silenced
    }
}
