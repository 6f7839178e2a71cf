public import CSynthEngine

/// The return type of `synth_recognizer_entry`.
public typealias RecognizerTable = UnsafePointer<synth_recognizer>

/// A speech recognizer. A shared object contains at most one recognizer and exports it like this:
///
///     import CSynthEngine
///     import EngineKit
///
///     @c @implementation
///     public func synth_recognizer_entry(_ abi: UInt32, _ host: EngineHost?) -> RecognizerTable? {
///         Count.table(abi: abi, host: host)
///     }
///
/// Link EngineKit statically: its global state contains the recognizer, so each plugin needs its own copy. The
/// same shared object may also export an `EnginePlugin`, which is a separate type.
public protocol RecognizerPlugin: SendableMetatype {
    associatedtype Model: ListeningModel

    /// The recognizer's description. Read once, when the shared object is loaded. Must not open files.
    static var description: RecognizerDescription { get }

    /// Returns the models that the recognizer itself declares, in display order. Called once, when the host first lists
    /// them. It should take only a few milliseconds. If it throws, the error is logged and the recognizer has no
    /// models.
    static func models() throws -> [RecognizerModel]

    /// Loads the model `files.model`. Several models may be loaded at once. Calls to `load` and `open` never overlap.
    static func load(_ files: ModelFiles) throws -> Model
}

extension RecognizerPlugin {
    /// Declares no models by default.
    public static func models() throws -> [RecognizerModel] { [] }
}

/// A loaded model, shared by its lanes.
public protocol ListeningModel: Sendable {
    associatedtype Lane: ListeningLane

    /// Opens a lane. This should be cheap. Other lanes of this model may be in use at the same time.
    func open() throws -> Lane
}

/// A lane, which transcribes one recording at a time; the lanes of a model run in parallel.
public protocol ListeningLane {
    /// Transcribes audio: reads from `sound` whenever it can process more, reports results to `hearing` and returns
    /// after the last final text. It may return before the end of the audio if no more text will follow. Audio without
    /// speech produces an empty final text.
    ///
    /// While it computes without reading, it must call `hearing.progress` or `hearing.check` at least every 100 ms, or run inside
    /// `hearing.interrupting`.
    ///
    /// If the request has been cancelled, the functions of `sound` and `hearing` throw `Stopped`. Do not catch this
    /// error. If `recognize` throws an `EngineError`, the user sees the error's message; for any other error, the user
    /// sees its description.
    mutating func recognize(
        _ request: RecognitionRequest, from sound: borrowing SoundInput, to hearing: borrowing RecognitionOutput
    ) throws
}

/// A request's audio: one channel at the recognizer's sample rate. Samples are from -1 to 1 and never NaN. The value
/// cannot outlive `recognize`, and all calls must be made on the thread that runs `recognize`.
///
/// All functions that wait for audio throw `Stopped` once the request has been cancelled.
public struct SoundInput: ~Copyable {
    private let state: RecognitionState

    init(_ state: RecognitionState) { self.state = state }

    /// The number of frames read so far, which is the position of the next frame.
    public var frame: UInt64 { state.frame }

    /// The number of frames that can be read without waiting.
    public var ready: Int { state.ready }

    /// Whether all of the audio has arrived, even if it has not been read yet; there is then no point in reporting
    /// partial texts. If the host does not report this, the value is false until the end of the audio.
    public var isComplete: Bool { state.isComplete }

    /// Waits for at least one frame and returns up to `most` frames; empty if the audio has ended.
    public func read(most: Int) throws -> [Float] {
        let most = max(most, 1)
        return try [Float](unsafeUninitializedCapacity: most) { buffer, count in
            count = try state.read(UnsafeMutableBufferPointer(rebasing: buffer[..<most]))
        }
    }

    /// Waits for at least one frame, copies as many as fit into `frames` and returns the number copied; 0 if the audio
    /// has ended or `frames` is empty.
    public func read(into frames: inout MutableSpan<Float>) throws -> Int {
        try frames.withUnsafeMutableBufferPointer { try state.read($0) }
    }

    /// Waits for exactly `count` frames. Returns fewer if the audio ends first, and none if it has already ended.
    /// Results computed from such blocks do not depend on the chunks in which the audio arrives.
    public func block(_ count: Int) throws -> [Float] {
        try [Float](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
            let block = UnsafeMutableBufferPointer(rebasing: buffer[..<max(count, 0)])
            while filled < block.count {
                let more = try state.read(UnsafeMutableBufferPointer(rebasing: block[filled...]))
                if more == 0 { return }
                filled += more
            }
        }
    }

    /// Waits for all remaining audio and returns it. `RecognizerDescription.longestSound` limits the length of the
    /// audio.
    public func rest() throws -> [Float] {
        var frames: [Float] = []
        while true {
            let more = try read(most: max(ready, 4096))
            if more.isEmpty { return frames }
            frames += more
        }
    }
}
