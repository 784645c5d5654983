import Reactive
import Testing

/// What a chain under test may use: a clock, and a place where user code runs.
final class Probe: Sendable {
  let scheduler = VirtualTimeScheduler()
  private let userCode = Box<@Sendable () throws -> Void>()

  /// Says what the operator's own closure does when it is called.
  func visits(_ body: (@Sendable () throws -> Void)?) { userCode.value = body }

  /// Called by the operator's own closure.
  func visit() throws { try userCode.value?() }

  /// Called by closures that may not throw.
  func look() {
    do { try visit() } catch { Issue.record("this closure may not throw") }
  }

  /// Lets everything happen that waits for time to pass.
  func settle() { scheduler.advanceTo(scheduler.clock + 20) }
}

/// One operator in one of its forms, as a chain of one.
struct OperatorEntry: Sendable, CustomTestStringConvertible {
  /// What the operator's own closure may do.
  enum UserCode { case none, calm, throwing }

  /// Makes the chain over a source.
  typealias Build = @Sendable (Observable<Int>, Probe) -> Observable<Int>

  /// Its file below `Operators`.
  let file: String
  let name: String
  let userCode: UserCode
  /// What it makes of an empty source, of a failing one and of a silent one.
  let (empty, failed, never): (String, String, String)
  /// How many of nine elements the source sends before the closure throws and stops it.
  let consumed: Int
  let build: Build

  var testDescription: String { name }

  init(
    _ file: String, _ name: String, _ userCode: UserCode = .none, empty: String = "|",
    failed: String = "xfirst", never: String = "", consumed: Int = 1, _ build: @escaping Build
  ) {
    self.file = file
    self.name = name
    self.userCode = userCode
    (self.empty, self.failed, self.never) = (empty, failed, never)
    self.consumed = consumed
    self.build = build
  }
}

/// One way to make a sequence of nothing.
struct SourceEntry: Sendable, CustomTestStringConvertible {
  /// Its file below `Operators`.
  let file: String
  let name: String
  /// What it sends within 20 seconds; of an endless source the first three elements.
  let line: String
  let build: @Sendable (Probe) -> Observable<Int>

  var testDescription: String { name }

  init(
    _ file: String, _ name: String, _ line: String,
    _ build: @escaping @Sendable (Probe) -> Observable<Int>
  ) {
    self.file = file
    self.name = name
    self.line = line
    self.build = build
  }
}
