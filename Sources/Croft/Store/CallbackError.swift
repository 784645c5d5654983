/// Carries an error of a caller's closure through the statement, read, copy or check that called it.
///
/// So it is not taken for an error of the store, which may break a transaction or have another meaning there.
@usableFromInline
struct CallbackError: Error {
  let underlying: any Error

  @usableFromInline
  init(underlying: any Error) { self.underlying = underlying }

  /// A caller's closure whose errors nobody takes for those of the store.
  static func wrapping(_ closure: @escaping () throws -> Void) -> () throws -> Void {
    { do { try closure() } catch { throw CallbackError(underlying: error) } }
  }

  /// Runs work, and throws the error of a wrapped closure as it was thrown.
  static func unwrapping<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as CallbackError { throw error.underlying }
  }
}
