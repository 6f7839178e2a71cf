package import SpeechScript

/// A script that was read: its parts, and the document that their places are in.
package struct SpokenScript: Sendable {
    package let document: [UInt8]
    package let parts: [ScriptPart]

    package init(document: [UInt8], parts: [ScriptPart]) {
        self.document = document
        self.parts = parts
    }
}
