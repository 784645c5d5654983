/// Closures in arrays, called in a loop: what a chain costs without a library.
///
/// No ends, no threads, no order of re-entrant sends: the floor, not a rival.
package enum PlainLoop: StreamLibrary {
  package static let name = "loop"
  package static let version = "closures in arrays"

  private typealias Listener = (Int) -> Void

  /// Listeners by the number that removes them again.
  private final class Listeners {
    private var all: [Int: Listener] = [:]
    private var calls: [Listener] = []
    private var last = 0

    @inline(never)
    func add(_ listener: @escaping Listener) -> Int {
      last += 1
      all[last] = listener
      calls = Array(all.values)
      return last
    }

    @inline(never)
    func remove(_ number: Int) {
      all[number] = nil
      calls = Array(all.values)
    }

    @inline(never)
    func send(_ element: Int) { for call in calls { call(element) } }
  }

  package static func subject(subscribers: Int, _ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let listeners = Listeners()
    for _ in 0..<subscribers { _ = listeners.add { sum.add($0) } }
    meter.measure { for element in 0..<count { listeners.send(element) } }
    return sum.value
  }

  package static func subjectChain(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let listeners = Listeners()
    _ = listeners.add(three { sum.add($0) })
    meter.measure { for element in 0..<count { listeners.send(element) } }
    return sum.value
  }

  package static func rangeChain(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    meter.measure {
      let chain = three { sum.add($0) }
      for element in 0..<count { chain(element) }
    }
    return sum.value
  }

  package static func longChain(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let listeners = Listeners()
    _ = listeners.add(twelve { sum.add($0) })
    meter.measure { for element in 0..<count { listeners.send(element) } }
    return sum.value
  }

  package static func longChainBuilt(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let listeners = Listeners()
    meter.measure {
      for _ in 0..<count { listeners.remove(listeners.add(twelve { sum.add($0) })) }
    }
    return sum.value
  }

  package static func currentValue(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let listeners = Listeners()
    _ = listeners.add { sum.add($0) }
    var current = 0
    sum.add(current)
    meter.measure {
      for element in 0..<count {
        current = element
        listeners.send(current)
      }
    }
    return sum.value
  }

  package static func combineLatest(_ meter: Meter, _ count: Int) -> Int? {
    let sum = Sum()
    let (first, second) = (Listeners(), Listeners())
    var latest: (Int?, Int?) = (nil, nil)
    let combined = {
      if let first = latest.0, let second = latest.1 { sum.add(first &+ second) }
    }
    _ = first.add {
      latest.0 = $0
      combined()
    }
    _ = second.add {
      latest.1 = $0
      combined()
    }
    second.send(0)
    meter.measure {
      for element in 0..<count {
        if element & 1 == 0 { first.send(element) } else { second.send(element) }
      }
    }
    return sum.value
  }

  package static func zip(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let (first, second) = (Listeners(), Listeners())
    var waiting: ([Int], [Int]) = ([], [])
    let paired = {
      if waiting.0.isEmpty || waiting.1.isEmpty { return }
      sum.add(waiting.0.removeFirst() &+ waiting.1.removeFirst())
    }
    _ = first.add {
      waiting.0.append($0)
      paired()
    }
    _ = second.add {
      waiting.1.append($0)
      paired()
    }
    meter.measure {
      for element in 0..<count {
        first.send(element)
        second.send(element)
      }
    }
    return sum.value
  }

  package static func flatMapJust(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let listeners = Listeners()
    _ = listeners.add { element in just(element)({ sum.add($0) }) }
    meter.measure { for element in 0..<count { listeners.send(element) } }
    return sum.value
  }

  package static func flatMapLatestJust(_ meter: Meter, _ count: Int) -> Int {
    flatMapJust(meter, count)
  }

  package static func shareReplay(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let (source, shared) = (Listeners(), Listeners())
    var last: Int?
    _ = source.add {
      last = $0
      shared.send($0)
    }
    for _ in 0..<2 { _ = shared.add { sum.add($0) } }
    meter.measure { for element in 0..<count { source.send(element) } }
    return withExtendedLifetime(last) { sum.value }
  }

  package static func subscription(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let listeners = Listeners()
    meter.measure {
      for _ in 0..<count { listeners.remove(listeners.add { sum.add($0) }) }
    }
    return sum.value
  }

  package static func chainSubscription(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let listeners = Listeners()
    meter.measure {
      for _ in 0..<count {
        listeners.remove(listeners.add(map({ $0 &+ 1 }, filter({ $0 & 3 != 0 }) { sum.add($0) })))
      }
    }
    return sum.value
  }

  // Not inlined: closures are only a floor for a library where the compiler does not see through
  // them.

  @inline(never)
  private static func map(
    _ transform: @escaping (Int) -> Int, _ next: @escaping Listener
  ) -> Listener {
    { next(transform($0)) }
  }

  @inline(never)
  private static func filter(
    _ predicate: @escaping (Int) -> Bool, _ next: @escaping Listener
  ) -> Listener {
    { if predicate($0) { next($0) } }
  }

  @inline(never)
  private static func just(_ element: Int) -> (Listener) -> Void { { $0(element) } }

  private static func three(_ next: @escaping Listener) -> Listener {
    map({ $0 &+ 1 }, filter({ $0 & 3 != 0 }, map({ $0 &* 2 }, next)))
  }

  private static func twelve(_ next: @escaping Listener) -> Listener {
    var chain = next
    for step in (1...6).reversed() {
      let mask = (4 << step) - 1
      chain = map({ $0 &+ step }, filter({ $0 & mask != 0 }, chain))
    }
    return chain
  }
}
