package import System

/// Why a file is not loaded as an engine: what is wrong, and with which part of it.
package struct Refusal: Error, Equatable, Sendable {
    package var part: EnginePart
    package var flaw: Flaw

    package init(_ flaw: Flaw, of part: EnginePart = .file) {
        self.part = part
        self.flaw = flaw
    }

    /// What is wrong.
    package enum Flaw: Equatable, Sendable {
        case cannotBeOpened(Errno)
        case cannotBeRead(Errno)
        case notRegularFile
        case empty
        case notSharedLibrary
        /// It is built for another processor, word size or byte order.
        case otherMachine
        /// It is shorter than its headers say, or they contradict each other.
        case damaged
        /// A library that it needs is not installed; its name.
        case lacksLibrary(String)
        /// In the words of the dynamic linker.
        case cannotBeLoaded(String)
        /// No memory, or a file system mounted noexec; the message of the dynamic linker.
        case cannotBeMapped(String)

        // Each with the path of the file or folder that it is about.
        case ofOtherUser(String)
        case writableByAll(String)
        case writableByGroup(String)
        /// Writable by other users, through its access list.
        case writableByOthers(String)
        case unreadableAccessList(Errno)
        /// A folder that everybody may write and that this user cannot simply close: a sticky one, such as /tmp, or one
        /// of the superuser's.
        case sharedFolder(String)
        /// A folder that does not exist, and that others could make.
        case absentFolder
        /// It is a relative path, so it depends on the working directory.
        case notAbsolute

        /// It has no function `synth_engine_entry`.
        case noEntry
        /// It has no table for this version of the interface.
        case noTable(version: UInt32)
        case otherVersion(UInt32, host: UInt32)

        /// A function that every engine must have is NULL.
        case missingFunction
        case description(DescriptionFlaw)
    }

    /// The kinds that a caller must distinguish.
    package enum Kind: Sendable {
        /// Not a shared object of this machine, damaged, or one that lacks a library.
        case notLoadable
        /// Others may write it.
        case untrusted
        /// Not an engine, or one of an interface version that this host does not support.
        case incompatible
        /// Its table or its description breaks the contract.
        case broken
    }

    package var kind: Kind {
        switch flaw {
        case .cannotBeOpened, .cannotBeRead, .notRegularFile, .empty, .notSharedLibrary, .otherMachine, .damaged,
            .lacksLibrary, .cannotBeLoaded, .cannotBeMapped:
            .notLoadable
        case .ofOtherUser, .writableByAll, .writableByGroup, .writableByOthers, .unreadableAccessList, .sharedFolder,
            .absentFolder, .notAbsolute:
            .untrusted
        case .noEntry, .noTable, .otherVersion: .incompatible
        case .missingFunction, .description: .broken
        }
    }
}
