import Glibc
import SynthEngineProcesses
import SynthEngineWire

// Measures a lane of a real engine in a real worker, for Scripts/measure/measure-lane:
// LaneProbe cancel|memory ROUNDS WORKER ENGINE.so FOLDER ROLE=FILE…
// FOLDER must be empty. Logs and the engine's cache are written to it.

struct Usage: Error, CustomStringConvertible {
    let description = "LaneProbe cancel|memory ROUNDS WORKER ENGINE.so FOLDER ROLE=FILE…"
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count > 5, let rounds = Int(arguments[2]) else { throw Usage() }
let folder = arguments[5]
let program = WorkerProgram(path: arguments[3], logFolder: folder + "/logs")
let files = arguments[6...].map { argument -> HandedFile in
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    return HandedFile(role: parts.first ?? "", path: parts.last ?? "")
}
let description = try EngineFile(path: arguments[4]).describe(by: program)
let engine = Engine(file: arguments[4], description: description, program: program)
let cache = folder + "/cache"
mkdir(cache, 0o700)
let lane = try engine.openLane(on: LoadRequest(id: "measured", cacheDirectory: cache, files: files))

switch arguments[1] {
case "cancel": try measureCancel(lane, rounds)
case "memory": try measureMemory(lane, rounds)
default: throw Usage()
}
