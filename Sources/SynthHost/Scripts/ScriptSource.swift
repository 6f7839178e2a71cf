package import SpeechScript
package import System

/// Steps of a script that was read.
package final class ScriptSource: TextSource, @unchecked Sendable {
    package let byteCount: Int?
    package let file: RegularFile?
    /// The voices and languages that it asks for, each once, in the order in which they come.
    let roles: [ScriptRole]
    /// Used by the one thread that calls `next`.
    private var plan: ScriptPlan

    /// - Parameter file: that the document is from; nil = none.
    package init(_ script: SpokenScript, file: RegularFile? = nil) {
        byteCount = script.document.count
        self.file = file
        roles = ScriptRole.all(in: script.parts)
        plan = ScriptPlan(script.parts, of: script.document)
    }

    /// The text is there: nothing of it comes after a while.
    package func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) { plan.limits = .early }

    package func next() throws(SpeechFailure) -> ScriptStep? { plan.next() }

    /// `next` never blocks.
    package func stop() {}
}
