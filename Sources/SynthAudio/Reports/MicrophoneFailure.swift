import Glibc
package import SynthSystem

/// Why a microphone does not record.
package struct MicrophoneFailure: ErrorCause, Equatable {
    package let error: AudioError

    package init(_ error: AudioError) { self.error = error }

    package var code: SpeechError.Code { isOfDevice ? .microphoneFailed : error.code }

    private var isOfDevice: Bool {
        switch error {
        case .deviceMissing, .deviceNotOpened, .deviceRefusesFormat, .deviceFailed, .deviceStalled: true
        default: false
        }
    }

    package var facts: SpeechError.Facts { error.facts }

    package var message: String {
        switch error {
        case .deviceMissing("default", _): "This machine has no microphone, or it offers none to this user."
        case .deviceRefusesFormat(let device, let format, let code):
            "The sound device \"\(device)\" does not record \(format.sampleRate) Hz: \(ALSADevice.reason(code))."
        default: error.message
        }
    }

    package var remedy: SpeechError.Remedy? {
        switch error {
        case .deviceMissing: .connectMicrophone
        case .deviceNotOpened(_, EBUSY): .freeDevice(.microphone)
        case .deviceNotOpened(_, EACCES), .deviceNotOpened(_, EPERM): .joinAudioGroup(.microphone)
        case .deviceNotOpened(_, ECONNREFUSED): .startSoundServer(.microphone)
        case .deviceRefusesFormat(let device, _, _): .convertForDevice(device, .microphone)
        case .deviceNotOpened, .deviceFailed: .reconnectMicrophone
        default: error.remedy
        }
    }
}

/// Why the file that says when words are spoken could not be written.
package struct TimingsFailure: ErrorCause, Equatable {
    package let error: AudioError

    package init(_ error: AudioError) { self.error = error }

    package var code: SpeechError.Code { .timingsNotWritten }
    package var facts: SpeechError.Facts { error.facts }

    package var message: String {
        error == .brokenPipe ? "The program that read the times has ended." : error.message
    }

    package var remedy: SpeechError.Remedy? {
        switch error {
        case .brokenPipe, .outputNotCreated, .outputLinkLeadsNowhere, .outputNotWritten, .outputNotReplaced,
            .outputInUse,
            .noDescriptor:
            error.remedy(for: .timings)
        default: .chooseFile(for: .timings)
        }
    }
}
