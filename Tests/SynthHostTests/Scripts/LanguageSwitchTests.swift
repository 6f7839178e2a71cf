import SynthAudio
import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthHostTesting
import SynthScript
import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Words in other languages")
struct LanguageSwitchTests {
    private let english = TestEngine(framesPerByte: 10)
    private let russian = TestEngine(framesPerByte: 10)

    private func voice(_ language: String) throws -> SpeechVoice {
        let declared = DeclaredVoice(id: language, name: language, language: language)
        return SpeechVoice(
            VoiceChoice(voice: try Voice(declared, by: "test")), state: .ready, VoiceMarks(Configuration()))
    }

    private func session(
        _ language: String, _ configuration: Configuration = Configuration(), lanes: UInt32 = 2,
        open: @escaping @Sendable () throws(EngineFailure) -> any SpeakingLane,
        find: @escaping ScriptCast.Find = ScriptCast.noOther
    ) throws -> SpeechSession {
        SpeechSession(
            try voice(language),
            SpeechSession.Source(
                engine: EngineDescription(
                    id: "test", name: "Test engine", version: "1", license: "Apache-2.0",
                    capabilities: [.wordTimes, .streams], maxLanes: lanes),
                voice: PreparedVoice(
                    load: LoadRequest(id: language), uses: [VoiceUse(id: language)], gain: Gain(factor: 1)),
                presets: configuration, openLane: { _ throws(EngineFailure) in try open() }
            ) { $0.findVoice = find })
    }

    /// A session for English text, with a Russian voice available.
    private func session(
        _ configuration: Configuration = Configuration(),
        open: (@Sendable () throws(EngineFailure) -> any SpeakingLane)? = nil
    ) throws -> SpeechSession {
        let other = try session("ru", open: open ?? { [russian] in russian.makeLane() })
        return try session("en", configuration, open: { [english] in english.makeLane() }) { asked, _ in
            asked.language == "ru" ? other : nil
        }
    }

    private func hear(_ speech: Speech) async throws -> [Range<Int>] {
        var sentences: [Range<Int>] = []
        for try await part in speech { if case .sentence(let event) = part { sentences.append(event.source) } }
        return sentences
    }

    @Test("A voice for the words' language speaks them where they occur in plain text, scripts and streamed text")
    func plain() async throws {
        let session = try session()
        let text = "The word Москва means Moscow. Да!"
        #expect(try await hear(session.speak(text)) == [0..<8, 9..<21, 22..<35, 36..<41])
        #expect(english.spoken == ["The word", "means Moscow."])
        #expect(russian.spoken == ["Москва", "Да!"])

        _ = try await hear(session.speak("<speak>One <lang xml:lang=\"ru\">дом</lang> or мир.</speak>", as: .ssml))
        #expect(english.spoken.suffix(2) == ["One", "or"])
        #expect(russian.spoken.suffix(2) == ["дом", "мир."])

        let (pieces, writer) = AsyncStream<String>.makeStream()
        for piece in ["A ми", "р. ", "B."] { writer.yield(piece) }
        writer.finish()
        _ = try await hear(session.speak(stream: pieces))
        #expect(english.spoken.suffix(2) == ["A", "B."])
        #expect(russian.spoken.last == "мир.")
    }

    @Test("The text's voice speaks all words if the user or the program requests it")
    func kept() async throws {
        var configuration = Configuration()
        configuration.keepVoice = true
        _ = try await hear(try session(configuration).speak("Say Москва."))
        _ = try await hear(try session().speak("Say Москва.", SpeechOptions(keepsVoice: true)))
        _ = try await hear(
            try session(configuration).speak("<speak>Say <lang xml:lang=\"ru\">Москва</lang>.</speak>", as: .ssml))
        #expect(english.spoken == ["Say Москва.", "Say Москва.", "Say", "Москва", "."])
        _ = try await hear(try session(configuration).speak("Say Москва.", SpeechOptions(keepsVoice: false)))
        #expect(russian.spoken == ["Москва."])
    }

    @Test("If the other voice cannot be loaded, this is attempted only once, and the text's voice speaks all words")
    func broken() async throws {
        let attempts = Monitor(0)
        let session = try session { () throws(EngineFailure) in
            attempts.update { $0 += 1 }
            throw EngineFailure(engine: "test", reason: .crashed(signal: 11, .loading))
        }
        _ = try await hear(session.speak("Say Москва or мир."))
        #expect(english.spoken == ["Say Москва or мир."])
        #expect(russian.spoken == [])
        #expect(attempts.read { $0 } == 1)
    }

    @Test("The text's voice resumes after words in a different language, even if it has only one lane")
    func oneLane() async throws {
        let other = try session("ru", lanes: 1, open: { [russian] in russian.makeLane() })
        let session = try session("en", lanes: 1, open: { [english] in english.makeLane() }) { asked, _ in
            asked.language == "ru" ? other : nil
        }
        _ = try await hear(
            session.speak("<speak>One. <s xml:lang=\"ru\">Дом is a house here.</s></speak>", as: .ssml))
        #expect(russian.spoken == ["Дом"])
        #expect(english.spoken == ["One.", "is a house here."])
    }
}
