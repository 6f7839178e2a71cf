import Glibc
import SynthCatalogue
import SynthModelStore
import SynthSystem

// Runs store operations in a separate process, so that tests can kill it; see ProbeProcess.

func say(_ words: String) {
    let line = Array((words + "\n").utf8)
    _ = write(1, line, line.count)
}

func stop(_ words: String, _ code: Int32 = 1) -> Never {
    say(words)
    exit(code)
}

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "pull" where arguments.count >= 7:
    // pull DEATH ROOT FETCH REGISTRY VOICE…: kills itself before file system call number DEATH, or never if DEATH is 0; prints
    // the number of calls. If DEATH is "-", behaves like synthhost.
    let files = DyingFiles(dyingAt: Int(arguments[2]) ?? 0, root: arguments[3])
    let program = FetchProgram(path: arguments[4])
    let fetcher: any Fetcher = arguments[2] == "-" ? program : LocalArchives(program: program, files: files)
    let registry: Registry
    do throws(RegistryError) {
        registry = try Registry(RegistryText.all(shipped: arguments[5], user: nil))
    } catch {
        stop("\(error)")
    }
    let retries = RetryPolicy(stall: 3600, attempts: 5, firstWait: 0.05, longestWait: 0.2)
    let store = ModelStore(
        root: arguments[3], fetcher: fetcher, network: NetworkPolicy(retries: retries), files: files)
    let voices = arguments[6...].compactMap { registry.voice(id: $0) }
    do throws(StoreError) {
        try await store.pull(voices)
    } catch {
        stop("\(error)")
    }
    say("\(files.calls)")
case "decode" where arguments.count >= 4:
    // decode REGISTRY TIMES: prints the time to read the entire registry, in microseconds.
    for _ in 0..<(Int(arguments[3]) ?? 1) {
        let start = ContinuousClock.now
        guard let registry = try? Registry(RegistryText.all(shipped: arguments[2], user: nil)) else {
            stop("not a registry")
        }
        say("\(registry.voices.count) voices, \((ContinuousClock.now - start) / .microseconds(1)) µs")
    }
case "find" where arguments.count >= 4:
    // find ROOT VOICE: prints the time in microseconds that the store needs to find a voice for a speech request.
    let store = ModelStore(root: arguments[2], fetcher: FetchProgram(path: "/nonexistent"))
    for _ in 0..<10 {
        let start = ContinuousClock.now
        let voice = store.installedVoice(id: arguments[3])
        say("\(voice?.files.count ?? -1) files, \((ContinuousClock.now - start) / .microseconds(1)) µs")
    }
default:
    stop("usage: StoreProbe pull|decode|find …", 64)
}
