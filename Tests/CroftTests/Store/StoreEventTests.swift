import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Croft

/// What a store tells of its writes, commits and queries.
@Suite struct StoreEventTests {
  private final class Log: Sendable {
    private let events = Mutex<[StoreEvent]>([])

    func add(_ event: StoreEvent) { events.withLock { $0.append(event) } }

    /// The names of the events since the last time, and what is known of each.
    func take() -> [String] {
      events.withLock { events in
        defer { events = [] }
        return events.map { event in
          switch event {
          case .writeBegan(let waited): waited >= .zero ? "write" : "waited \(waited)"
          case .committed(let sequence, _): "commit \(sequence)"
          case .slowQuery(let explanation, _): "query \(explanation.model)"
          }
        }
      }
    }
  }

  @Test func writesCommitsAndSlowQueriesAreTold() throws {
    let store = try Store.inMemory(models: Tome.self, Scribe.self)
    let log = Log()
    store.measure(slowQueriesFrom: .zero, log.add)
    try store.write { try $0.insert(Scribe(id: 1, name: "ada")) }
    let first = log.take()
    #expect(first.count == 2 && first.first == "write" && first[1].hasPrefix("commit "))
    #expect(try store.count(Scribe.where { $0.name == "ada" }) == 1)
    #expect(log.take() == ["query Scribe"])
    // A key that is looked up is no query.
    #expect(try store.get(Scribe.self, 1) != nil)
    #expect(log.take() == [])
    #expect(try store.fetch(DynamicQuery("Scribe where name == \"ada\"")).count == 1)
    #expect(log.take() == ["query Scribe"])

    store.measure(slowQueriesFrom: .seconds(3_600), log.add)
    #expect(try store.count(Scribe.all) == 1)
    #expect(log.take() == [])
    store.measure(nil)
    try store.write { try $0.insert(Scribe(id: 2, name: "Bo")) }
    #expect(log.take() == [])
  }
}
