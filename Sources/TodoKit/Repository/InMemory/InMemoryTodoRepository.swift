public import Reactive
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
/// A repository whose items last as long as it does: for tests, previews and trials.
///
/// It passes the same contract tests as the one that keeps its items.
///
/// Threads: any; a mutex protects the tables and is never held while calling out.
public final class InMemoryTodoRepository: TodoRepository {
  /// The tables, apart from the repository, so that an observer does not keep both.
  private final class Content: Sendable {
    let tables = Mutex(MemoryTables())

    func read<Value: Sendable>(_ body: (MemoryTables) throws -> Value) rethrows -> Value {
      try tables.withLock { try body($0) }
    }
  }

  private let content = Content()
  private let feed = CommitFeed()
  private let limits: HistoryLimits
  private let now: @Sendable () -> Date

  /// Makes an empty repository.
  ///
  /// - Parameters:
  ///   - limits: How much history is kept for undo.
  ///   - now: The clock, for what is noted as the moment of a change.
  public init(
    limits: HistoryLimits = HistoryLimits(), now: @escaping @Sendable () -> Date = { .now }
  ) {
    self.limits = limits
    self.now = now
  }

  /// Does what an intent says, then tells the observers.
  @discardableResult
  public func perform(_ intent: TodoIntent) throws -> TodoReceipt {
    guard !intent.isEmpty else { return TodoReceipt(intent: intent, changedNothing: true) }
    let context = CommandContext(now: now(), limits: limits)
    let receipt = try content.tables.withLock { tables in
      do {
        return try tables.transaction { try $0.perform(intent, context) }
      } catch {
        throw error is TodoError ? error : TodoError.storage(error)
      }
    }
    feed.publish()
    return receipt
  }

  /// The item with the given id; nil when there is none.
  public func item(_ id: UUID) throws -> TodoItem? { content.read { $0.item(id) } }

  /// The items of a list, in the repository's order.
  public func items(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem] {
    content.read { $0.items(in: list, filter) }
  }

  /// The group with the given id; nil when there is none.
  public func group(_ id: UUID) throws -> TodoGroup? { content.read { $0.group(id) } }

  /// All groups with their tallies, in their order.
  public func groups() throws -> [GroupSummary] { content.read { $0.groupSummaries() } }

  /// How many items a list holds, and how many of them are done.
  public func tally(of list: ItemList) throws -> Tally { content.read { $0.tally(of: list) } }

  /// Which commands can be taken back and done again.
  public func history() throws -> CommandHistory {
    try content.read { try $0.commandHistory() }
  }

  /// A list as it is now, and again after each commit that changed it.
  public func observe(in list: ItemList, _ filter: ItemFilter) -> Observable<[TodoItem]> {
    feed.values { [content] in content.read { $0.items(in: list, filter) } }
  }

  /// All groups with their tallies, now and again after each commit that changed them.
  public func observeGroups() -> Observable<[GroupSummary]> {
    feed.values { [content] in content.read { $0.groupSummaries() } }
  }

  /// A list's tally as it is now, and again after each commit that changed it.
  public func observeTally(of list: ItemList) -> Observable<Tally> {
    feed.values { [content] in content.read { $0.tally(of: list) } }
  }

  /// The history as it is now, and again after each commit that changed it.
  public func observeHistory() -> Observable<CommandHistory> {
    feed.values { [content] in try content.read { try $0.commandHistory() } }
  }
}
