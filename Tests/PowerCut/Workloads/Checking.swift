import CPowerCut
import Croft
import Foundation
import PowerCut
import TestSupport

/// Makes images of what a power cut may leave of a trace, and checks each.
struct Checking {
  let workload: Workload
  let trace: Trace
  let scene: Scene
  let seed: UInt64
  /// How many acknowledged commits of each writer may be lost.
  let mayLose: Int
  /// The writer among them that waited for all of its commits; nil without one.
  let strictLane: Int?

  private(set) var images = 0
  private(set) var secondCuts = 0
  private(set) var lost = 0
  private(set) var wrong = 0

  init(
    _ workload: Workload, _ trace: Trace, _ scene: Scene, seed: UInt64, mayLose: Int,
    strictLane: Int?
  ) {
    self.workload = workload
    self.trace = trace
    self.scene = scene
    self.seed = seed
    self.mayLose = mayLose
    self.strictLane = strictLane
  }

  /// Checks images `first` to `count - 1`, which are spread evenly over the events of the trace.
  mutating func run(_ count: Int, from first: Int) throws {
    let cuts = trace.events.indices.filter { $0 >= trace.beginning && trace.touchesDisk($0) }
    guard !cuts.isEmpty else { return }
    var disk = Disk(trace, seed: seed)
    var told = Told(strictLane: strictLane)
    var next = 0
    for image in first..<count {
      let event = cuts[image * cuts.count / count]
      while next < event {
        if case .mark(let mark) = trace.events[next] { told.hear(mark) }
        disk.apply(trace.events[next])
        next += 1
      }
      say("at \(image)")
      do {
        try check(image, disk.during(trace.events[event]), told)
      } catch {
        report(error, image, event)
      }
      images += 1
    }
  }

  private mutating func report(_ error: any Error, _ image: Int, _ event: Int) {
    let words: String
    switch error {
    case Damage.lost(let what):
      lost += 1
      words = "lost: \(what)"
    case Damage.wrong(let what):
      wrong += 1
      words = "wrong: \(what)"
    default:
      wrong += 1
      words = "wrong: \(error)"
    }
    say("bad \(image), event \(event) of \(trace.events.count): \(words)")
    let kept = scene.folder.deletingLastPathComponent().appending(path: "bad-\(image)")
    // The first ones are kept to be looked at; where that fails, they are in the seed.
    if lost + wrong <= 3 { try? FileManager.default.copyItem(at: scene.folder, to: kept) }
  }

  /// Checks one image, and in one of ten cases what a second power cut leaves of it.
  private mutating func check(_ image: Int, _ disk: Disk, _ told: Told) throws {
    var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(image))
    try place(Image(of: disk, &random), &random)
    guard random.oneIn(10) else {
      return try workload.check(scene, told, mayLose: mayLose, writes: random.oneIn(4))
    }
    let path = scene.folder.deletingLastPathComponent().appending(path: "second-trace")
    // There is one from the check before; the recorder wants to make its own.
    try? FileManager.default.removeItem(at: path)
    guard powercut_start(scene.folder.path, path.path) == 0 else { return }
    do {
      defer { powercut_stop() }
      try workload.check(scene, told, mayLose: mayLose, writes: true)
    }
    let second = try Trace(contentsOf: path)
    let cuts = second.events.indices.filter { $0 >= second.beginning }
    guard let cut = cuts.randomElement(using: &random) else { return }
    var disk = Disk(second, seed: seed)
    for event in second.events[..<cut] { disk.apply(event) }
    try place(Image(of: disk.during(second.events[cut]), &random), &random)
    secondCuts += 1
    try workload.check(scene, told, mayLose: mayLose, writes: random.oneIn(2))
  }

  /// Puts an image into the folder; a lock table has any bytes, because nobody waits for its disk.
  private func place(_ image: Image, _ random: inout SeededGenerator) throws {
    // What does not exist need not be removed.
    try? FileManager.default.removeItem(at: scene.folder)
    try FileManager.default.createDirectory(at: scene.folder, withIntermediateDirectories: true)
    for (name, bytes) in image.files.sorted(by: { $0.key < $1.key }) {
      var bytes = bytes
      if name.hasSuffix("-lock") {
        switch random.below(4) {
        case 0: continue
        case 1: bytes = []
        case 2: bytes = random.bytes(20_000)
        default: break
        }
      }
      try Data(bytes).write(to: scene.folder.appending(path: name))
    }
  }
}
