public import CoreMetrics
public import Croft
public import Logging

/// Passes the figures of a store to swift-metrics, and its slow queries to swift-log.
///
/// ```swift
/// let metrics = StoreMetrics(store, logger: Logger(label: "store"))
/// try await metrics.run(every: .seconds(10))
/// ```
///
/// Commits, waits and slow queries are counted as they happen, and sizes each time that
/// ``update()`` is called. The names
/// of the metrics are in the article of this module. A store has one object that measures it: a
/// later one replaces it.
///
/// Threads: any.
public final class StoreMetrics: Sendable {
  /// What is measured, and under which names.
  public struct Options: Sendable {
    /// The beginning of the names, with `_` after it.
    public var prefix = "croft"
    /// What tells this store from others, such as `[("store", "books")]`.
    public var dimensions: [(String, String)] = []
    /// How long a query takes at least that counts as slow; nil counts none.
    public var slowQueryThreshold: Duration? = .milliseconds(100)

    /// The defaults.
    public init() {}
  }

  private let store: Store
  private let options: Options
  private let factory: any MetricsFactory

  /// Begins to measure a store.
  ///
  /// - Parameters:
  ///   - store: The store, which is kept.
  ///   - options: What is measured, and under which names.
  ///   - logger: Gets a warning with the plan of each slow query; nil for none.
  ///   - factory: Makes the metrics; by default the one that the program has set for all.
  public init(
    _ store: Store, _ options: Options = Options(), logger: Logger? = nil,
    factory: any MetricsFactory = MetricsSystem.factory
  ) {
    (self.store, self.options, self.factory) = (store, options, factory)
    let (prefix, dimensions) = (options.prefix, options.dimensions)
    let commits = Counter(
      label: "\(prefix)_commits_total", dimensions: dimensions, factory: factory)
    let slowQueries = Counter(
      label: "\(prefix)_slow_queries_total", dimensions: dimensions, factory: factory)
    let commit = Timer(label: "\(prefix)_commit_seconds", dimensions: dimensions, factory: factory)
    let wait = Timer(
      label: "\(prefix)_writer_wait_seconds", dimensions: dimensions, factory: factory)
    store.measure(slowQueriesFrom: options.slowQueryThreshold) { event in
      switch event {
      case .writeBegan(let waited): wait.recordNanoseconds(waited.wholeNanoseconds)
      case .committed(_, let duration):
        commits.increment()
        commit.recordNanoseconds(duration.wholeNanoseconds)
      case .slowQuery(let plan, let duration):
        slowQueries.increment()
        logger?.warning(
          "A query of \(plan.model) was slow",
          metadata: ["duration": "\(duration)", "plan": "\(plan)"])
      }
    }
  }

  /// Records the sizes of the file and its models, and the readers.
  ///
  /// - Throws: `StoreError`, as the store's statistics.
  /// - Complexity: That of the store's statistics.
  public func update() throws {
    let statistics = try store.statistics
    record("file_bytes", statistics.fileBytes)
    record("free_bytes", statistics.freeBytes)
    record("pinned_bytes", statistics.pinnedBytes)
    record("map_bytes", statistics.mapBytes)
    record("readers", statistics.readers.count)
    for model in statistics.models {
      record("objects", model.rows.entries, [("model", model.name)])
      record("model_bytes", model.bytes, [("model", model.name)])
    }
  }

  /// Records the sizes again and again, until its task is cancelled.
  ///
  /// - Parameter interval: The time from one record to the next.
  /// - Throws: As ``update()``, and `CancellationError`.
  public func run(every interval: Duration = .seconds(10)) async throws {
    while true {
      try update()
      try await Task.sleep(for: interval)
    }
  }

  /// Ends the measurements of commits, waits and queries of the store.
  ///
  /// Those of a later object of the same store, which has replaced this one, end as well.
  public func stop() { store.measure(nil) }

  private func record(_ name: String, _ value: Int, _ dimensions: [(String, String)] = []) {
    Gauge(
      label: "\(options.prefix)_\(name)", dimensions: options.dimensions + dimensions,
      factory: factory
    ).record(value)
  }
}

extension Duration {
  /// The nanoseconds, without what is left of one.
  fileprivate var wholeNanoseconds: Int64 {
    let nanosecondsPerSecond: Int64 = 1_000_000_000
    let attosecondsPerNanosecond: Int64 = 1_000_000_000
    let (seconds, attoseconds) = components
    return seconds * nanosecondsPerSecond + attoseconds / attosecondsPerNanosecond
  }
}
