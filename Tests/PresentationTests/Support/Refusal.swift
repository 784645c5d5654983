import Reactive
import ReactiveTestSupport

extension ObservableType where Element: Sendable {
  /// Subscribes a recorder until the bag goes away.
  func recorded(in bag: DisposeBag) -> Recorder<Element> {
    let recorder = Recorder<Element>()
    subscribe(recorder).disposed(by: bag)
    return recorder
  }
}

/// Why something fails in these tests.
enum Refusal: Error { case broken, full }
