import EngineLoading
import EngineWire
import System

/// What the worker hosts.
enum LoadedPlugin: Sendable {
    case engine(LoadedTable)
    case recognizer(LoadedRecognizer)

    init(_ file: TrustedFile, as kind: PluginKind) throws(Refusal) {
        let library = try EngineLibrary(file, as: kind)
        switch kind {
        case .engine: self = .engine(try LoadedTable(library, log: { Control.log($0, $1) }))
        case .recognizer: self = .recognizer(try LoadedRecognizer(library, log: { Control.log($0, $1) }))
        }
    }

    var functions: PluginFunctions {
        switch self {
        case .engine(let table): table.functions
        case .recognizer(let table): table.functions
        }
    }

    /// Its description, encoded.
    func description() throws(Refusal) -> [UInt8] {
        switch self {
        case .engine(let table): try DescriptionReader(table: table).read().frameBytes
        case .recognizer(let table): try RecognizerReader(table: table).read().frameBytes
        }
    }

    /// What a lane does with a frame of the host: the frames of its answer go to the lane's socket.
    func answer(_ frame: [UInt8], on lane: Lane) throws {
        switch self {
        case .engine(let table):
            try lane.socket.send(lane.speak(try LaneRequest(frameBytes: frame[...]), by: table).frameBytes)
        case .recognizer(let table):
            // What is left of the sound of an earlier request is dropped.
            guard case .begin(let request) = try HearingInput(frameBytes: frame[...]) else { return }
            try lane.socket.send(lane.hear(request, by: table).frameBytes)
        }
    }
}
