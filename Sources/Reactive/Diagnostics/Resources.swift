#if DEBUG
  import Synchronization

  /// Counts what running subscriptions are made of, in debug builds.
  ///
  /// When all of them were disposed or ended, the count is back where it was before. A test
  /// that compares the two finds chains that keep themselves alive.
  public enum Resources {
    /// How many sinks and subscriptions are alive.
    public static var total: Int { ledger.total }

    /// Where they are counted: one book for the process, unless a test binds one of its own.
    @TaskLocal package static var ledger = Ledger()

    /// A book of what is alive.
    package final class Ledger: Sendable {
      private let count = Atomic<Int>(0)

      /// Makes an empty book.
      package init() {}

      /// How many are alive.
      package var total: Int { count.load(ordering: .acquiring) }

      func opened() { count.add(1, ordering: .acquiringAndReleasing) }

      func closed() { count.subtract(1, ordering: .acquiringAndReleasing) }
    }
  }
#endif
