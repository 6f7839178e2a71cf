@testable import SynthSpeechDispatcher

extension ModuleSettings {
    /// Applies settings in order.
    ///
    /// - Returns: The names of the rejected settings.
    mutating func apply(_ settings: KeyValuePairs<String, String>) -> [String] {
        var refused: [String] = []
        for (name, value) in settings where !set(name, value) { refused.append(name) }
        return refused
    }

    init(_ settings: KeyValuePairs<String, String>) {
        self.init()
        _ = apply(settings)
    }
}
