import VoiceCatalogue

/// Names below the store's root:
///
///     <folder of the voice or model>/.lock              held while anything in it changes
///     <folder>/<revision>/<file>                        complete and verified
///     <folder>/<revision>/<file>.part                   an unfinished download
///     <folder>/<revision>/<file>.part.tag               the server's entity tag for it
///     <folder>/<revision>/<archive>.unpacked/           an archive, unpacked
///     <folder>/<revision>/<archive>.unpacked.part/      an archive, being unpacked
///     <folder>/<revision>/installed.json                written last, when all files are there
///     .adding-<process>-<number>/                       the user's own files while they are added; hidden, so no entry
enum StoreLayout {
    static let partSuffix = FileName.partSuffix
    static let tagSuffix = FileName.tagSuffix
    static let additionPrefix = ".adding-"
    static let lockName = ".lock"
    static let recordName = FileName.recordName
    static let unpackedSuffix = FileName.unpackedSuffix
}
