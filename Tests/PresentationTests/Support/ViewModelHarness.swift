import Presentation
import Reactive
import ReactiveTesting
import Testing

/// Runs a view model on virtual time and gives all that one of its outputs sent.
///
/// Whatever the view model leaves running fails the test.
func emissions<Model: ViewModel & Sendable, Value: Sendable>(
  of model: Model, _ output: any KeyPath<Model.Output, Observable<Value>> & Sendable,
  from input: @escaping @Sendable (TestScheduler) -> Model.Input
) throws -> [Recorded<Event<Value>>] {
  try withLeakCheck {
    let scheduler = TestScheduler(initialClock: 0)
    return scheduler.start { [weak scheduler] in
      guard let scheduler else { return Observable<Value>.empty() }
      return model.transform(input: input(scheduler))[keyPath: output]
    }.events
  }
}
