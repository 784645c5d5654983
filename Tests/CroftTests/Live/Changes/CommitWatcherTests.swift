import Foundation
import LMDB
import Synchronization
import Testing

@testable import Croft

/// The watcher alone, on a file of bytes and a sequence that a test sets.
@Suite struct CommitWatcherTests {
  private static let never = Duration.seconds(86_400)

  /// A file, the sequence that is read, and the watcher's reports.
  private final class Scene: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    let sequence = Atomic<UInt64>(0)
    let isBroken = Atomic(false)
    let told = Mailbox<UInt64?>()

    init() throws { try Data([0]).write(to: url) }

    deinit { _ = try? FileManager.default.removeItem(at: url) }

    func watcher(pauses: ClosedRange<Duration>) -> CommitWatcher {
      CommitWatcher(pauses: pauses) { [self] in
        guard !isBroken.load(ordering: .relaxed) else { throw Refused() }
        return sequence.load(ordering: .relaxed)
      }
    }

    func listen(to watcher: CommitWatcher, knowing known: UInt64 = 0) -> Int {
      watcher.add(knowing: known) { [told] in told.send(try? $0.get()) }
    }

    func touch() throws {
      let file = try FileHandle(forUpdating: url)
      try file.write(contentsOf: Data([1]))
      try file.close()
    }
  }

  @Test func aWriteToTheFileIsReasonEnoughToLook() async throws {
    let scene = try Scene()
    let watcher = scene.watcher(pauses: Self.never...Self.never)
    watcher.start(path: scene.url.path)
    _ = scene.listen(to: watcher, knowing: 77)
    // The first check, after which only a report of the system can cause another.
    #expect(await scene.told.next() == 0)
    scene.sequence.store(1, ordering: .relaxed)
    try scene.touch()
    #expect(await scene.told.next() == 1)
    watcher.stop()
  }

  /// So a hub that could not read the commit gets another report of it.
  @Test func aListenerThatAsksIsToldOfTheSameCommitAgain() async throws {
    let scene = try Scene()
    scene.sequence.store(5, ordering: .relaxed)
    let watcher = scene.watcher(pauses: .milliseconds(1) ... .milliseconds(4))
    watcher.start(path: nil)
    let number = scene.listen(to: watcher)
    for _ in 0..<3 {
      #expect(await scene.told.next() == 5)
      watcher.forget(number)
    }
    watcher.stop()
  }

  @Test func looksFindTheCommitWhereTheSystemTellsNothing() async throws {
    let scene = try Scene()
    let watcher = scene.watcher(pauses: .milliseconds(1) ... .milliseconds(4))
    watcher.start(path: nil)
    _ = scene.listen(to: watcher)
    for sequence in 1...20 as ClosedRange<UInt64> {
      scene.sequence.store(sequence, ordering: .relaxed)
      #expect(await scene.told.next() == sequence)
    }
    watcher.stop()
  }

  /// The system reports the write before the commit can be read, and reports nothing afterwards.
  @Test func aCommitThatIsSeenOnlyAfterItsWriteIsNotMissed() async throws {
    let scene = try Scene()
    let watcher = scene.watcher(pauses: .milliseconds(1)...Self.never)
    watcher.start(path: scene.url.path)
    _ = scene.listen(to: watcher, knowing: 77)
    #expect(await scene.told.next() == 0)
    for sequence in 1...20 as ClosedRange<UInt64> {
      try scene.touch()
      scene.sequence.store(sequence, ordering: .relaxed)
      #expect(await scene.told.next() == sequence)
    }
    watcher.stop()
  }

  @Test func aCommitBeforeTheListenerCameIsTold() async throws {
    let scene = try Scene()
    let watcher = scene.watcher(pauses: Self.never...Self.never)
    watcher.start(path: scene.url.path)
    scene.sequence.store(5, ordering: .relaxed)
    _ = scene.listen(to: watcher, knowing: 4)
    #expect(await scene.told.next() == 5)
    watcher.stop()
  }

  @Test func eachListenerIsToldWhatIsNewToIt() async throws {
    let scene = try Scene()
    let watcher = scene.watcher(pauses: .milliseconds(1) ... .milliseconds(1))
    watcher.start(path: nil)
    let (knowing, ignorant, gone) = (Mailbox<UInt64?>(), Mailbox<UInt64?>(), Mailbox<UInt64?>())
    scene.sequence.store(5, ordering: .relaxed)
    _ = watcher.add(knowing: 5) { knowing.send(try? $0.get()) }
    _ = watcher.add(knowing: 0) { ignorant.send(try? $0.get()) }
    let number = watcher.add(knowing: 5) { gone.send(try? $0.get()) }
    #expect(await ignorant.next() == 5)
    #expect(!watcher.remove(number))
    scene.sequence.store(6, ordering: .relaxed)
    #expect(await ignorant.next() == 6)
    #expect(await knowing.next() == 6)
    #expect(gone.waiting == [])
    watcher.stop()
  }

  @Test func aFailureIsToldOnceAndSoIsItsEnd() async throws {
    let scene = try Scene()
    let watcher = scene.watcher(pauses: .milliseconds(1) ... .milliseconds(1))
    watcher.start(path: nil)
    scene.isBroken.store(true, ordering: .relaxed)
    _ = scene.listen(to: watcher)
    #expect(await scene.told.next() == .some(nil))
    let other = Mailbox<UInt64?>()
    _ = watcher.add(knowing: 0) { other.send(try? $0.get()) }
    #expect(await other.next() == .some(nil))
    #expect(scene.told.waiting == [])
    scene.isBroken.store(false, ordering: .relaxed)
    #expect(await scene.told.next() == 0)
    watcher.stop()
  }

  @Test func aWatcherThatIsStoppedIsGone() async throws {
    final class Probe: Sendable {
      let gone: Mailbox<Bool>
      init(_ gone: Mailbox<Bool>) { self.gone = gone }
      deinit { gone.send(true) }
    }
    let gone = Mailbox<Bool>()
    let scene = try Scene()
    let told = Mailbox<Bool>()
    do {
      let probe = Probe(gone)
      let watcher = CommitWatcher { [probe] in
        withExtendedLifetime(probe) { scene.sequence.add(1, ordering: .relaxed).newValue }
      }
      watcher.start(path: scene.url.path)
      let number = watcher.add(knowing: 0) { _ in told.send(true) }
      // Both while reports are suspended and while they are not.
      try scene.touch()
      #expect(await told.next() == true)
      #expect(watcher.remove(number))
      watcher.stop()
    }
    #expect(await gone.next() == true)
  }
}
