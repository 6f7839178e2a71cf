@testable import SynthWyoming
import SynthScript
import SynthSpeech
@testable import SynthSpeechDispatcher

/// The rules for messages from speech-dispatcher, which may arrive in chunks of any size.
enum ModuleChecks {
    static func violations(in bytes: [UInt8]) -> [String] {
        let whole = requests(bytes, by: max(1, bytes.count))
        var found = requests(bytes, by: 1) == whole ? [] : ["reading byte by byte has a different result than \(whole)"]
        var settings = ModuleSettings()
        for request in whole {
            switch request {
            case .set(let assignments), .audio(let assignments), .logLevel(let assignments):
                _ = assignments.apply { settings.set($0, $1) }
            case .say(let message): found += violations(of: message, settings)
            default: break
            }
        }
        let factors = [settings.rateFactor, settings.pitchFactor, settings.intonation, settings.volumeFactor]
        if !factors.allSatisfy({ (0...4).contains($0) }) { found.append("factors out of range: \(factors)") }
        return found
    }

    private static func requests(_ bytes: [UInt8], by step: Int) -> [ModuleRequest] {
        var (reader, requests) = (ModuleReader(), [ModuleRequest]())
        for start in stride(from: 0, to: bytes.count, by: step) {
            bytes[start..<min(start + step, bytes.count)].withUnsafeBytes { reader.append($0) }
            while let request = reader.next() { requests.append(request) }
        }
        return requests
    }

    private static func violations(of message: ModuleMessage, _ settings: ModuleSettings) -> [String] {
        var found: [String] = []
        for language in ["en", "de"] {
            for script in ModuleText.scripts(message, settings, in: language) {
                guard let parts = try? script.parts() else { continue }
                var size = 0
                for case .text(let text) in parts {
                    size += text.text.utf8.count
                    let place = text.source.sourceRange(of: 0..<text.text.utf8.count)
                    if place.lowerBound < 0 || place.upperBound > script.document.count { found.append("\(place)") }
                }
                // The longest name of a character has about 60 bytes.
                if size > 80 * (message.text.utf8.count + 4) { found.append("\(size) bytes to speak \(message)") }
            }
        }
        return found
    }
}

/// The rules for Wyoming events, which may arrive in chunks of any size.
enum EventChecks {
    private struct Events: Equatable {
        var events: [WyomingEvent] = []
        var isOver = false
    }

    static func violations(in bytes: [UInt8]) -> [String] {
        var found: [String] = []
        found += RequestChecks.violations(bytes) { pieces in
            var (reader, read) = (WyomingReader(longestData: 4096), Events())
            do {
                for piece in pieces {
                    reader.append(piece)
                    while let event = try reader.next() { read.events.append(event) }
                }
            } catch {
                read.isOver = true
            }
            for event in read.events { found += violations(of: event) }
            return read
        }
        return found
    }

    private static func violations(of event: WyomingEvent) -> [String] {
        var reader = WyomingReader(longestData: 1 << 20)
        reader.append(event.bytes)
        guard let again = try? reader.next() else { return ["\(event) cannot be read again"] }
        return again.bytes == event.bytes ? [] : ["\(event) became \(again)"]
    }
}
