import Glibc
import SpeechServices
import SynthHost
import System

/// `sd_synthhost`: an output module of speech-dispatcher, which starts it and talks with it over its standard input and
/// output. The first argument is its configuration.
@main
struct Program {
    static func main() {
        StandardStreams.open()
        signal(SIGPIPE, SIG_IGN)
        // At the limit of a file's size, the write should fail and the program should not be killed.
        signal(SIGXFSZ, SIG_IGN)
        // Blocked before any other thread starts, so that none of them is ended by them.
        let signals = EndingSignals()
        guard let output = StandardStreams.takeOutput() else { exit(EXIT_FAILURE) }
        let options = OptionsFile.read(ProcessArguments.texts.first, Messages.say)
        var limits = ServiceLimits()
        limits.idle = options.idle
        let (host, models): (LocalHost, WarmModels)
        do throws(InstallationError) {
            (host, models) = try ModuleHost.make(&limits, Messages.say)
        } catch {
            Refusal.answer(error.sentence, input: STDIN_FILENO, output: output)
            exit(EXIT_FAILURE)
        }
        signals.handle { host.abandonEngines() }
        let isServed = serve(SpeechService(host, models, limits), options, output)
        host.abandonEngines()
        // What is still under way ends with the process: a thread may wait for an engine that hangs.
        _exit(isServed ? EXIT_SUCCESS : EXIT_FAILURE)
    }

    private static func serve(
        _ service: SpeechService, _ options: ModuleOptions, _ output: Descriptor
    ) -> Bool {
        do throws(Errno) {
            let module = try SpeechModule(
                service, options, Messages.words, input: Descriptor(owning: STDIN_FILENO), output: output)
            if module.run() { return true }
            Messages.say("The system has no thread left to speak on.")
        } catch {
            Messages.say("The system has no descriptor left: \(error).")
        }
        return false
    }
}
