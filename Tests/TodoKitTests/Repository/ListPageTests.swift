import Foundation
import ReactiveTestSupport
import TestSupport
import Testing
import TodoKit
import TodoTestSupport

@Suite struct ListPageTests {
  /// Open items come in their order as far as there is room, and the last completed ones after them.
  @Test(arguments: RepositoryKind.allCases)
  func aPageIsTheBeginningOfAList(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = TodoGroup.numbered(1, name: "집")
    let items = (1...9).map { number in
      var item = TodoItem.numbered(
        number, isDone: number > 4, group: number.isMultiple(of: 2) ? home.id : nil)
      // The one with the greatest number was completed first.
      if item.isDone { item.doneAt = Date(timeIntervalSince1970: 1_000 - Double(number)) }
      return item
    }
    try repository.perform(.add(groups: [home], items: items))
    func page(
      _ list: ItemList, _ limit: Int?, _ completed: Int?
    ) throws -> (numbers: [UUID], hidden: Tally, groups: [TodoGroup]) {
      let request = ListPage.Request(list, limit: limit, completedLimit: completed)
      let page = try repository.page(request)
      return (
        page.items.map(\.id), page.hidden,
        page.groups.map { group in
          var group = group
          group.order = 0
          return group
        }
      )
    }
    func ids(_ numbers: Int...) -> [UUID] { numbers.map { .numbered($0) } }
    let whole = try page(.all, nil, nil)
    #expect(whole.numbers == items.map(\.id) && whole.hidden == Tally())
    #expect(whole.groups.map(\.name) == ["집"])
    let few = try page(.all, nil, 2)
    #expect(few.numbers == ids(1, 2, 3, 4, 5, 6) && few.hidden == Tally(total: 3, done: 3))
    let short = try page(.all, 3, 2)
    #expect(short.numbers == ids(1, 2, 3) && short.hidden == Tally(total: 6, done: 5))
    let five = try page(.all, 5, 4)
    #expect(five.numbers == ids(1, 2, 3, 4, 5))
    let group = try page(.group(id: home.id), nil, 1)
    #expect(group.numbers == ids(2, 4, 6) && group.hidden == Tally(total: 1, done: 1))
    let none = try page(.ungrouped, 0, 0)
    #expect(none.numbers == [] && none.groups == [] && none.hidden == Tally(total: 5, done: 3))
  }

  @Test(arguments: RepositoryKind.allCases)
  func aPageFollowsWhatChanges(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let group = TodoGroup.numbered(1, name: "집")
    try repository.perform(
      .add(groups: [group], items: [.numbered(1, group: group.id), .numbered(2), .numbered(3)]))
    let pages = Recorder(repository.observe(ListPage.Request(.all, limit: 2)))
    pages.wait { $0.last?.items.count == 2 }
    try repository.perform(.retitle(.numbered(2), to: "new"))
    pages.wait { $0.last?.items.last?.title == "new" }
    try repository.perform(.editGroup(group.id, GroupPatch(name: "house")))
    pages.wait { $0.last?.groups.map(\.name) == ["house"] }
    try repository.perform(.delete([.numbered(1)]))
    pages.wait { $0.last?.items.map(\.id) == [.numbered(2), .numbered(3)] }
    #expect(pages.elements.last?.groups == [] && pages.elements.last?.hidden == Tally())
  }

  /// A front end that shows rows and counts of two commits contradicts itself.
  @Test(arguments: RepositoryKind.allCases)
  func anOverviewIsOneValueForEachCommit(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let request = ListPage.Request(.all, rows: 0..<2)
    let overviews = Recorder(repository.observeOverview(request))
    overviews.wait { $0.count == 1 }
    let group = TodoGroup.numbered(1, name: "집")
    try repository.perform(
      .add(groups: [group], items: [.numbered(1, group: group.id), .numbered(2), .numbered(3)]))
    overviews.wait { $0.count == 2 }
    try repository.perform(.setImportant([.numbered(1)], true))
    overviews.wait { $0.count == 3 }
    try repository.perform(.setDone([.numbered(1), .numbered(2)], true))
    overviews.wait { $0.count == 4 }
    // Outside the rows of the page: the counts and the history change.
    try repository.perform(.delete([.numbered(2)]))
    overviews.wait { $0.count == 5 }
    for overview in overviews.elements {
      let (items, hidden) = (overview.page.items, overview.page.hidden)
      #expect(overview.all.total == items.count + hidden.total)
      #expect(overview.all.done == items.count(where: \.isDone) + hidden.done)
    }
    let last = try repository.overview(request)
    #expect(overviews.elements.last == last)
    #expect(try last.groups == repository.groups())
    let history = try repository.history()
    #expect((last.undo != nil) == (history.undo != nil) && last.redo == nil)
    #expect(last.tally(of: .important) == Tally(total: 1, done: 1))
    #expect(last.tally(of: .ungrouped) == Tally(total: 1))
    #expect(last.tally(of: .group(id: group.id)) == Tally(total: 1, done: 1))
    #expect(last.tally(of: .group(id: .numbered(9))) == nil)
    #expect(last.group(of: .group(id: group.id))?.group.name == "집" && last.group(of: .all) == nil)
  }

  /// Each open page kept the pictures of all groups: 600 MB for ten of them.
  @Test(arguments: RepositoryKind.allCases)
  func anOverviewHasNoBytesOfPictures(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    for size in [0, 1, 1 << 16, 1 << 16 + 1, 300_000] {
      var bytes = Data(repeating: 7, count: size)
      let picture = GroupImage(bytes: bytes, mimeType: "image/png")
      var group = TodoGroup.numbered(size, name: "\(size)")
      group.image = picture
      try repository.perform(
        .add(groups: [group], items: [.numbered(size + 1, group: group.id)]))
      let shown = try repository.overview(ListPage.Request(.group(id: group.id)))
      let summary = try #require(shown.group(of: .group(id: group.id)))
      #expect(summary.picture == picture.mark && summary.group.image == nil)
      #expect(shown.page.groups.map(\.image) == [nil])
      #expect(try repository.group(group.id)?.image == picture)
      #expect(try repository.groups().last?.picture == picture.mark)
      if size == 0 { continue }
      bytes[size - 1] = 8
      let other = GroupImage(bytes: bytes, mimeType: "image/png")
      #expect((other.mark == picture.mark) == (size == 300_000), "\(size)")
      #expect(GroupImage(bytes: bytes + [1], mimeType: "image/png").mark != picture.mark)
    }
    try repository.perform(.addGroup(name: "no picture"))
    #expect(try repository.overview(ListPage.Request(.all)).groups.last?.picture == nil)
  }

  /// A window is a part of what the list is as a whole, wherever the completed items begin.
  @Test(arguments: RepositoryKind.allCases, ItemSort.allCases)
  func aWindowOfRowsIsAPartOfTheList(kind: RepositoryKind, sort: ItemSort) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let items = (1...12).map { number in
      var item = TodoItem.numbered(
        number, title: "t\(number % 5)", priority: number.isMultiple(of: 3) ? .high : .low,
        isDone: number.isMultiple(of: 2))
      // Completed in another order than that of the list.
      if item.isDone { item.doneAt = Date(timeIntervalSince1970: Double(number * 7 % 12)) }
      item.due = CalendarDay(year: 2026, month: 1 + number % 4, day: 1)
      return item
    }
    try repository.perform(.add(groups: [], items: items))
    let whole = try repository.items(in: .all, meeting: [], sortedBy: sort, limit: nil)
    for first in 0...14 {
      for count in [0, 1, 5, 20] {
        let rows = first..<first + count
        let page = try repository.page(ListPage.Request(.all, sortedBy: sort, rows: rows))
        let expected = whole[rows.clamped(to: whole.indices)]
        #expect(page.items.map(\.id) == expected.map(\.id), "\(rows)")
        #expect(page.hidden.total == whole.count - expected.count)
        #expect(page.hidden.done == 6 - expected.count(where: \.isDone))
      }
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func aWindowLeavesOutWhatIsHiddenUntilLater(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let today = try #require(CalendarDay(year: 2026, month: 1, day: 1))
    let items = (1...6).map { number in
      var item = TodoItem.numbered(number, isDone: number > 4)
      if number == 2 { item.hiddenUntil = CalendarDay(year: 2026, month: 2, day: 1) }
      return item
    }
    try repository.perform(.add(groups: [], items: items))
    var request = ListPage.Request(.all, rows: 1..<4)
    request.hidesWaitingOn = today
    let page = try repository.page(request)
    #expect(page.items.map(\.id) == [3, 4, 5].map { .numbered($0) })
    #expect(page.waiting == 1 && page.hidden == Tally(total: 2, done: 1))
  }

  /// Sizes on both sides of a batch of borrowed rows.
  @Test(arguments: [0, 1, 999, 1_000, 1_001, 2_500])
  func portionsAreTheWholeList(count: Int) throws {
    let repository = try CroftTodoRepository.inMemory()
    let group = TodoGroup.numbered(1, name: "집")
    let items = (0..<count).map { number in
      var item = TodoItem.numbered(
        number + 1, title: "t\(number % 7)", priority: number.isMultiple(of: 3) ? .high : .low,
        isDone: number.isMultiple(of: 5), group: number == 1_000 ? group.id : nil)
      item.due = CalendarDay(year: 2026, month: 1 + number % 12, day: 1)
      return item
    }
    try repository.perform(.add(groups: [group], items: items))
    for sort in ItemSort.allCases {
      var lent: [TodoItem] = []
      var groups: [[TodoGroup]] = []
      try repository.forEachPortion(in: .all, meeting: [], sortedBy: sort) {
        lent += $0
        groups.append($1)
      }
      let whole = try repository.items(in: .all, meeting: [], sortedBy: sort, limit: nil)
      #expect(lent.map(\.id) == whole.map(\.id), "\(sort)")
      #expect(groups.count == (sort == .title ? min(count, 1) : (count + 999) / 1_000))
      #expect(groups.flatMap(\.self).map(\.name) == (count > 1_000 ? ["집"] : []))
    }
    struct Stop: Error {}
    var calls = 0
    let stopped = { () throws in
      try repository.forEachPortion(in: .all, meeting: [], sortedBy: .due) { _, _ in
        calls += 1
        throw Stop()
      }
    }
    if count > 0 { #expect(throws: Stop.self) { try stopped() } } else { try stopped() }
    #expect(calls == min(count, 1))
  }

  @Test(arguments: RepositoryKind.allCases)
  func groupsAreFoundByTheirNamesInAnyCase(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    for name in ["Home", "home", "STRASSE", "집안일"] {
      try repository.perform(.addGroup(name: name))
    }
    func names(_ name: String) throws -> [String] { try repository.groups(named: name).map(\.name) }
    #expect(try Set(names("HOME")) == ["Home", "home"])
    #expect(try names("straße") == ["STRASSE"])
    #expect(try names("집안일".decomposedStringWithCanonicalMapping) == ["집안일"])
    #expect(try names("집") == [] && names("") == [])
  }
}
