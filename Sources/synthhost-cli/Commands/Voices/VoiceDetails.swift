import SynthCatalogue
import SynthHost
import SynthCommandSyntax
import SynthSystem
import SynthTerminal

/// The details of one voice, as text.
struct VoiceDetails {
    let voice: Voice
    let library: VoiceLibrary

    /// Keeps a number and its name on one line.
    private static let joint = "\u{A0}"

    /// - Parameter width: the column at which to wrap long values.
    func text(width: Int) -> String {
        let rows = rows
        let column = (rows.map { DisplayWidth.columns($0.label) }.max() ?? 0) + 4
        var lines = [CleanText.line(voice.title)]
        for (label, value) in rows {
            let wrapped = DisplayWidth.wrap(CleanText.line(value), to: max(20, width - column))
            for (position, line) in wrapped.enumerated() {
                let line = line.replacing(Self.joint, with: " ")
                lines.append(DisplayWidth.pad(position == 0 ? "  " + label : "", to: column) + line)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var rows: [(label: String, value: String)] {
        let (size, words) = (VoiceLine.size(of: voice, library), library.stateWords(of: voice))
        let canSpeak = library.state(of: voice) == .ready
        // Show the sample command even if the voice is not downloaded, because the command offers to download it.
        let canBeHeard = if case .unusable = library.state(of: voice) { false } else { true }
        let state = voice.unsupported.map { "\(words): \($0)" } ?? words
        let rows: [(String, String?)] = [
            ("id", voice.id), ("engine", voice.engine), ("language", voice.language),
            ("gender", voice.gender?.rawValue), ("quality", VoiceLine.quality(voice)), ("license", voice.license),
            ("also called", voice.aliases.isEmpty ? nil : voice.aliases.joined(separator: ", ")),
            ("state", size.map { "\(state), \($0)" } ?? state), ("speakers", speakers),
            ("model", canSpeak ? model : nil),
            ("loudness", canSpeak ? loudness : nil),
            ("profile", profile), ("listed", listed),
            ("sample", canBeHeard ? sample : nil),
        ]
        return rows.compactMap { label, value in value.map { (label: label, value: $0) } }
    }

    /// The engine's note about the model, such as whether the model runs in a faster variant. Loads the model.
    private var model: String? {
        switch library.inventory.loading(of: voice) {
        case .success(let lines): lines.isEmpty ? nil : lines.joined(separator: " ")
        case .failure(let failure): CommandFailure(failure).message
        case nil: nil
        }
    }

    private var loudness: String? {
        let inventory = library.inventory
        return LoudnessWords.of(
            inventory.loudness(of: voice), gain: inventory.gain(of: voice),
            isToBeMeasured: inventory.loudnessMeasurement(of: voice) != nil)
    }

    /// The speakers with their numbers.
    private var speakers: String? {
        guard voice.speakers.count > 1 else { return nil }
        return voice.speakers.enumerated().map { "\($0)\(Self.joint)\($1)" }.joined(separator: ", ")
    }

    /// The profile, such as "rate 1.1, volume 0.5", or nil if there is none.
    private var profile: String? {
        let profile = library.marks.profile(of: voice)
        let factors = [
            ("rate", profile.rate), ("pitch", profile.pitch), ("volume", profile.volume), ("pause", profile.pause),
        ].compactMap { name, factor in factor.map { "\(name)\(Self.joint)\($0)" } }
        return factors.isEmpty ? nil : factors.joined(separator: ", ")
    }

    private var listed: String? {
        if library.marks.hidden.contains(voice) { return "no, hidden" }
        return library.marks.favorites.contains(voice) ? "first, as a favorite" : nil
    }

    private var sample: String {
        let speaker = voice.speakers.count > 1 ? voice.speakers.last.map { " --speaker \(ShellWord.quoted($0))" } : nil
        return "synthhost speak -v \(ShellWord.quoted(library.word(for: voice)))\(speaker ?? "") \"Hello\""
    }
}
