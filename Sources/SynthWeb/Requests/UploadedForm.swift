import SynthHTTPServer
import SynthService
import SynthSystem

/// A form that is parsed as it arrives. The form consists of short fields and one upload, which is stored in an unnamed
/// file until this object is released. Not thread-safe.
final class UploadedForm {
    private enum State {
        case none
        case field(String, [UInt8])
        case file
    }
    private var reader: MultipartReader
    private var state = State.none
    private let fields: FormFields
    private let limits: ServiceLimits
    private let budget: Budget
    /// The fields, in order.
    private var texts: [(name: String, text: String)] = []
    /// The uploaded file, or nil if the form's file field has not been received yet.
    private(set) var file: Descriptor?
    private(set) var fileBytes = 0
    /// The first problem, or nil if there is none. After the first problem, the remaining form data is ignored.
    private(set) var problem: WebProblem?

    /// The maximum size of a field in bytes.
    private static let longestField = 16 << 10
    /// The maximum total size of all fields in bytes.
    private static let maximumFieldBytes = 128 << 10
    private var fieldBytes = 0

    init(
        _ head: HTTPRequestHead, _ fields: FormFields, _ limits: ServiceLimits, _ budget: Budget
    ) throws {
        self.fields = fields
        self.limits = limits
        self.budget = budget
        reader = try MultipartReader(contentType: head.headers["content-type"])
    }

    deinit { dropFile() }

    /// Deletes the file before this object is released, to free disk space early.
    func dropFile() {
        file = nil
        budget.release(fileBytes)
        fileBytes = 0
    }

    /// Parses a chunk of the body. Returns false if there is a problem.
    func take(_ bytes: [UInt8]) -> Bool {
        if problem == nil {
            reader.append(bytes)
            do { try read() } catch {
                if case .problem(let found) = WebFailure(error) { problem = found }
                dropFile()
            }
        }
        return problem == nil
    }

    /// Call this method at the end of the body. Throws if the form is incomplete.
    func finish() throws {
        if let problem { throw WebFailure.problem(problem) }
        try reader.finish()
    }

    private func read() throws {
        while let event = try reader.next() {
            switch event {
            case .part(let name) where name == fields.file:
                guard file == nil else { throw WebFailure.problem(.form(.formRepeated)) }
                state = .file
                file = try rethrowing(Descriptor.unnamed(in: limits.spoolFolder), as: Self.notKept)
            case .part(let name):
                guard fields.knows(name) else { throw WebFailure.problem(.unknownField(name, known: fields.known)) }
                state = .field(name, [])
            case .bytes(let bytes): try add(bytes)
            case .partEnds:
                if case .field(let name, let bytes) = state {
                    guard let text = String(validating: bytes, as: UTF8.self) else {
                        throw WebFailure.problem(.invalid(name, .text))
                    }
                    texts.append((name, text))
                }
                state = .none
            case .end: break
            }
        }
    }

    private func add(_ bytes: [UInt8]) throws {
        switch state {
        case .field(let name, let text):
            fieldBytes += bytes.count
            guard text.count + bytes.count <= Self.longestField, fieldBytes <= Self.maximumFieldBytes else {
                throw WebFailure.problem(.form(.formFieldTooLong))
            }
            state = .field(name, text + bytes)
        case .file:
            guard bytes.count <= limits.recordingBytes - fileBytes else {
                throw WebFailure.problem(.recordingTooLong(limit: limits.recordingBytes))
            }
            guard budget.take(bytes.count) else { throw WebFailure.problem(.busy) }
            fileBytes += bytes.count
            do { try file?.writeAll(bytes) } catch { throw Self.notKept(error) }
        case .none: break
        }
    }

    private static func notKept(_ error: Errno) -> WebFailure { .problem(.notKept(error)) }

    /// Returns all values of a field.
    func texts(_ name: String) -> [String] { texts.filter { $0.name == name }.map(\.text) }

    /// Returns the value of a field, or nil if it is empty or missing. Throws if the field occurs more than once.
    func text(_ name: String) throws -> String? {
        let found = texts(name)
        guard found.count <= 1 else { throw WebFailure.problem(.form(.formRepeated)) }
        return found.first.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The fields that a form may contain. Lists and structures are encoded as several fields, such as "list[]" and
/// "structure[member]".
struct FormFields: Sendable {
    /// The name of the file field.
    let file: String
    /// The fields that have an effect.
    let read: [String]
    /// The fields that are accepted but ignored.
    let ignored: [String]

    var known: [String] { [file] + read }

    func knows(_ name: String) -> Bool {
        let base = name.prefix { $0 != "[" }
        return read.contains { $0 == base } || ignored.contains { $0 == base }
    }
}
