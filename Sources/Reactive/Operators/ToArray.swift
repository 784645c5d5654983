extension ObservableType {
  /// Answers with all elements as one array once the source completed.
  public func toArray() -> Single<[Element]> {
    Single(raw: asObservable().lift { ReduceSink($0, [], { $0.append($1) }, { $0 }) })
  }
}
