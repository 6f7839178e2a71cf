import CSynthEngine
import Glibc
import SynthEngineProcesses
import SynthEngineWire

/// Checks that apply only to recognizers.
enum RecognizerStopChecks {
    /// Checks that a recognizer notices a stop during a read. The read then returns 0, and the next call returns false.
    static func endThatIsAStop(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        let whole = try session.listenWhole().record
        for position in [0.0, 0.6, 1.5, 2.9] {
            let most = Int(position * Double(session.rate))
            let record = RecognitionRecord(.three(session.rate), piece: session.rate / 50) { record, call in
                call != .read || record.framesRead < most
            }
            let result = session.listen(record, session.request(wants: .everything))
            // Skip the position if the recognizer did not need more audio.
            guard result.status != SYNTH_OK || record.isStopped || record.endWasAStop else { continue }
            guard record.isStopped || result.status != SYNTH_OK else {
                return .warning(
                    "The host stopped the request during a read, but the recognizer returned OK. After a read that returns 0, call progress, "
                        + "which returns false if the request was stopped.")
            }
            guard result.status == SYNTH_CANCELLED else {
                return .failed(
                    "After a read that returned 0 because the request was stopped, the recognizer returned \(result.words) instead of CANCELLED."
                )
            }
            try session.expectWhole(like: whole, "after a read that returned 0 and a call that returned false")
        }
        session.close()
        return .passed("It checks whether the request was stopped, and the next request completes normally.")
    }

    static func afterwards(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        var records: [RecognitionRecord] = []
        for stops in [false, true, false] {
            let record = RecognitionRecord(.three(session.rate), piece: session.rate / 50) { record, _ in
                !stops || record.framesRead < session.rate
            }
            _ = session.listen(record, session.request(wants: .everything))
            records.append(record)
            // Give the recognizer's threads time to make a stray call.
            var time = timespec(tv_sec: 0, tv_nsec: 100_000_000)
            nanosleep(&time, nil)
        }
        let strays = records.reduce(0) { $0 + $1.strayCalls }
        guard strays == 0 else {
            return .failed("It made \(strays) calls to the host after recognize had returned, or from another thread.")
        }
        session.close()
        return .passed("It makes no calls after recognize has returned.")
    }
}
