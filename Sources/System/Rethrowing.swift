/// The value of an expression, or else its error as the one of another layer:
///
///     try rethrowing(files.syncFolder(folder), as: ArchiveRefusal.file)
///
/// is short for
///
///     do {
///         try files.syncFolder(folder)
///     } catch {
///         throw ArchiveRefusal.file(error)
///     }
///
/// Where several statements throw the same error, write the latter.
///
/// - Parameter outer: the error that is thrown, made of the one that was.
@inlinable
package func rethrowing<Value, Inner, Outer: Error>(
    _ value: @autoclosure () throws(Inner) -> Value, as outer: (Inner) -> Outer
) throws(Outer) -> Value {
    do { return try value() } catch { throw outer(error) }
}
