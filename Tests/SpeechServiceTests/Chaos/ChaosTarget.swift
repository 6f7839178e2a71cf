import Testing
import TestSupport

/// The front ends under test.
enum ChaosTarget: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case wyoming = "serve, over Wyoming"
    case web = "serve, over HTTP"
    case speak = "speak, on a device"
    case resident = "speak, on a device, through serve"
    case module = "the module of speech-dispatcher"

    var testDescription: String { rawValue }

    func open(in home: UserHome) throws -> any ChaosFrontEnd {
        switch self {
        case .wyoming: try ChaosWyoming(home)
        case .web: try ChaosWeb(home)
        case .speak: ChaosSpeak(home)
        case .resident: try ChaosResident(home)
        case .module: try ChaosModule(home)
        }
    }
}
