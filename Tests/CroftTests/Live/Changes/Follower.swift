import Foundation
import LMDB

@testable import Croft

/// Shows a query's result and waits for changes by any process.
struct Follower<M: Model & Equatable>: Sendable {
  let viewer = Viewer<M>()
  private let token: ObservationToken
  private let arrivals: Mailbox<[M]>

  init(_ query: Query<M>, in store: Store) {
    let arrivals = Mailbox<[M]>()
    token = store.observe(query) { [viewer] change in
      viewer.take(change)
      arrivals.send(Array(change.after))
    }
    self.arrivals = arrivals
  }

  /// Waits for a result that satisfies a condition; false where none comes.
  func shows(_ isWanted: ([M]) -> Bool) async -> Bool {
    while let list = await arrivals.next() {
      if isWanted(list) { return true }
    }
    return false
  }

  func cancel() { token.cancel() }
}

extension Store {
  /// The result of a query now; a function without an asynchronous twin.
  func fetchNow<M: Model>(_ query: Query<M>) throws -> [M] { try read { try $0.fetch(query) } }

  /// The store's file.
  var url: URL { URL(filePath: environment.path) }
}
