import SynthAudio
package import synthhost_cli
import SynthSystem

extension SoundDevices {
    /// A machine without sound devices.
    package static let missing = SoundDevices(
        sink: { MissingDevice($0) },
        probe: { name throws(AudioError) in throw AudioError.deviceMissing(device: name, known: []) })

    /// A sound card that accepts and discards all audio immediately.
    package static let silent = SoundDevices(sink: { _ in SilentDevice() }, probe: { _ throws(AudioError) in })

    /// A device that writes playback to a file.
    package static func recorder(_ path: String) -> SoundDevices {
        SoundDevices(
            sink: { _ in (try? SoundFileOptions(.wav).sink(path: path)) ?? SilentDevice() },
            probe: { _ throws(AudioError) in })
    }
}

private final class MissingDevice: AudioSink {
    private let name: String
    let isHeard = true

    init(_ name: String) { self.name = name }

    func begin(_ format: AudioFormat) throws(AudioError) { throw .deviceMissing(device: name, known: []) }
    func write(_ samples: ArraySlice<Float>) throws(AudioError) {}
    func finish() throws(AudioError) {}
    func stop() {}
}

private final class SilentDevice: AudioSink {
    let isHeard = true

    func begin(_ format: AudioFormat) throws(AudioError) {}
    func write(_ samples: ArraySlice<Float>) throws(AudioError) {}
    func finish() throws(AudioError) {}
    func stop() {}
}
