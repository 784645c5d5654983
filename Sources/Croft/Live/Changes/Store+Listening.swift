import LMDB

extension Store {
  /// Begins to listen to commits of others, for the live queries.
  ///
  /// Those of this store are heard as well; the hub knows them.
  func listen() -> CommitSubscription {
    let (environment, reader, meta) = (environment, reader, knownCatalog.meta)
    return CommitSubscription(to: environment, knowing: 0) {
      try environment.read { try reader.header(meta, $0).sequence }
    } _: { [weak self] outcome in
      guard let self else { return }
      switch outcome {
      case .success(let sequence): live.heard(of: sequence, in: self)
      case .failure: live.heard(of: nil, in: self)
      }
    }
  }
}
