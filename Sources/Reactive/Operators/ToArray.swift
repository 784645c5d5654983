extension ObservableType {
  /// Sends all elements as one array once the source completed.
  public func toArray() -> Observable<[Element]> {
    asObservable().lift { ReduceSink($0, [], { $0.append($1) }, { $0 }) }
  }
}
