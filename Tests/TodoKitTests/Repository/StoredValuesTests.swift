import Croft
import Foundation
import TestSupport
import Testing
import TodoKit
import TodoTestSupport

/// Items, groups and commands lose nothing in the store, in the history and in JSON.
///
/// The properties are counted by reflection, so that a new one cannot be forgotten here.
@Suite struct StoredValuesTests {
  /// An item in which every property differs from that of a new item.
  static func fullItem(group: UUID) -> TodoItem {
    var item = TodoItem(
      id: .numbered(7), title: "보고서", priority: .high, isDone: true, isImportant: true,
      createdAt: Date(timeIntervalSinceReferenceDate: 0.25), note: "두 쪽\n", group: .init(group),
      tags: ["회사", "a b"], order: 12, doneAt: Date(timeIntervalSinceReferenceDate: 0.5),
      foreignID: "todo.txt 3", foreignRecord: Data([0, 255]))
    item.due = CalendarDay(year: 2028, month: 2, day: 29)
    item.dueTime = TimeOfDay(hour: 23, minute: 59)
    item.hiddenUntil = CalendarDay(year: 2028, month: 2, day: 1)
    item.repeats = RepeatRule(rawValue: "2 weeks")
    item.estimate = Estimate("1h30m")
    return item
  }

  static let fullGroup = TodoGroup(
    id: .numbered(8), name: "집안일", color: RGBA("#ff880080") ?? .gray,
    image: GroupImage(bytes: Data([0x89, 0x50, 0, 0xFF]), mimeType: "image/png"), order: 9,
    createdAt: Date(timeIntervalSinceReferenceDate: 0.75))

  /// The names of the properties in which two values are the same, or which are nil.
  private func sameProperties(_ full: Any, _ plain: Any) -> [String] {
    zip(Mirror(reflecting: full).children, Mirror(reflecting: plain).children).compactMap {
      let (value, other) = ("\($0.value)", "\($1.value)")
      return value == other || value == "nil" ? $0.label : nil
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func noPropertyIsForgotten(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let group = Self.fullGroup
    let item = Self.fullItem(group: group.id)
    #expect(sameProperties(item, TodoItem(title: "")) == [])
    #expect(sameProperties(group, TodoGroup(name: "")) == [])
    try repository.perform(.add(groups: [group], items: [item]))
    #expect(try repository.item(item.id) == item)
    #expect(try repository.group(group.id) == group)
    try repository.perform(.deleteGroup(id: group.id, holding: nil))
    #expect(try repository.item(item.id) == nil)
    try repository.perform(.undo)
    #expect(try repository.item(item.id) == item, "the history has every property")
    #expect(try repository.group(group.id) == group)
  }

  @Test func itemsAndGroupsAreValuesWithIdentity() throws {
    func check<V: Identifiable & Codable & Hashable & Sendable>(
      _ value: V, _ change: (inout V) -> Void
    ) throws where V.ID == UUID {
      var other = value
      change(&other)
      #expect(other.id == value.id && other != value)
      #expect(Set([value, other, value]).count == 2)
      let data = try JSONEncoder().encode(value)
      #expect(try JSONDecoder().decode(V.self, from: data) == value)
    }
    try check(Self.fullGroup) { $0.name = "another" }
    try check(Self.fullItem(group: Self.fullGroup.id)) { $0.title = "another" }
  }

  @Test func everyPropertyOfAPatchSurvivesTheWire() throws {
    var patch = ItemPatch(
      title: "t", note: "n", priority: .low, isDone: false, isImportant: true,
      groupID: .numbered(1), due: CalendarDay(year: 2026, month: 6, day: 1),
      dueTime: TimeOfDay(hour: 9, minute: 30), repeats: RepeatRule(rawValue: "day"),
      tags: ["x"], addedTags: ["a"], removedTags: ["b"], order: 7,
      doneAt: Date(timeIntervalSinceReferenceDate: 1), foreignID: "f", foreignRecord: Data([1]))
    patch.hiddenUntil = .some(CalendarDay(year: 2026, month: 5, day: 1))
    patch.estimate = .some(Estimate("2h"))
    #expect(sameProperties(patch, ItemPatch()) == [])
    for child in Mirror(reflecting: patch).children {
      let key = try #require(child.label)
      // Each property alone, so that none of them is carried by another.
      let data = try JSONEncoder().encode(patch)
      let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      let value = try #require(object[key], "\(key) is not in the JSON")
      let alone = try JSONSerialization.data(withJSONObject: [key: value])
      let read = try JSONDecoder().decode(ItemPatch.self, from: alone)
      #expect(read != ItemPatch(), "\(key)")
      #expect(try JSONDecoder().decode(ItemPatch.self, from: JSONEncoder().encode(read)) == read)
    }
    #expect(try JSONDecoder().decode(ItemPatch.self, from: JSONEncoder().encode(patch)) == patch)
    let groupPatch = GroupPatch(
      name: "n", color: RGBA("#ff880080") ?? .gray, image: .some(nil), order: 3)
    let groupData = try JSONEncoder().encode(groupPatch)
    #expect(try JSONDecoder().decode(GroupPatch.self, from: groupData) == groupPatch)
  }

  /// The kind of a command; a new kind does not compile until it is named here.
  private func kind(of command: TodoCommand) -> String {
    switch command {
    case .add: "add"
    case .editItems: "editItems"
    case .editGroup: "editGroup"
    case .moveItems: "moveItems"
    case .moveGroup: "moveGroup"
    case .deleteItems: "deleteItems"
    case .deleteAll: "deleteAll"
    case .deleteGroup: "deleteGroup"
    case .importItems: "importItems"
    case .ifUnchanged: "ifUnchanged"
    case .reusingGroups: "reusingGroups"
    case .undo: "undo"
    case .redo: "redo"
    }
  }

  @Test func everyKindOfCommandSurvivesTheWire() throws {
    let group = Self.fullGroup
    let item = Self.fullItem(group: group.id)
    var changed = item
    changed.title = "another"
    changed.foreignRecord = Data([2])
    let edit = ItemEdit(from: item, to: changed)
    let commands: [TodoCommand] = [
      .add(groups: [group], items: [item]),
      .editItems(
        ids: [item.id], patch: edit.patch, ifStill: edit.expected, inNewGroup: group),
      .editGroup(id: group.id, patch: GroupPatch(name: "n"), ifStill: GroupPatch(name: "m")),
      .moveItems(ids: [item.id], to: .after(id: .numbered(2))), .moveItems(ids: [], to: .first),
      .moveGroup(id: group.id, to: .last), .deleteItems(ids: [item.id]),
      .deleteAll(list: .group(id: group.id), filter: .done),
      .deleteGroup(id: group.id, holding: [item.id]), .deleteGroup(id: group.id, holding: nil),
      .importItems(groups: [group], items: [item], edits: [edit]),
      .ifUnchanged(
        ExpectedState(items: [item], groups: [group]),
        then: .ifUnchanged(ExpectedState(), then: .deleteItems(ids: [item.id]))),
      .reusingGroups(.add(groups: [group], items: [item])), .undo, .redo,
    ]
    #expect(Set(commands.map(kind)).count == 13)
    for command in commands {
      let data = try JSONEncoder().encode(command)
      #expect(try JSONDecoder().decode(TodoCommand.self, from: data) == command)
    }
  }

  /// The first screen of a list is a query with a limit, which must not order otherwise than the whole.
  @Test(arguments: RepositoryKind.allCases)
  func aPageOfEveryOrderIsTheBeginningOfTheWhole(kind: RepositoryKind) throws {
    var random = SeededGenerator.forTest("StoredValuesTests")
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let items = (1...60).map { number in
      var item = TodoItem.numbered(
        number, title: "\("aAbB".randomElement(using: &random) ?? "a")\(random.below(9))",
        priority: [.none, .low, .normal, .high][random.below(4)])
      item.createdAt = Date(timeIntervalSinceReferenceDate: Double(random.below(9)))
      if !random.oneIn(3) {
        item.due = CalendarDay(year: 2026, month: 6, day: 1 + random.below(5))
        if random.oneIn(2) { item.dueTime = TimeOfDay(hour: random.below(24), minute: 0) }
      }
      return item
    }
    try repository.perform(.add(items))
    for sort in ItemSort.allCases {
      let whole = sort.sorted(try repository.items(.all)).map(\.id)
      for limit in [0, 1, 7, 59, 60, 61] {
        var request = ListPage.Request(.all, limit: limit, completedLimit: 0)
        request.sort = sort
        let page = try repository.page(request)
        #expect(
          page.items.map(\.id) == Array(whole.prefix(limit)),
          "\(sort), limit \(limit), seed \(random.seed)")
      }
    }
  }
}
