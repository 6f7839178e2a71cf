import SynthAudio
package import SynthCatalogue
package import SynthCommandSyntax
package import SynthHost
import SynthTerminal

/// Measures the loudness of new voices, so that all voices can be played at the same loudness.
package struct LoudnessCheck {
    let context: CommandContext
    let arguments: ParsedArguments
    let inventory: HostSnapshot
    let cancellation: Cancellation

    package init(
        context: CommandContext, arguments: ParsedArguments, inventory: HostSnapshot, cancellation: Cancellation
    ) {
        self.context = context
        self.arguments = arguments
        self.inventory = inventory
        self.cancellation = cancellation
    }

    /// Measures the voices whose loudness is unknown. Blocks for some seconds per voice, or until a stop is requested. A voice whose
    /// measurement fails can still speak. If this machine cannot measure loudness, that is reported once.
    ///
    /// - Parameter wait: the progress display to use, or nil to create one.
    package func measure(_ voices: [Voice], during wait: ShownWait? = nil) {
        let measurements = voices.compactMap { inventory.loudnessMeasurement(of: $0) }
        guard let first = measurements.first, !cancellation.isRequested else { return }
        let label =
            measurements.count == 1
            ? "Measuring the loudness of \(first.voice.title)"
            : "Measuring the loudness of \(measurements.count) voices"
        wait?.show(label)
        let wait = wait ?? ShownWait(context, arguments, label)
        defer { wait.end() }
        do {
            try LoudnessMeter.loadLibrary()
        } catch {
            return wait.print(SpeechError(error).ofLoudness(first.voice.title))
        }
        let share = 1 / Double(measurements.count)
        for (place, measurement) in measurements.enumerated() where !cancellation.isRequested {
            run(measurement, wait) { wait.show(label, .fraction((Double(place) + $0) * share)) }
        }
    }

    private func run(
        _ measurement: LoudnessMeasurement, _ wait: ShownWait, _ onProgress: @escaping @Sendable (Double) -> Void
    ) {
        do {
            _ = try cancellation.during({ measurement.cancel() }) { () throws(SpeechError) in
                try measurement.run(onProgress)
            }
        } catch {
            if arguments[Options.verbose], !cancellation.isRequested {
                wait.print(error.ofLoudness(measurement.voice.title))
            }
        }
    }
}
