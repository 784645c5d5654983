#if DEBUG
  import Synchronization

  /// Counts what running subscriptions are made of, in debug builds.
  ///
  /// When all of them were disposed or ended, the count is back where it was before. A test
  /// that compares the two finds chains that keep themselves alive.
  public enum Resources {
    /// How many sinks and subscriptions are alive.
    public static var total: Int { counter.total }

    /// Where they are counted: one book for the process, unless a test binds one of its own.
    @TaskLocal package static var counter = Counter()

    /// A book of what is alive.
    package final class Counter: Sendable {
      private let count = Atomic<Int>(0)

      /// Makes an empty book.
      package init() {}

      /// How many are alive.
      package var total: Int { count.load(ordering: .acquiring) }

      func increment() { count.add(1, ordering: .acquiringAndReleasing) }

      func decrement() { count.subtract(1, ordering: .acquiringAndReleasing) }
    }
  }
#endif
