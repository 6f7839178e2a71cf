import ModelStore
import SynthHost
import VoiceCatalogue

/// Whether this machine is fast enough for a voice. It is measured once, before anything is downloaded.
struct PaceCheck {
    private let context: CommandContext
    private let arguments: ParsedArguments
    private let library: VoiceLibrary
    private let cancellation: Cancellation

    init(
        _ context: CommandContext, _ arguments: ParsedArguments, _ library: VoiceLibrary, _ cancellation: Cancellation
    ) {
        self.context = context
        self.arguments = arguments
        self.library = library
        self.cancellation = cancellation
    }

    /// nil if it cannot be measured. An engine that cannot speak its probe reports the reason when it is used.
    ///
    /// - Parameter wait: what it is a part of; nil = nothing.
    func pace(during wait: ShownWait? = nil) -> MachinePace? {
        let inventory = library.inventory
        if let known = inventory.knownPace() { return known }
        guard let measurement = inventory.paceMeasurement() else { return nil }
        let label = "Measuring how fast this machine is"
        wait?.show(label)
        let wait = wait ?? ShownWait(context, arguments, label)
        defer { wait.end() }
        let sample = cancellation.during({ measurement.cancel() }) { try? measurement.run() }
        guard let sample else { return nil }
        inventory.remember(sample)
        return sample.pace
    }

    /// A sentence about a voice that would be too slow; nil if it would not, or if that is unknown.
    func warning(about voice: Voice) -> String? {
        guard let cost = voice.cost, let words = pace()?.estimate(cost: cost).words else { return nil }
        return "\(voice.title) \(words)."
    }
}
