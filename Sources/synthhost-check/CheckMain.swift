import CSynthLinux
import Glibc
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// A process that runs a single check: it loads the engine, runs the check and reports the result.
///
/// Usage: `synthhost-check [recognizer:]CHECK FILE.so [FOLDER [VOICE [ROLE=PATH… +NEED…]]]`. If descriptor 3 is a
/// socket, the process sends frames there. Otherwise, for example in a debugger, the process prints its findings.
@main
struct CheckMain {
    static func main() {
        guard let job = CheckJob(arguments: ProcessArguments.texts) else {
            print(
                "`synthhost engines validate` starts synthhost-check; `synthhost engines validate --list` lists the checks."
            )
            exit(64)
        }
        // Make a write beyond the file size limit fail instead of killing the process.
        signal(SIGXFSZ, SIG_IGN)
        linux_harden()
        let sender = FindingSender()
        let finding: CheckFinding
        do {
            let userFolders = try EmptyUserFolders.enter(job.folder)
            let file = TrustedFile.found(at: job.file)
            let readable = file.loaded + job.files.map(\.path)
            if job.task == .check(.asksOnlyForWhatItMay) {
                let confinement = Self.confinement(readable, [userFolders.cache], job)
                guard CallWatch.begin(confinement, tell: { sender.send(.refused($0)) }) else {
                    throw CheckFinding.skipped("This kernel or container does not report rejected system calls.")
                }
            } else {
                // Allow the engine to write to the substitutes for the user's folders so that a check can find files
                // that it creates there.
                _ = Self.confinement(readable, [userFolders.folder], job).apply()
            }
            sender.endWithHost()
            let subject = Subject(job, file: file, sender: sender, userFolders: userFolders)
            finding =
                switch job.task {
                case .check(let check): try check.run(on: subject)
                case .fuzz(let seed) where job.kind == .engine: try FuzzChunk(seed: seed).run(on: subject)
                case .fuzz(let seed): try RecognizerFuzz(seed: seed).run(on: subject)
                }
        } catch let found as CheckFinding {
            finding = found
        } catch {
            finding = .failed("The check ended with an error: \(error)")
        }
        sender.send(.finding(finding))
        // Skip destructors, which must not run while threads of the engine are still running.
        fflush(nil)
        _exit(0)
    }

    private static func confinement(_ readable: [String], _ writable: [String], _ job: CheckJob) -> Confinement {
        var confinement = Confinement(FileRules(readable: readable, writable: writable))
        for need in job.allowed { confinement.open(for: need) }
        return confinement
    }
}

extension Check {
    func run(on subject: Subject) throws -> CheckFinding {
        let isEngine = subject.job.kind == .engine
        return switch self {
        case .fileIsTrusted: try FileChecks.trust(subject)
        case .loadsWithRTLDNow: try FileChecks.loading(subject)
        case .exportsOnlyEntry: try FileChecks.exports(subject)
        case .refusesUnknownABI: try TableChecks.unknownABI(subject)
        case .tableIsComplete: try TableChecks.completeness(subject)
        case .scanTime: try TableChecks.scanTime(subject)
        case .thousandVoicesQuick: try TableChecks.enumerationTime(subject)
        case .tableIsStable: try TableChecks.stability(subject)
        case .fieldsAreValid: try DescriptionChecks.fields(subject)
        case .voiceIDsUnique, .modelIDsUnique: try DescriptionChecks.uniqueIDs(subject)
        case .rolesAndSourcesAreComplete: try DescriptionChecks.rolesAndSources(subject)
        case .loadWithoutFiles: try ModelFileChecks.missing(subject)
        case .loadWithDamagedFile: try ModelFileChecks.damaged(subject)
        case .speaksAShortText: try SoundChecks.shortText(subject)
        case .understandsAShortSound: try RecognizedTextChecks.shortSound(subject)
        case .beginBeforeAudio: try SoundChecks.begin(subject)
        case .soundIsSane: try SoundChecks.sanity(subject)
        case .wordEventsAreValid: try SoundChecks.events(subject)
        case .deterministicAsDeclared: try SoundChecks.determinism(subject)
        case .textsAreValid: try RecognizedTextChecks.texts(subject)
        case .stablePartsStay: try RecognizedTextChecks.stableParts(subject)
        case .speechEventsAlternate: try RecognizedTextChecks.events(subject)
        case .wantsChangeNoFinal: try RecognizedTextChecks.wants(subject)
        case .alikeAsDeclared: try RecognizedTextChecks.alike(subject)
        case .asksWhetherToStop: try RecognizedTextChecks.asking(subject)
        case .emptyAndBlankText: try TextChecks.blank(subject)
        case .strangeTexts: try TextChecks.unusual(subject)
        case .textOf64KiB: try TextChecks.longest(subject)
        case .longWord: try TextChecks.longWord(subject)
        case .emptySound: try RecognizerRequestChecks.empty(subject)
        case .strangeSounds: try RecognizerRequestChecks.sounds(subject)
        case .strangeHints: try RecognizerRequestChecks.hints(subject)
        case .sinkFalseStops: try StopChecks.sinkFalse(subject)
        case .endThatIsAStop: try RecognizerStopChecks.endThatIsAStop(subject)
        case .callsNothingAfterwards: try RecognizerStopChecks.afterwards(subject)
        case .cancelFromAnotherThread: try StopChecks.cancel(subject)
        case .cancelIsQuick: try StopChecks.cancelTime(subject)
        case .lanesInParallel: try LaneChecks.parallel(subject)
        case .rateAndPitchExtremes: try RequestChecks.extremes(subject)
        case .rateIsReached: try RateChecks.range(subject)
        case .pitchIsShaped: try PitchChecks.shape(subject)
        case .unknownVoiceFails: try RequestChecks.unknownVoice(subject)
        case .unknownSpeakerFails: try RequestChecks.unknownSpeaker(subject)
        case .unknownModelOrLanguage: try RecognizerRequestChecks.unknown(subject)
        case .errorBufferRespected:
            isEngine ? try RequestChecks.errorBuffer(subject) : try RecognizerRequestChecks.errorBuffer(subject)
        case .structOfTheFuture:
            isEngine ? try RequestChecks.futureStructs(subject) : try RecognizerRequestChecks.futureStructs(subject)
        case .loadUnloadDoesNotGrow: try GrowthChecks.models(subject)
        case .utterancesDoNotGrow: try GrowthChecks.utterances(subject)
        case .soundsDoNotGrow: try GrowthChecks.sounds(subject)
        case .leavesNoThread: try GrowthChecks.threads(subject)
        case .leavesSurroundings: try ConductChecks.userFolders(subject)
        case .writesOnlyToCache: try ConductChecks.writing(subject)
        case .opensNoNetwork: try ConductChecks.network(subject)
        case .startsNoProcess: try ConductChecks.processes(subject)
        case .asksOnlyForWhatItMay: try ConductChecks.refusals(subject)
        }
    }
}
