import SpeechServices

extension ModuleOptions.Mistake.Reason {
    /// What is wrong with a line, which is passed over.
    var sentence: String {
        switch self {
        case .unknownKey(let key): "there is no option \"\(key)\"."
        case .badValue(let key, let value): "\(key) cannot be \"\(value)\"."
        }
    }
}
