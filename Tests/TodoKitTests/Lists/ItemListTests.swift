import Foundation
import Testing
import TodoKit
import TodoTestSupport

@Suite("ItemList")
struct ItemListTests {
  @Test func importantCanNeitherBeAddedToNorRenamedNorDeleted() {
    let flags = ItemList.important.capabilities
    #expect(!flags.canAdd && !flags.canRename && !flags.canDelete)
  }

  @Test func aGroupCanBeAddedToRenamedAndDeleted() {
    let flags = ItemList.group(id: .numbered(1)).capabilities
    #expect(flags.canAdd && flags.canRename && flags.canDelete)
  }

  @Test func theListsThatAreNoGroupsCanOnlyBeAddedTo() {
    for list in [ItemList.all, .ungrouped] {
      let flags = list.capabilities
      #expect(flags.canAdd && !flags.canRename && !flags.canDelete)
    }
  }

  @Test func newItemsOfAGroupBelongToItAndOthersToNone() {
    #expect(ItemList.group(id: .numbered(1)).groupID == .numbered(1))
    for list in [ItemList.all, .important, .ungrouped] { #expect(list.groupID == nil) }
  }

  @Test(arguments: RepositoryKind.allCases)
  func importantIsThereFromTheStartAndHoldsNoCopies(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    #expect(try repository.items(in: .important, .all) == [])
    try repository.perform(.add(.numbered(1, isImportant: true)))
    // Trap T8: a copy kept in the list would still have the old title.
    try repository.perform(.retitle(.numbered(1), to: "new"))
    #expect(try repository.items(in: .important, .all).map(\.title) == ["new"])
    try repository.perform(.setDone([.numbered(1)], true))
    #expect(try repository.items(in: .important, .done).map(\.title) == ["new"])
    try repository.perform(.setImportant([.numbered(1)], false))
    #expect(try repository.items(in: .important, .all) == [])
  }
}
