#if DEBUG
  import Synchronization

  /// Counts the objects of running subscriptions, in debug builds.
  ///
  /// When all subscriptions have ended or were disposed, the count is the same as before. A test
  /// that compares the two finds chains that retain themselves.
  public enum Resources {
    /// How many sinks and subscriptions are alive.
    public static var total: Int { counter.total }

    /// The counter of the process, unless a test binds one of its own.
    @TaskLocal package static var counter = Counter()

    /// A count of live objects.
    package final class Counter: Sendable {
      private let count = Atomic<Int>(0)

      /// Makes a counter at zero.
      package init() {}

      /// How many are alive.
      package var total: Int { count.load(ordering: .acquiring) }

      func increment() { count.add(1, ordering: .acquiringAndReleasing) }

      func decrement() { count.subtract(1, ordering: .acquiringAndReleasing) }
    }

    /// Counts the object that it is stored in, as long as that lives.
    struct LiveCount: ~Copyable {
      private let counter = Resources.counter

      init() { counter.increment() }

      deinit { counter.decrement() }
    }
  }
#endif
