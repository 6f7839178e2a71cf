import SynthAudio
import SynthCatalogue
import SynthCommandSyntax
import SynthEngineWire
import SynthHost
import SynthTerminal

/// `synthhost doctor`: checks whether `speak` works, and explains how to fix problems.
struct DoctorCommand: Command {
    let context: CommandContext

    func run() throws {
        let findings = self.findings()
        let broken = Set(findings.filter { $0.state == .bad }.map(\.subject))
        let wouldSpeak = broken.isEmpty
        if arguments[Options.json] {
            try context.print(json: findings)
        } else {
            for line in findings.flatMap(\.lines) { try context.print(line) }
            try context.print(
                wouldSpeak
                    ? "`synthhost speak` works."
                    : broken == ["sound"]
                        ? "`synthhost speak` works only with -o FILE." : "`synthhost speak` does not work.")
        }
        if !wouldSpeak {
            let isConfiguration = findings.last.map { $0.state == .bad && $0.subject == "configuration" } ?? false
            throw CommandFailure(isConfiguration ? .configuration : .failure, nil)
        }
    }

    private func findings() -> [DoctorFinding] {
        var findings = [DoctorFinding(.good, "synthhost", context.version)]
        let path = context.configurationFile.path
        let configuration: Configuration
        do {
            configuration = try context.configuration()
            findings.append(DoctorFinding(.good, "configuration", path))
        } catch {
            return findings + [DoctorFinding(.bad, "configuration", CommandFailure(error))]
        }
        let host: SpeechHost
        do {
            host = try context.host(configuration)
            findings.append(DoctorFinding(.good, "worker", host.snapshot().host.installation.worker))
        } catch {
            return findings + [DoctorFinding(.bad, "worker", CommandFailure(error))]
        }
        // Start the engines, because an engine may not work even though its file exists.
        let inventory = host.snapshot(.anew)
        let listings = inventory.listings
        findings += listings.map(finding)
        findings += listings.compactMap(\.requests).flatMap(self.requests)
        findings += host.snapshot().recognizerListings.compactMap(\.requests).flatMap(self.requests)
        if let problem = inventory.host.permissionsProblem {
            findings.append(
                DoctorFinding(
                    .note, "engine", problem.message, remedy: PermissionChange.remedy(inventory.host.permissionsPath)))
        }
        findings.append(DoctorFinding(ConfinementState(configuration.limits)))
        findings.append(registry(inventory))
        findings += DoctorFinding.strayNames(configuration, inventory)
        findings += DoctorFinding.missingClips(configuration, context.configurationFile)
        findings.append(voice(inventory))
        findings += inventory.installedModels().flatMap(self.findings)
        // Starting the engines may have filled the disk.
        if let problem = inventory.host.cacheProblem {
            findings.append(DoctorFinding(.note, "cache", problem))
        }
        findings.append(device(configuration.device ?? "default"))
        findings += listening(inventory)
        findings += LibraryFindings.all + [LibraryFindings.recordings(inventory.host.media)]
        return findings
    }

    private func finding(_ plugin: EngineListing) -> DoctorFinding {
        switch plugin.verdict {
        case .usable(let engine):
            return DoctorFinding(.good, "engine", "\(engine.id) \(engine.version), \(plugin.path)")
        case .shadowed(let engine, let owner):
            return DoctorFinding(
                .note, "engine",
                "\(plugin.path) is not used: \(owner) also has the ID \(engine.id) and takes precedence")
        case .unusable(let failure):
            return DoctorFinding(.note, "engine", failure)
        }
    }

    /// Findings about the requests of an engine or recognizer. Allowed requests have no remedy.
    private func requests(_ plugin: PluginRequests) -> [DoctorFinding] {
        plugin.needs.map { need in
            DoctorFinding(
                need.isAllowed ? .good : .note, "engine", "\(plugin.id) requests \(need.words)",
                remedy: need.isAllowed ? nil : plugin.allowRemedy)
        }
            + plugin.variables.filter { $0.isAllowed || $0.isWithheld }.map { variable in
                DoctorFinding(
                    variable.isAllowed ? .good : .note, "engine", "\(plugin.id) requests \(variable.words)",
                    remedy: variable.isAllowed ? nil : plugin.remedy(for: variable))
            }
    }

    /// Checks the registry. Without it, installed voices still work, but lists and downloads do not.
    private func registry(_ inventory: HostSnapshot) -> DoctorFinding {
        do {
            let parts = try inventory.registry().parts
            let words = parts.map { "\($0.origin) (voices: \($0.voiceCount))" }
            return DoctorFinding(.good, "registry", words.isEmpty ? "none" : words.joined(separator: ", "))
        } catch {
            return DoctorFinding(.note, "registry", error)
        }
    }

    /// Tries to load the voice that `speak` would use.
    private func voice(_ inventory: HostSnapshot) -> DoctorFinding {
        do {
            let choice = try inventory.choose(inventory.completed(VoiceQuery()))
            try inventory.session(choice).load()
            return DoctorFinding(.good, "voice", "\(choice.title) from \(choice.voice.engine)")
        } catch {
            return DoctorFinding(.bad, "voice", CommandFailure(error))
        }
    }

    /// The engine's notes about a model, or why the model cannot be loaded. Only the default voice affects
    /// `speak`.
    private func findings(_ model: InstalledModel) -> [DoctorFinding] {
        let others = model.voices.count - 1
        let title = (model.voices.first?.title ?? model.engine) + (others > 0 ? " and \(others) more" : "")
        switch model.loading {
        case .success(let lines):
            return lines.map { DoctorFinding(.good, "model", "\(title) from \(model.engine): \($0)") }
        case .failure(let failure):
            return [DoctorFinding(.note, "model", CommandFailure(failure))]
        }
    }

    /// Checks the recognizers, the chosen model and the microphone. Returns no findings if no recognizer is installed,
    /// because `speak` works without one.
    private func listening(_ inventory: HostSnapshot) -> [DoctorFinding] {
        var findings: [DoctorFinding] = inventory.recognizerListings.map { listing in
            switch listing.verdict {
            case .success(let recognizer):
                DoctorFinding(.good, "recognizer", "\(recognizer.id) \(recognizer.version), \(listing.path)")
            case .failure(let failure): DoctorFinding(.note, "recognizer", failure)
            }
        }
        guard !findings.isEmpty else { return [] }
        do {
            let choice = try inventory.chosenRecognizer()
            findings.append(
                DoctorFinding(.good, "recognizer", "\(choice.model.name) from \(choice.recognizerID) is ready"))
        } catch {
            findings.append(DoctorFinding(.note, "recognizer", CommandFailure(error)))
        }
        do {
            try context.devices.probeMicrophone("default")
            findings.append(DoctorFinding(.good, "microphone", "the device \"default\" can be opened"))
        } catch {
            findings.append(DoctorFinding(.note, "microphone", SpeechError(microphone: error)))
        }
        return findings
    }

    private func device(_ name: String) -> DoctorFinding {
        do {
            try context.devices.probe(name)
            return DoctorFinding(.good, "sound", "the device \"\(name)\" can be opened")
        } catch {
            return DoctorFinding(.bad, "sound", error)
        }
    }
}
