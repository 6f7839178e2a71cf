import CSynthEngine
public import EngineKit
import SynthParakeet

/// The recognizer's entry point; `nil` for an unsupported ABI version.
///
/// The entry point is in a separate target, because a program such as the test runner may link several recognizers but
/// can have only one entry point.
@c @implementation
public func synth_recognizer_entry(_ abi: UInt32, _ host: EngineHost?) -> RecognizerTable? {
    ParakeetRecognizer.table(abi: abi, host: host)
}
