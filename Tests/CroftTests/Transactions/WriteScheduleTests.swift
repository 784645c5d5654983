import Testing
import TestSupport

@testable import Croft

/// Random submissions, cancellations and failures against a record of what must happen.
@Suite struct WriteScheduleTests {
  @Test func everyWriteEndsOnceAsItsGroupDoes() throws {
    var random = SeededGenerator.forTest("write schedule")
    for _ in 0..<Torture.steps(short: 200, long: 20_000) {
      var simulation = ScheduleSimulation(random: random, largestGroup: 1 + random.below(6))
      simulation.run(events: 300)
      random = simulation.random
    }
  }

  @Test func aLoneWriteIsToldSoAndOneOfManyIsNot() {
    var schedule = GroupCommit.WriteSchedule<Int>(largestGroup: 10)
    #expect(schedule.submit(1).startsWork)
    #expect(schedule.prepare() == true)
    schedule.begun()
    // It came after the group was closed.
    #expect(!schedule.submit(2).startsWork)
    #expect(schedule.next()?.isAlone == true)
    schedule.ended(1, with: nil, endsGroup: false)
    #expect(schedule.next() == nil)
    #expect(schedule.finish(nil).map(\.write) == [1])
    #expect(!schedule.submit(3).startsWork)
    #expect(schedule.prepare() == true)
    schedule.begun()
    #expect(schedule.next()?.isAlone == false)
    schedule.ended(2, with: nil, endsGroup: false)
    // The last of a group is not alone.
    #expect(schedule.next()?.isAlone == false)
    schedule.ended(3, with: nil, endsGroup: false)
    #expect(schedule.finish(nil).map(\.write) == [2, 3])
    #expect(schedule.prepare() == false)
    #expect(schedule.submit(4).startsWork)
  }

  @Test func aFailedBeginEndsThoseWhoWaitedForItAndNobodyElse() {
    var schedule = GroupCommit.WriteSchedule<Int>(largestGroup: 10)
    for write in 1...3 { _ = schedule.submit(write) }
    #expect(schedule.prepare() == true)
    _ = schedule.submit(4)
    #expect(schedule.cancel(2) == 2)
    #expect(schedule.beginFailed() == [1, 3])
    #expect(schedule.prepare() == true)
    schedule.begun()
    #expect(schedule.next()?.write == 4)
  }
}

/// A writer, its store and its callers, all played by one generator of random numbers.
private struct ScheduleSimulation {
  private struct Failure: Error, Equatable { var number: Int }
  private enum Fate: Equatable {
    case waiting
    case running
    case cancelled
    case ended(Failure?)
  }
  private enum Phase { case resting, asking, running }

  var random: SeededGenerator
  private var schedule: GroupCommit.WriteSchedule<Int>
  private var phase = Phase.resting
  /// The twin: what has become of each write; its index is the write.
  private var fates: [Fate] = []
  private var numbers: [Int] = []
  /// The writes that the running group holds, with what they ended with.
  private var group: [(write: Int, failure: Failure?)] = []
  private var waitedForBegin: [Int] = []
  private var lastStarted = -1
  private var failures = 0
  private var isGroupOver = false
  private let largestGroup: Int
  private var groupLimit: [Int] = []

  init(random: SeededGenerator, largestGroup: Int) {
    self.random = random
    self.largestGroup = largestGroup
    schedule = GroupCommit.WriteSchedule(largestGroup: largestGroup)
  }

  mutating func run(events: Int) {
    for _ in 0..<events {
      switch random.below(7) {
      case 0, 1: submit()
      case 2: cancel()
      default: work()
      }
    }
    while phase != .resting { work() }
    let isAllOver = fates.allSatisfy { $0 != .waiting && $0 != .running }
    #expect(isAllOver, "seed \(random.seed)")
    #expect(schedule.waitingCount == 0, "seed \(random.seed)")
  }

  private func waiting() -> [Int] { fates.indices.filter { fates[$0] == .waiting } }

  private mutating func failure() -> Failure {
    failures += 1
    return Failure(number: failures)
  }

  private mutating func submit() {
    let (number, startsWork) = schedule.submit(fates.count)
    numbers.append(number)
    fates.append(.waiting)
    #expect(startsWork == (phase == .resting), "seed \(random.seed)")
    if startsWork { ask() }
  }

  private mutating func cancel() {
    guard !fates.isEmpty else { return }
    let write = random.below(fates.count)
    let cancelled = schedule.cancel(numbers[write])
    #expect((cancelled == write) == (fates[write] == .waiting), "seed \(random.seed)")
    if cancelled != nil { fates[write] = .cancelled }
  }

  private mutating func ask() {
    let isNeeded = schedule.prepare()
    waitedForBegin = waiting()
    #expect(isNeeded == !waitedForBegin.isEmpty, "seed \(random.seed)")
    phase = isNeeded ? .asking : .resting
  }

  /// The writer goes one step on.
  private mutating func work() {
    switch phase {
    case .resting: return
    case .asking where random.oneIn(5):
      let failure = failure()
      let told = schedule.beginFailed()
      #expect(told == waitedForBegin.filter { fates[$0] == .waiting }, "seed \(random.seed)")
      for write in told { fates[write] = .ended(failure) }
      ask()
    case .asking:
      schedule.begun()
      groupLimit = waiting()
      (group, isGroupOver, phase) = ([], false, .running)
    case .running: runNext()
    }
  }

  private mutating func runNext() {
    guard let (write, isAlone) = schedule.next() else { return endGroup() }
    #expect(!isGroupOver && fates[write] == .waiting, "seed \(random.seed)")
    #expect(write > lastStarted, "first come, first served; seed \(random.seed)")
    #expect(groupLimit.contains(write) && group.count < largestGroup, "seed \(random.seed)")
    if isAlone { #expect(group.isEmpty, "seed \(random.seed)") }
    lastStarted = write
    fates[write] = .running
    let failure = random.oneIn(4) ? failure() : nil
    isGroupOver = failure != nil && random.oneIn(3)
    schedule.ended(write, with: failure, endsGroup: isGroupOver)
    group.append((write, failure))
    // A lone write that fails takes its transaction with it, so that none may follow.
    if isAlone { isGroupOver = true }
  }

  private mutating func endGroup() {
    let failure = random.oneIn(4) ? failure() : nil
    let told = schedule.finish(failure)
    #expect(told.map(\.write) == group.map(\.write), "seed \(random.seed)")
    for (told, expected) in zip(told, group) {
      let error = told.error as? Failure
      #expect(error == failure ?? expected.failure, "seed \(random.seed)")
      #expect(fates[told.write] == .running, "seed \(random.seed)")
      fates[told.write] = .ended(error)
    }
    ask()
  }
}
