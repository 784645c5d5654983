public import Dispatch

/// Where the closure of an observation is called.
///
/// The calls of one closure are serial and in the order of commits, as long as what delivers them is serial.
public struct Delivery: Sendable {
  typealias Schedule = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Nil for the store's own queue.
  let schedule: Schedule?
  /// Whether the first change is delivered before `observe` returns.
  private(set) var isFirstImmediate = false

  /// A queue of the store, which all closures without a place of their own share.
  public static let background = Delivery(schedule: nil)

  /// The main queue, which the main actor uses too.
  public static let main = Delivery.queue(.main)

  /// A queue.
  ///
  /// - Parameter queue: A serial queue. Other closures of the same queue run between two calls of one.
  public static func queue(_ queue: DispatchQueue) -> Delivery {
    Delivery { queue.async(execute: $0) }
  }

  /// The calling thread for the first change, and another way for later ones.
  ///
  /// The first change is read and delivered before `observe` returns, so that a screen can be drawn at once.
  /// Where it cannot be read, it is delivered as a later one, or the error is.
  public static func immediate(then delivery: Delivery) -> Delivery {
    var own = delivery
    own.isFirstImmediate = true
    return own
  }

  /// Calls by a function, such as one that schedules work in virtual time.
  ///
  /// - Parameter schedule: Runs the functions that it is given one at a time and in their order, each once. It
  ///   is called on any thread, and must not wait for a commit.
  public init(_ schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.schedule = schedule
  }

  private init(schedule: Schedule?) { self.schedule = schedule }
}
