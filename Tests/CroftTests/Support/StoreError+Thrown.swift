import Croft
import Testing

extension StoreError {
  /// The store's error that a body throws; anything else is an issue of the test.
  ///
  /// It is for an expectation of an error inside another one.
  static func thrown(
    by body: () throws -> Void, at location: SourceLocation = #_sourceLocation
  ) -> StoreError? {
    do {
      try body()
      Issue.record("No error was thrown.", sourceLocation: location)
    } catch let error as StoreError {
      return error
    } catch {
      Issue.record(error, sourceLocation: location)
    }
    return nil
  }
}
