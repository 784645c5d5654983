import Foundation
import Testing
import TestSupport

@testable import Croft

enum LinkedBefore {
  @Model struct Note: Equatable {
    @PrimaryKey var id: Int
    var count: Int32
  }
}

enum LinkedAfter {
  @Model struct Note: Equatable {
    @PrimaryKey var id: Int
    var count: Int64
  }
}

/// Stores whose path is a symbolic link, or leads through one.
@Suite struct StoreLinkTests {
  private let folder = TemporaryFolder()
  private var file: URL { URL(filePath: folder.path(to: "real.croft")) }

  /// Makes a store of one object, as a file that everybody may read, without its lock table.
  private func makeFile() throws {
    do {
      let store = try Store.open(at: file, models: LinkedBefore.Note.self, options: .forTests)
      try store.write { try $0.insert(LinkedBefore.Note(id: 1, count: 1)) }
    }
    try FileManager.default.removeItem(atPath: file.path + "-lock")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
  }

  /// Makes links to the file, in all the ways that a path can lead to it.
  private func makeLinks() throws -> [String] {
    let files = FileManager.default
    let links = ["absolute", "relative", "chained", "folder/real.croft"]
    try files.createSymbolicLink(
      atPath: folder.path(to: "absolute"), withDestinationPath: file.path)
    try files.createSymbolicLink(
      atPath: folder.path(to: "relative"), withDestinationPath: "real.croft")
    try files.createSymbolicLink(
      atPath: folder.path(to: "chained"), withDestinationPath: "absolute")
    try files.createSymbolicLink(atPath: folder.path(to: "folder"), withDestinationPath: ".")
    return links
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(to: "")).sorted()
  }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.path(to: name))[.posixPermissions]
      as? Int
  }

  /// `Store.inMemory(copyOf:)` copied the link itself: the migration and the writes of the private
  /// copy, and its mode, went to the file that the link leads to; a relative link did not open.
  @Test func aPrivateCopyOfALinkLeavesTheFileThatTheLinkLeadsTo() throws {
    try makeFile()
    let links = try makeLinks()
    let (bytes, files) = (try Data(contentsOf: file), try names())
    for name in links {
      let copy = try Store.inMemory(
        copyOf: URL(filePath: folder.path(to: name)), models: LinkedAfter.Note.self)
      #expect(try copy.fetch(LinkedAfter.Note.all) == [LinkedAfter.Note(id: 1, count: 1)])
      try copy.write { tx in
        _ = try tx.deleteAll(LinkedAfter.Note.self)
        try tx.insert(contentsOf: (0..<500).map { LinkedAfter.Note(id: $0, count: .max) })
      }
      #expect(try Data(contentsOf: file) == bytes, "copied through \(name)")
      #expect(try mode("real.croft") == 0o644, "copied through \(name)")
      #expect(try names() == files, "copied through \(name)")
    }
    let store = try Store.open(at: file, models: LinkedBefore.Note.self, options: .forTests)
    #expect(try store.fetch(LinkedBefore.Note.all) == [LinkedBefore.Note(id: 1, count: 1)])
  }

  @Test func aLinkThatLeadsNowhereAndAFolderCannotBeCopied() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(to: "dangling"), withDestinationPath: "none")
    try FileManager.default.createDirectory(
      atPath: folder.path(to: "folder"), withIntermediateDirectories: false)
    for name in ["dangling", "folder", "none"] {
      let url = URL(filePath: folder.path(to: name))
      let error = #expect(throws: StoreError.self) {
        try Store.inMemory(copyOf: url, models: LinkedAfter.Note.self)
      }
      guard case .cannotOpen(let path, _) = error else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
      #expect(path == url.path)
    }
    #expect(try names() == ["dangling", "folder"])
  }

  /// Whatever replaces or compacts a store's file must leave a link to it a link.
  @Test func compactingAndOpeningThroughALinkKeepTheLinkAndTheMode() throws {
    try makeFile()
    for name in try makeLinks() {
      let url = URL(filePath: folder.path(to: name))
      try Store.compact(at: url, options: .forTests)
      var options = Store.Options.forTests
      options.compaction = CompactionRule(leastFileBytes: 0, leastFreeShare: 0)
      do {
        let store = try Store.open(at: url, models: LinkedBefore.Note.self, options: options)
        #expect(try store.count(LinkedBefore.Note.all) == 1)
        #expect(throws: StoreError.self) { try store.backup(to: url, replacesExisting: true) }
      }
      #expect(try mode("real.croft") == 0o644, "by \(name)")
      let link = folder.path(to: name.split(separator: "/").first.map(String.init) ?? name)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) != "")
    }
    #expect(
      try names() == ["absolute", "chained", "folder", "real.croft", "real.croft-lock", "relative"])
  }
}
