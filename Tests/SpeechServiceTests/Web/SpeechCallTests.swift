import SynthAudio
import SynthCatalogue
import SynthHost
import SynthHTTPServer
import SynthJSON
import Testing

@testable import SynthService
@testable import SynthWeb

@Suite("Speech requests over HTTP")
struct SpeechCallTests {
    private func call(_ body: String, longestText: Int = 1000) throws -> SpeechCall {
        guard let node = try? JSONReader.read(Array(body.utf8)) else { throw WebFailure.problem(.notJSON(line: 1)) }
        return try SpeechCall(node, longestText: longestText) {
            ["kokoro", "piper"]
        } engineOfModel: {
            $0 == "kokoro-v1.0" ? "kokoro" : nil
        }
    }

    @Test("The parameters that OpenAI's clients send are accepted")
    func openAI() throws {
        let call = try call(
            #"{"model":"tts-1","input":"Hi.","voice":"alloy","response_format":"opus","speed":1.5,"instructions":"warm"}"#
        )
        #expect(call.input == "Hi.")
        #expect(call.format == .file(.opus))
        #expect(call.voice == "alloy")
        #expect(call.model == nil)
        let order = call.order(VoiceQuery(name: "x"))
        #expect(order.rate == 1.5)
        #expect(order.usesProfile && !order.fallsBack)
    }

    @Test("The default response is a complete MP3, as in OpenAI's service")
    func defaults() throws {
        let call = try call(#"{"input":"Hi.","voice":null}"#)
        #expect(call.format == .file(.mp3))
        #expect(call.voice == nil && call.speed == nil)
        guard case .sound = call.form else { return #expect(Bool(false), "\(call.form)") }
    }

    @Test("Numbers may be sent as strings", arguments: ["1.25", "1.25e0"])
    func numbers(text: String) throws {
        let call = try call(#"{"input":"a","speed":"\#(text)","volume":"0.5","volume_multiplier":"0.25","pitch":null}"#)
        #expect(call.speed == 1.25 && call.volume == 0.5 && call.pitch == nil)
    }

    @Test("Engines and OpenAI's model names are accepted as models")
    func models() throws {
        for name in [
            "", "default", "tts-1", "openai/tts-1", "tts-1-hd", "tts-1-hd-1106", "gpt-4o-mini-tts",
            "gpt-4o-mini-tts-2025-12-15",
        ] {
            #expect(try call(#"{"input":"a","model":"\#(name)"}"#).model == nil, "\(name)")
        }
        for name in ["Kokoro", "kokoro-v1.0", "hexgrad/Kokoro-82M", "speaches-ai/Kokoro-82M-v1.0-ONNX"] {
            #expect(try call(#"{"input":"a","model":"\#(name)"}"#).model == "kokoro", "\(name)")
        }
        for name in ["tts-2", "whisper-1", "gpt-4o", "koko-v2", "kokoro/any"] {
            let problem = problem(#"{"input":"a","model":"\#(name)"}"#)
            #expect(problem?.status == .notFound && problem?.code == "unknown_model" && problem?.parameter == "model")
            guard case .unknownModel(name, known: ["kokoro", "piper"]) = problem else {
                Issue.record("\(name): \(String(describing: problem))")
                continue
            }
        }
    }

    @Test("The error names an unknown field, but harmless fields from other servers' APIs are ignored")
    func fields() throws {
        _ = try call(
            #"{"input":"a","instructions":"calm","user":"u","normalization_options":{"normalize":true},"tone":null}"#)
        for name in ["tone", "Speed", "inputs", "voice_id"] {
            let problem = problem(#"{"input":"a","\#(name)":1}"#)
            #expect(problem?.status == .badRequest && problem?.code == "unknown_parameter")
            #expect(problem?.parameter == name)
            guard case .unknownField(name, let known) = problem else {
                Issue.record("\(name): \(String(describing: problem))")
                continue
            }
            #expect(known.contains("input") && known.contains("speed") && !known.contains("instructions"))
        }
    }

    private func problem(_ body: String) -> WebProblem? {
        do {
            _ = try call(body)
        } catch {
            if case .problem(let problem) = WebFailure(error) { return problem }
        }
        return nil
    }

    @Test("A voice may be an object with an ID")
    func voiceObject() throws { #expect(try call(#"{"input":"a","voice":{"id":"v"}}"#).voice == "v") }

    @Test("Additional parameters for markup, pitch, volume, profile and word timings are accepted")
    func ours() throws {
        let call = try call(
            #"{"input":"<speak>a</speak>","input_format":"ssml","pitch":1.2,"volume_multiplier":0.5,"profile":false,"intonation":0.5,"whisper":true,"#
                + #""stream_format":"sse","timestamps":true,"lang":"de"}"#)
        #expect(call.markup == .ssml && call.language == "de")
        let order = call.order(VoiceQuery())
        #expect(order.intonation == 0.5)
        #expect(order.pitch == 1.2 && order.volume == 0.5 && !order.usesProfile && order.isWhispered == true)
        guard case .events(sendsWords: true) = call.form else { return #expect(Bool(false), "\(call.form)") }
    }

    @Test(
        "The error names an invalid member",
        arguments: [
            (#"{}"#, "missing_parameter", "input"), (#"{"input":5}"#, "invalid_parameter", "input"),
            (#"{"input":""}"#, "nothing_to_say", "input"), (#"{"input":" \n"}"#, "nothing_to_say", "input"),
            (#"{"input":"a","speed":0.2}"#, "invalid_parameter", "speed"),
            (#"{"input":"a","speed":"fast"}"#, "invalid_parameter", "speed"),
            (#"{"input":"a","speed":""}"#, "invalid_parameter", "speed"),
            (#"{"input":"a","speed":"0x1"}"#, "invalid_parameter", "speed"),
            (#"{"input":"a","speed":"nan"}"#, "invalid_parameter", "speed"),
            (#"{"input":"a","speed":"9"}"#, "invalid_parameter", "speed"),
            (#"{"input":"a","speed":"1 2"}"#, "invalid_parameter", "speed"),
            (#"{"input":"a","speed":[1]}"#, "invalid_parameter", "speed"),
            (#"{"input":"a","speed":true}"#, "invalid_parameter", "speed"),
            (#"{"input":"a","speed":1e999}"#, "invalid_parameter", "speed"),
            (#"{"input":"a","volume":-1}"#, "invalid_parameter", "volume"),
            (#"{"input":"a","response_format":"aac"}"#, "unsupported_format", "response_format"),
            (#"{"input":"a","stream_format":"ws"}"#, "invalid_parameter", "stream_format"),
            (#"{"input":"a","voice":{}}"#, "invalid_parameter", "voice"),
            (#"{"input":"a","timestamps":1}"#, "invalid_parameter", "timestamps"),
            (#"{"input":"abcdefghijk"}"#, "text_too_long", "input"),
        ])
    func wrong(_ body: String, _ code: String, _ parameter: String) {
        do {
            _ = try call(body, longestText: 10)
            Issue.record("The call was accepted: \(body)")
        } catch {
            guard case .problem(let problem) = WebFailure(error) else {
                Issue.record("\(body): \(error)")
                return
            }
            // A number outside the range of doubles is not accepted as JSON.
            if body.contains("1e999"), problem.code == "not_json" { return }
            #expect(problem.code == code && problem.parameter == parameter, "\(body): \(problem)")
        }
    }

    @Test(
        "Blends are accepted in Kokoro-FastAPI's notation",
        arguments: [
            ("af_bella(2)+af_sky(1)", "af_bella*2+af_sky*1"), ("af_bella(0.5)+af_sky", "af_bella*0.5+af_sky"),
            ("Heart (American)", "Heart (American)"),
            ("Heart (American)+Emma (British)", "Heart (American)+Emma (British)"),
            ("Heart*0.7+Emma*0.3", "Heart*0.7+Emma*0.3"), ("a+", "a+"),
        ])
    func blend(_ given: String, _ ours: String) { #expect(CallVoice.blend(given) == ours) }

    @Test("Base64 matches the examples in RFC 4648", arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar"])
    func base64(_ text: String) {
        let known = [
            "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=",
            "foobar": "Zm9vYmFy",
        ]
        #expect(Base64.text(of: Array(text.utf8)) == known[text])
    }
}
