import CALSA

enum ALSALibrary {
    private static let silenced: Void = synth_alsa_silence()

    /// Must be called before the first call of libasound that may print.
    static func prepare() {
        silenced
    }
}
