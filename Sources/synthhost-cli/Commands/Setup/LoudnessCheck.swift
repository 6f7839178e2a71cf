import SynthHost
import Terminal
import VoiceCatalogue

/// Measures how loud new voices are, so that they are as loud as others from then on.
struct LoudnessCheck {
    private let context: CommandContext
    private let arguments: ParsedArguments
    private let inventory: Inventory
    private let cancellation: Cancellation

    init(
        _ context: CommandContext, _ arguments: ParsedArguments, _ inventory: Inventory, _ cancellation: Cancellation
    ) {
        self.context = context
        self.arguments = arguments
        self.inventory = inventory
        self.cancellation = cancellation
    }

    /// Does nothing for voices that were measured or cannot be. Blocks for some seconds for each, until a request to stop.
    /// A voice that fails speaks all the same.
    func measure(_ voices: [Voice]) {
        for voice in voices where !cancellation.isRequested { measure(voice) }
    }

    private func measure(_ voice: Voice) {
        guard let measurement = inventory.loudnessMeasurement(of: voice) else { return }
        let reporter = ProgressReporter(
            form: ProgressForm(
                for: context.errors.style, json: arguments[Options.json], quiet: arguments[Options.quiet]),
            output: context.errors)
        reporter.begin("Measuring how loud \(voice.title) is")
        let ticker = ProgressTicker(reporter)
        defer {
            ticker.stop()
            reporter.end()
        }
        do throws(LoudnessFailure) {
            _ = try cancellation.during({ measurement.cancel() }) { () throws(LoudnessFailure) in try measurement.run()
            }
        } catch {
            if arguments[Options.verbose], !cancellation.isRequested { reporter.print(error.sentence(voice.title)) }
        }
    }
}
