extension ObservableType {
  /// The same sequence, held to one element.
  ///
  /// It fails with `RxError.noElements` when it is empty, and with
  /// `RxError.moreThanOneElement` as soon as a second one comes. The element is sent when the
  /// sequence completed.
  public func asSingle() -> Single<Element> {
    Single(raw: asObservable().lift { OneElementSink($0, mayBeEmpty: false) })
  }

  /// The same sequence, held to one element or none.
  ///
  /// It fails with `RxError.moreThanOneElement` as soon as a second one comes. The element is
  /// sent when the sequence completed.
  public func asMaybe() -> Maybe<Element> {
    Maybe(raw: asObservable().lift { OneElementSink($0, mayBeEmpty: true) })
  }
}

extension ObservableType where Element == Never {
  /// The same end; there are no elements.
  public func asCompletable() -> Completable { Completable(raw: asObservable()) }
}

private final class OneElementSink<Element>: OperatorSink<Element, Element> {
  private let mayBeEmpty: Bool
  /// Protected by the rule that calls never overlap.
  private var held: Element?

  init(_ down: Sink<Element>, mayBeEmpty: Bool) {
    self.mayBeEmpty = mayBeEmpty
    super.init(down)
  }

  override func next(_ element: Element) {
    if isFinished { return }
    guard held == nil else { return finish(RxError.moreThanOneElement) }
    held = element
  }

  override func done(_ error: (any Error)?) {
    if isFinished || error != nil { return finish(error) }
    if let held { down.next(held) }
    finish(held == nil && !mayBeEmpty ? RxError.noElements : nil)
  }
}
