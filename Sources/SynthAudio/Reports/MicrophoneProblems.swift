import Glibc
package import SynthSystem

extension SpeechError {
    /// Why a microphone does not record.
    package init(microphone error: AudioError) {
        let (message, remedy): (String?, Remedy?) =
            switch error {
            case .deviceMissing("default", _):
                ("This machine has no microphone, or it offers none to this user.", .connectMicrophone)
            case .deviceMissing: (nil, .connectMicrophone)
            case .deviceNotOpened(_, EBUSY): (nil, .freeDevice(.microphone))
            case .deviceNotOpened(_, EACCES), .deviceNotOpened(_, EPERM): (nil, .joinAudioGroup(.microphone))
            case .deviceNotOpened(_, ECONNREFUSED): (nil, .startSoundServer(.microphone))
            case .deviceRefusesFormat(let device, let format, let code):
                (
                    "The sound device \"\(device)\" does not record \(format.sampleRate) Hz: \(ALSADevice.reason(code)).",
                    .convertForDevice(device, .microphone)
                )
            case .deviceNotOpened, .deviceFailed: (nil, .reconnectMicrophone)
            default: (nil, error.remedy)
            }
        let isOfDevice =
            switch error {
            case .deviceMissing, .deviceNotOpened, .deviceRefusesFormat, .deviceFailed, .deviceStalled: true
            default: false
            }
        self.init(
            isOfDevice ? .microphoneFailed : error.code, message ?? error.message, error.facts, remedy: remedy,
            cause: error)
    }

    /// Why the file that says when words are spoken could not be written.
    package init(timings error: AudioError) {
        let remedy: Remedy? =
            switch error {
            case .brokenPipe, .outputNotCreated, .outputLinkLeadsNowhere, .outputNotWritten, .outputNotReplaced,
                .outputInUse, .noDescriptor:
                error.remedy(for: .timings)
            default: .chooseFile(for: .timings)
            }
        self.init(
            .timingsNotWritten,
            error == .brokenPipe ? "The program that read the times has ended." : error.message, error.facts,
            remedy: remedy, cause: error)
    }
}
