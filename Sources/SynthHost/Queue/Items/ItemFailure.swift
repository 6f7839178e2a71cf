/// Why an item of a queue cannot be heard.
package enum ItemFailure: Error, Sendable {
    case failure(SpeechFailure)
    /// From the host that found the voice.
    case error(SpeechError)

    var error: SpeechError {
        switch self {
        case .failure(let failure): SpeechError(failure)
        case .error(let error): error
        }
    }
}
