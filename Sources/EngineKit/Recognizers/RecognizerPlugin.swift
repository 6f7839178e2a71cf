public import CSynthEngine

/// What `synth_recognizer_entry` returns.
public typealias RecognizerTable = UnsafePointer<synth_recognizer>

/// A recognizer of speech. A shared object holds one at most, and exports it so:
///
///     import CSynthEngine
///     import EngineKit
///
///     @c @implementation
///     public func synth_recognizer_entry(_ abi: UInt32, _ host: EngineHost?) -> RecognizerTable? {
///         Count.table(abi: abi, host: host)
///     }
///
/// Link EngineKit statically: each plugin needs its own copy of EngineKit, which stores that recognizer. The same shared
/// object may export an `EnginePlugin`, a type of its own, beside it.
public protocol RecognizerPlugin: SendableMetatype {
    associatedtype Model: ListeningModel

    /// Read once, when the shared object is loaded. Must not open a file.
    static var description: RecognizerDescription { get }

    /// The models that are known without the registry, in display order. Called once, when the host first lists them;
    /// should take a few milliseconds. If it throws, the error is logged and the recognizer has no models.
    static func models() throws -> [RecognizerModel]

    /// Reads the weights of the model that `files.model` names. Several models may be loaded. Never runs at the same time as
    /// another `load` or `open`.
    static func load(_ files: ModelFiles) throws -> Model
}

extension RecognizerPlugin {
    public static func models() throws -> [RecognizerModel] { [] }
}

/// Loaded weights, shared by the lanes that listen with them.
public protocol ListeningModel: Sendable {
    associatedtype Lane: ListeningLane

    /// Opens a lane. Should be cheap. Other lanes of this model may be listening at the same time.
    func open() throws -> Lane
}

/// One caller that listens. It understands one sound at a time; lanes of one model listen side by side.
public protocol ListeningLane {
    /// Understands one sound: reads it from `sound` as it is ready for more, tells `hearing` what it understands, and returns
    /// after the last final text. It may return before the sound has ended if it knows that nothing more will come of it. If
    /// nothing was said, it tells an empty final text.
    ///
    /// While it computes and reads nothing, it calls `progress` or `check` of `hearing` at least every 100 ms, or computes in
    /// `interrupting`.
    ///
    /// If the request is to stop, the calls of `sound` and `hearing` throw `Stopped`: do not catch it. The user sees the
    /// message of an `EngineError`, or the description of any other error.
    mutating func recognize(
        _ request: RecognitionRequest, from sound: borrowing SoundInput, to hearing: borrowing Hearing
    ) throws
}

/// The sound of a request: one channel at the recognizer's rate, -1 … 1, never NaN. It cannot outlive `recognize`; all calls
/// must come from the thread that `recognize` runs on.
///
/// Every call that waits for sound throws `Stopped` once the request is to stop.
public struct SoundInput: ~Copyable {
    private let state: RecognitionState

    init(_ state: RecognitionState) { self.state = state }

    /// Frames read so far, which is the position of the next frame.
    public var frame: UInt64 { state.frame }

    /// How many frames can be read without waiting.
    public var ready: Int { state.ready }

    /// Whether all of the sound has come, read or not: then a partial text is not worth its time. A host may not know.
    public var isComplete: Bool { state.isComplete }

    /// Waits for at least one frame, and returns at most `most` of them. Empty = the sound has ended.
    public func read(most: Int) throws -> [Float] {
        let most = max(most, 1)
        return try [Float](unsafeUninitializedCapacity: most) { buffer, count in
            count = try state.read(UnsafeMutableBufferPointer(rebasing: buffer[..<most]))
        }
    }

    /// Waits for at least one frame, copies as many as fit to the beginning of `frames`, and returns how many. 0 = the sound has
    /// ended, or `frames` is empty.
    public func read(into frames: inout MutableSpan<Float>) throws -> Int {
        try frames.withUnsafeMutableBufferPointer { try state.read($0) }
    }

    /// Waits for exactly `count` frames; fewer if the sound ends before, none if it has ended. What a recognizer computes from
    /// such blocks does not depend on the pieces in which the sound comes.
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

    /// Waits for all that is left of the sound. `RecognizerDescription.longestSound` keeps it short.
    public func rest() throws -> [Float] {
        var frames: [Float] = []
        while true {
            let more = try read(most: max(ready, 4096))
            if more.isEmpty { return frames }
            frames += more
        }
    }
}
