import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// A plugin with a loaded model and an open lane.
protocol Trial: AnyObject {
    associatedtype Tested: Plugin
    associatedtype Request: SerialRequest
    associatedtype Record: CallRecord

    var subject: Subject { get }
    var plugin: Tested { get }
    var model: ProbedModel<Tested.Table> { get }
    var lane: ProbedLane<Tested.Table> { get }

    /// - Parameter plugin: the plugin, loaded once per process.
    init(_ subject: Subject, _ plugin: Tested) throws

    /// Speaks a sentence or transcribes audio. Throws if that fails.
    ///
    /// - Parameter why: the text that follows the name of the task in an error message, such as " after an unknown
    ///   voice".
    func whole(_ why: String) throws -> CallResult<Record>

    /// Returns a request for all results that the plugin can report, with the next serial number.
    func fullRequest() -> Request

    /// Runs a request.
    ///
    /// - Parameter answer: returns the host's response to a call. false stops the plugin.
    func run(_ request: Request, answer: @escaping (Record, Record.Call) -> Bool) -> CallResult<Record>

    /// The duration of the audio that the plugin has produced or read.
    func seconds(of record: Record) -> Double

    /// Checks that the next request completes normally and is unaffected by earlier ones.
    func expectWhole(like whole: Record, _ when: String) throws
}

extension Trial {
    init(_ subject: Subject) throws { try self.init(subject, try Tested(subject)) }

    func work(_ why: String = "") throws { _ = try whole(why) }

    func close() {
        lane.close()
        model.unload()
    }
}

/// A request with the serial number by which it can be cancelled.
protocol SerialRequest: Sendable {
    var serial: UInt64 { get }
}

extension LaneRequest: SerialRequest {}
extension RecognitionJob: SerialRequest {}

/// The calls that a plugin makes to the host during a request.
protocol CallRecord: AnyObject {
    /// The functions of the host, with their names in the header.
    associatedtype Call: RawRepresentable<String>

    var calls: Int { get }
    var callsAfterStop: Int { get }
    var isStopped: Bool { get }
}

/// The result of a request.
struct CallResult<Record> {
    var status: synth_status
    /// The status and the message as text for a finding.
    var words: String
    var message: String
    var record: Record
    var start: ContinuousClock.Instant
    var end: ContinuousClock.Instant

    /// - Parameter call: runs the request.
    init(_ record: Record, _ call: (borrowing ErrorProbe) -> synth_status) {
        let error = ErrorProbe()
        self.record = record
        start = .now
        status = call(error)
        end = .now
        words = error.words(status)
        message = error.message ?? ""
    }
}
