import CommandParts
import CommandSyntax
import Sentences
import SynthHost
import System
import Terminal

/// The line that says how far an engine is not confined here, when it is first used: once for each file. Those that came along with
/// synthhost are known.
struct UnconfinedNotice {
    let context: CommandContext
    let arguments: ParsedArguments
    let inventory: Inventory

    func show(of engine: SpeechEngine) {
        let host = inventory.host
        guard let warning = ConfinementState(host.limits).warning(of: engine.id), !arguments[Options.quiet],
            !arguments[Options.json],
            let path = inventory.listings.first(where: { $0.engine?.id == engine.id })?.path,
            !host.installation.plugins.contains(where: { path.hasPrefix($0 + "/") }),
            let identity = FileIdentity(path: path)
        else { return }
        let stamp = "\(host.folders.state)/unconfined-\(engine.id)"
        let file = Array(identity.numbers.map(String.init).joined(separator: " ").utf8)
        guard (try? readWholeFile(stamp, limit: 4096)) != file else { return }
        context.say(warning + " `synthhost doctor` says more.")
        makeFolder(of: stamp)
        try? replaceFile(stamp, with: file)
    }
}
