/// One thing that is measured on engines with live queries: commits, with and without observers.
package struct LiveWorkload: Sendable {
  /// The name in reports and after `--only`.
  package let name: String
  /// Whether only engines that tell differences take part.
  package let needsDifferences: Bool
  /// Whether another process makes the commits, so that ``WakeUpTrial`` measures it.
  package let isBetweenProcesses: Bool
  /// What the store holds, of so many objects asked for.
  package let items: @Sendable (Int) -> [Item]
  /// The queries that are watched; commits change the result of the first, and of no other.
  package let queries: @Sendable (Int) -> [LiveQuery]
  /// The fields that commits change.
  package let fields: LiveFields
  /// The commits: the objects that each one changes, as they are afterwards.
  let commits: @Sendable ([Item], inout SplitMix64) -> [[Item]]

  private init(
    _ name: String, needsDifferences: Bool = false, isBetweenProcesses: Bool = false,
    items: @escaping @Sendable (Int) -> [Item],
    queries: @escaping @Sendable (Int) -> [LiveQuery] = { _ in [.all] },
    fields: LiveFields = .textAndTime,
    commits: @escaping @Sendable ([Item], inout SplitMix64) -> [[Item]]
  ) {
    self.name = name
    self.needsDifferences = needsDifferences
    self.isBetweenProcesses = isBetweenProcesses
    self.items = items
    self.queries = queries
    self.fields = fields
    self.commits = commits
  }

  /// The commits of each round between processes, which end with what they began with.
  package func commits(_ size: Int) -> [[Item]] {
    var random = SplitMix64(seed: Dataset.seed)
    return commits(items(size), &random)
  }

  /// The word that stands for all of them.
  package static let group = "live"

  /// Every workload, in the order of a report.
  package static let all: [LiveWorkload] =
    [change("live-change") { $0 }, change("live-change-1000") { min($0, 1_000) }]
    + reordering("live-evens-odds") { ranks in
      ranks.filter { $0 % 2 == 0 } + ranks.filter { $0 % 2 == 1 }
    }
    + reordering("live-riffle") { ranks in
      let half = (ranks.count + 1) / 2
      return ranks.map { $0 % 2 == 0 ? $0 / 2 : half + $0 / 2 }
    }
    + reordering("live-pair-swap") { ranks in
      ranks.map { $0 ^ 1 < ranks.count ? $0 ^ 1 : $0 }
    } + [1, 100, 10_000].map { observers($0) } + [
      aggregate("live-count", .count(priority: countedPriority)),
      aggregate("live-sum", .sumOfPriorities), aggregate("live-group", .groupCounts),
      aggregate("live-dashboard", .dashboard(isReadAgain: false)),
      aggregate("live-dashboard-read", .dashboard(isReadAgain: true)), wakeUp,
    ]

  /// The workloads of a name, or all of them for the group's; nil when the word names nothing.
  package static func named(_ word: String) -> [LiveWorkload]? {
    if word == group { return all }
    let found = all.filter { $0.name == word }
    return found.isEmpty ? nil : found
  }
}

extension LiveWorkload {
  /// How many commits change one object each.
  private static let singleCommits = 20

  /// One object of a sorted result goes to another place with each commit.
  private static func change(
    _ name: String, size: @escaping @Sendable (Int) -> Int
  ) -> LiveWorkload {
    LiveWorkload(name, items: { Dataset(size: size($0)).items }) { items, random in
      (0..<singleCommits).map { _ in
        var item = items[random.below(items.count)]
        // Between whole seconds, where no other object is.
        item.createdAt = items[random.below(items.count)].createdAt + random.fraction()
        return [item]
      }
    }
  }

  /// A sorted result takes another order in one commit, and its old one in the next.
  ///
  /// It has a fifth of the objects asked for, and two fifths in its double.
  ///
  /// - Parameter order: from the ranks 0, 1, 2 ... to the same in another order.
  private static func reordering(
    _ name: String, order: @escaping @Sendable ([Int]) -> [Int]
  ) -> [LiveWorkload] {
    [(name, 1), (name + "-double", 2)].map { name, factor in
      LiveWorkload(
        name, needsDifferences: true,
        items: { size in
          let items = Dataset(size: max(2, size / 5) * factor).items
          return items.enumerated().map { $1.created(at: Double($0)) }
        },
        commits: { items, _ in
          let changed = order(Array(items.indices)).enumerated().map { place, rank in
            items[rank].created(at: Double(place))
          }
          return [changed, items, changed]
        })
    }
  }

  /// Each observer watches a group of ten objects; commits change objects of the first group.
  ///
  /// There are no more observers than groups. Engines that fetch for every observer take minutes
  /// for the largest number, which 100 observers show as well: they are left out.
  private static func observers(_ count: Int) -> LiveWorkload {
    LiveWorkload(
      "live-observers-\(count)", needsDifferences: count > 1_000,
      items: { size in inGroups(size) },
      queries: { size in (0..<min(count, groupCount(size))).map { .group($0) } },
      commits: { items, random in editsOfFirstGroup(singleCommits, items, &random) })
  }

  /// The priority whose objects are counted.
  private static let countedPriority = 2
  /// How many groups are counted, of however many objects.
  private static let countedGroups = 100

  /// Each commit changes the numbers of an aggregate of all objects, by one object.
  private static func aggregate(_ name: String, _ query: LiveQuery) -> LiveWorkload {
    LiveWorkload(
      name,
      items: { size in
        Dataset(size: size).items.map { item in
          var item = item
          item.groupId = Int(item.id) % countedGroups
          return item
        }
      },
      queries: { _ in [query] }, fields: .priorityAndGroup,
      commits: { items, random in
        // As they are by then: an object may be changed more than once.
        var items = items
        return (0..<singleCommits).map { _ in
          let place = random.below(items.count)
          let isCounted = items[place].priority == countedPriority
          items[place].priority = isCounted ? countedPriority + 1 : countedPriority
          items[place].groupId = (items[place].groupId + 1) % countedGroups
          return [items[place]]
        }
      })
  }

  /// Another process changes the ten objects that the observer watches, and puts them back.
  private static let wakeUp = LiveWorkload(
    "live-wake-up", isBetweenProcesses: true, items: { size in inGroups(size) },
    queries: { _ in [.group(0)] },
    commits: { items, random in
      let group = items.filter { $0.groupId == 0 }
      // A run with few objects is there to see that it works.
      let (count, cycles) = items.count < 10_000 ? (min(4, group.count), 1) : (group.count, 5)
      return (0..<cycles).flatMap { _ in
        editsOfFirstGroup(count, items, &random) + group.prefix(count).map { [$0] }
      }
    })

  /// How many groups of ten objects there are.
  private static func groupCount(_ size: Int) -> Int { max(1, size / 10) }

  /// The dataset's objects, ten in each group.
  private static func inGroups(_ size: Int) -> [Item] {
    Dataset(size: size).items.map { item in
      var item = item
      item.groupId = Int(item.id) % groupCount(size)
      return item
    }
  }

  /// Commits that each give one object of the first group another text.
  private static func editsOfFirstGroup(
    _ count: Int, _ items: [Item], _ random: inout SplitMix64
  ) -> [[Item]] {
    let group = items.filter { $0.groupId == 0 }
    return (0..<count).map { commit in
      var item = group[commit % group.count]
      item.text = String(item.text.dropLast(20)) + random.digits(20)
      return [item]
    }
  }
}

extension Item {
  fileprivate func created(at seconds: Double) -> Item {
    var item = self
    item.createdAt = seconds
    return item
  }
}

extension SplitMix64 {
  /// A number above 0 and below 1.
  fileprivate mutating func fraction() -> Double { Double(1 + below(999_999)) / 1_000_000 }

  /// A text of so many digits.
  fileprivate mutating func digits(_ count: Int) -> String {
    String(decoding: (0..<count).map { _ in UInt8(48 + below(10)) }, as: UTF8.self)
  }
}
