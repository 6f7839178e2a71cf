package import SynthAudio

/// The devices that a command can play on.
package struct SoundDevices: Sendable {
    /// Plays on the device of a name; the device is opened when the sound begins.
    let sink: @Sendable (String) -> any AudioSink
    /// Opens a device and closes it again, without a sound.
    let probe: @Sendable (String) throws(AudioError) -> Void

    package init(
        sink: @escaping @Sendable (String) -> any AudioSink,
        probe: @escaping @Sendable (String) throws(AudioError) -> Void
    ) {
        self.sink = sink
        self.probe = probe
    }

    /// The devices of this machine.
    static let alsa = SoundDevices(
        sink: { ALSASink(device: $0) }, probe: { name throws(AudioError) in try ALSADevice.probe(name) })
}
