internal import OpenCombine

/// OpenCombine as its users write it; its types are Combine's.
package enum OpenCombineStreams: StreamLibrary {
  package static let name = "opencombine"
  package static let version = "OpenCombine 0.14.0"

  package static func subject(subscribers: Int, _ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PassthroughSubject<Int, Never>()
    let kept = (0..<subscribers).map { _ in subject.sink { sum.add($0) } }
    meter.measure { for element in 0..<count { subject.send(element) } }
    return withExtendedLifetime(kept) { sum.value }
  }

  package static func subjectChain(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PassthroughSubject<Int, Never>()
    let kept = subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 2 }
      .sink { sum.add($0) }
    meter.measure { for element in 0..<count { subject.send(element) } }
    return withExtendedLifetime(kept) { sum.value }
  }

  package static func rangeChain(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    meter.measure {
      let kept = (0..<count).publisher
        .map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 2 }
        .sink { sum.add($0) }
      withExtendedLifetime(kept) {}
    }
    return sum.value
  }

  package static func longChain(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PassthroughSubject<Int, Never>()
    let kept = twelve(subject).sink { sum.add($0) }
    meter.measure { for element in 0..<count { subject.send(element) } }
    return withExtendedLifetime(kept) { sum.value }
  }

  package static func longChainBuilt(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PassthroughSubject<Int, Never>()
    meter.measure {
      for _ in 0..<count { twelve(subject).sink { sum.add($0) }.cancel() }
    }
    return sum.value
  }

  package static func currentValue(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = CurrentValueSubject<Int, Never>(0)
    let kept = subject.sink { sum.add($0) }
    meter.measure { for element in 0..<count { subject.send(element) } }
    return withExtendedLifetime(kept) { sum.value }
  }

  /// OpenCombine 0.14 has no combination by latest.
  package static func combineLatest(_ meter: Meter, _ count: Int) -> Int? { nil }

  package static func zip(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let first = PassthroughSubject<Int, Never>()
    let second = PassthroughSubject<Int, Never>()
    let kept = first.zip(second) { $0 &+ $1 }.sink { sum.add($0) }
    meter.measure {
      for element in 0..<count {
        first.send(element)
        second.send(element)
      }
    }
    return withExtendedLifetime(kept) { sum.value }
  }

  package static func flatMapJust(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PassthroughSubject<Int, Never>()
    let kept = subject.flatMap { Just($0) }.sink { sum.add($0) }
    meter.measure { for element in 0..<count { subject.send(element) } }
    return withExtendedLifetime(kept) { sum.value }
  }

  package static func flatMapLatestJust(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PassthroughSubject<Int, Never>()
    let kept = subject.map { Just($0) }.switchToLatest().sink { sum.add($0) }
    meter.measure { for element in 0..<count { subject.send(element) } }
    return withExtendedLifetime(kept) { sum.value }
  }

  /// Combine has no sharing that remembers; a current value as the shared subject is its idiom.
  package static func shareReplay(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.map(Optional.some)
      .multicast(subject: CurrentValueSubject<Int?, Never>(nil)).autoconnect()
      .compactMap { $0 }
    let kept = (0..<2).map { _ in shared.sink { sum.add($0) } }
    meter.measure { for element in 0..<count { subject.send(element) } }
    return withExtendedLifetime(kept) { sum.value }
  }

  package static func subscription(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PassthroughSubject<Int, Never>()
    meter.measure { for _ in 0..<count { subject.sink { sum.add($0) }.cancel() } }
    return sum.value
  }

  package static func chainSubscription(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PassthroughSubject<Int, Never>()
    let chain = subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }
    meter.measure { for _ in 0..<count { chain.sink { sum.add($0) }.cancel() } }
    return sum.value
  }

  private static func twelve(_ source: PassthroughSubject<Int, Never>) -> some Publisher<Int, Never>
  {
    // In steps, because the compiler gives up on the types of twelve.
    let two = source.map { $0 &+ 1 }.filter { $0 & 7 != 0 }
    let four = two.map { $0 &+ 2 }.filter { $0 & 15 != 0 }
    let six = four.map { $0 &+ 3 }.filter { $0 & 31 != 0 }
    let eight = six.map { $0 &+ 4 }.filter { $0 & 63 != 0 }
    let ten = eight.map { $0 &+ 5 }.filter { $0 & 127 != 0 }
    return ten.map { $0 &+ 6 }.filter { $0 & 255 != 0 }
  }
}
