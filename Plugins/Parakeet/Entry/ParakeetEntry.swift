import CSynthEngine
public import EngineKit
import SynthTransducers

// In a target of its own: one program, such as that of the tests, links the parts of several recognizers, but only one entry.
@c @implementation
public func synth_recognizer_entry(_ abi: UInt32, _ host: EngineHost?) -> RecognizerTable? {
    ParakeetRecognizer.table(abi: abi, host: host)
}
