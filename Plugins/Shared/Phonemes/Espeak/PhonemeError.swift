/// Why a text cannot be turned into phonemes.
package enum PhonemeError: Error, Equatable, CustomStringConvertible {
    /// libespeak-ng does not start, mostly because its data is not installed.
    case espeakMissing
    case unknownVoice(String)
    /// A voice's map lacks one of the symbols that every sequence needs.
    case missingSymbol(String)

    /// What happened, and what to do.
    package var description: String {
        switch self {
        case .espeakMissing: "espeak-ng does not start. Install its data: apt-get install espeak-ng-data."
        case .unknownVoice(let name): "espeak-ng has no voice “\(name)”. Install a newer espeak-ng."
        case .missingSymbol(let symbol): "The map of phonemes has no “\(symbol)”."
        }
    }
}
