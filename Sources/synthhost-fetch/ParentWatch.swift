import Foundation
import Glibc

/// Ends this process with the one that started it, so that nobody writes into the store unseen.
enum ParentWatch {
    static func start() {
        let thread = Thread {
            var byte: UInt8 = 0
            while true {
                let count = read(STDIN_FILENO, &byte, 1)
                if count == 0 || count < 0 && errno != EINTR { _exit(1) }
            }
        }
        thread.stackSize = 1 << 16
        thread.start()
    }
}
