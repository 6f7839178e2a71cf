import EngineChecks

extension Check {
    /// Runs the check on an engine.
    func run(on subject: Subject) throws(CheckFinding) -> CheckFinding {
        switch self {
        case .fileIsTrusted: try FileChecks.trust(subject)
        case .loadsWithRTLDNow: try FileChecks.loading(subject)
        case .exportsOnlyEntry: try FileChecks.exports(subject)
        case .refusesUnknownABI: try TableChecks.unknownABI(subject)
        case .tableIsComplete: try TableChecks.completeness(subject)
        case .scanTime: try TableChecks.scanTime(subject)
        case .thousandVoicesQuick: try TableChecks.enumerationTime(subject)
        case .tableIsStable: try TableChecks.stability(subject)
        case .fieldsAreValid: try DescriptionChecks.fields(subject)
        case .voiceIDsUnique: try DescriptionChecks.uniqueVoices(subject)
        case .rolesAndSourcesAreComplete: try DescriptionChecks.rolesAndSources(subject)
        case .loadWithoutFiles: try ModelFileChecks.missing(subject)
        case .loadWithDamagedFile: try ModelFileChecks.damaged(subject)
        case .speaksAShortText: try SoundChecks.shortText(subject)
        case .beginBeforeAudio: try SoundChecks.begin(subject)
        case .soundIsSane: try SoundChecks.sanity(subject)
        case .wordEventsAreValid: try SoundChecks.events(subject)
        case .deterministicAsDeclared: try SoundChecks.determinism(subject)
        case .emptyAndBlankText: try TextChecks.blank(subject)
        case .strangeTexts: try TextChecks.strange(subject)
        case .textOf64KiB: try TextChecks.longest(subject)
        case .longWord: try TextChecks.longWord(subject)
        case .sinkFalseStops: try StopChecks.sinkFalse(subject)
        case .cancelFromAnotherThread: try StopChecks.cancel(subject)
        case .cancelIsQuick: try StopChecks.cancelTime(subject)
        case .lanesInParallel: try LaneChecks.parallel(subject)
        case .rateAndPitchExtremes: try RequestChecks.extremes(subject)
        case .unknownVoiceFails: try RequestChecks.unknownVoice(subject)
        case .unknownSpeakerFails: try RequestChecks.unknownSpeaker(subject)
        case .errorBufferRespected: try RequestChecks.errorBuffer(subject)
        case .structOfTheFuture: try RequestChecks.futureStructs(subject)
        case .loadUnloadDoesNotGrow: try GrowthChecks.models(subject)
        case .utterancesDoNotGrow: try GrowthChecks.utterances(subject)
        case .leavesNoThread: try GrowthChecks.threads(subject)
        case .leavesSurroundings: try ConductChecks.surroundings(subject)
        case .writesOnlyToCache: try ConductChecks.writing(subject)
        case .opensNoNetwork: try ConductChecks.network(subject)
        case .startsNoProcess: try ConductChecks.processes(subject)
        }
    }
}
