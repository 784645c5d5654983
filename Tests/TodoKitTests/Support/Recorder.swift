import Reactive
import Synchronization

/// Keeps what a stream delivered, so that a test can look at it afterwards.
final class Recorder<Element: Sendable>: Sendable {
  private struct Events {
    var elements: [Element] = []
    var errors: [any Error] = []
    var completions = 0
  }

  /// Apart from the recorder, so that the subscription does not keep it alive.
  private final class Log: Sendable {
    let events = Mutex(Events())
  }

  private let log = Log()
  private let bag = DisposeBag()

  init(_ source: Observable<Element>) {
    source.subscribe(
      onNext: { [log] element in log.events.withLock { $0.elements.append(element) } },
      onError: { [log] error in log.events.withLock { $0.errors.append(error) } },
      onCompleted: { [log] in log.events.withLock { $0.completions += 1 } }
    ).disposed(by: bag)
  }

  var elements: [Element] { log.events.withLock { $0.elements } }
  var errors: [any Error] { log.events.withLock { $0.errors } }
  var completions: Int { log.events.withLock { $0.completions } }
  var hasEnded: Bool { completions > 0 || !errors.isEmpty }
}
