import Glibc
import SynthAudio
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

extension Reader {
    /// Writes the remaining text to an audio file while playback continues.
    func save(to path: String, from place: ReadPosition) {
        guard let text = state.text, let session, let settings else {
            return take(.note(localized("The voice is not loaded yet.")))
        }
        guard text.isWhole else { return take(.note(localized("The text is still being loaded. Try again."))) }
        let sink: any AudioSink
        do {
            if let other = UnsupportedFormat(path: path) { throw other.failure(words: []) }
            if RegularFile(path: path) != nil {
                // Show only the file name, because a long path would push the rest of the message off the screen.
                let name = path.split(separator: "/").last.map(String.init) ?? path
                throw CommandFailure(
                    .cannotWriteOutput, localized("\(name) already exists. Type a different name."))
            }
            try OutputPath.check(path, sparing: context.inUse)
            let options = SoundFileOptions(
                try SoundFileFormat.of(path: path, asked: nil), quality: SoundFileOptions.usualQuality,
                tags: try SoundFileTags(title: text.title, author: nil))
            sink = try options.sink(path: path, sparing: context.inUse)
        } catch {
            return take(.note(words(error)))
        }
        let tempo = state.tempo
        let speech: Speech
        do {
            let script = text.rest(from: place)
            let other = session.sibling()
            speech = other.speak(try ScriptSource(script)) { session in
                var settings = settings.settings(of: session.voice, isMain: session === other)
                settings.rate = min(max(settings.rate * tempo, 0.25), 4)
                return settings
            }
            saving = speech
            take(.saving(0))
            let total = max(1, script.document.count)
            let isOver = Monitor(false)
            savingIsOver = isOver
            let isSaving = startThread("saving") { [mailbox, localized] in
                defer { isOver.update { $0 = true } }
                let words: String
                do {
                    let summary = try speech.deliver(to: sink) { status in
                        guard case .reached(let bytes, _) = status else { return }
                        mailbox.send(.event(.saving(min(99, 100 * bytes / total))))
                    }
                    words = localized(
                        summary.wasCancelled
                            ? "Saving was stopped; the audio saved so far is kept."
                            : "The remaining text was saved in \(path).")
                } catch {
                    words = CommandFailure(error).message ?? localized("The remaining text was not saved.")
                }
                mailbox.send(.event(.saving(nil)))
                mailbox.send(.event(.note(words)))
            }
            if !isSaving {
                savingIsOver = nil
                speech.cancel()
                take(.saving(nil))
                throw SpeechError.noThread
            }
        } catch {
            take(.note(words(error)))
        }
    }
}
