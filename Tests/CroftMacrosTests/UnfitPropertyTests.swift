import Testing

/// Properties that compiled, and ended the process when the store was opened: without a word in release.
@Suite struct UnfitPropertyTests {
  @Test(arguments: ["Double", "Swift.Bool", "[Int]", "(Int, Int)", "URL", "Set<Int>"])
  func aTypeThatNoKeyHasIsRefusedAtTheProperty(type: String) {
    expectMisuse(
      "unfitPrimaryKey",
      "the primary key 'id' cannot be of type \(type); use an integer, a String, UUID, Date, Data, "
        + "Ref, or an enum that is a StoredEnum",
      line: 2, column: 23,
      in: """
        @Model struct Song {
          @PrimaryKey var id: \(type)
        }
        """,
      expanded: """
        struct Song {
          var id: \(type)
        }
        """,
      conforming: .model("Song", key: "Swift.Int", isIdentified: false))
  }

  @Test(arguments: ["Int", "Double?", "[Date]", "Bool"])
  func theCaseOfWhatIsNoTextIsNotFolded(type: String) {
    expectMisuse(
      "caseFoldedOffText",
      "'field' has no letter case to fold, because it is of type \(type); remove '.caseFolded'",
      line: 2, column: 21,
      in: """
        @Model struct Song {
          @Indexed(.unique, .caseFolded) var field: \(type)
        }
        """,
      expanded: """
        @Model struct Song {
          var field: \(type)
        }
        """,
      expanding: ["Indexed"])
  }

  @Test(arguments: ["String", "String?", "[String]", "URL", "Ref<Album>", "Kind", "Tagged<Int>"])
  func theCaseOfWhatMayBeATextIsFolded(type: String) {
    expectExpansion(
      of: """
        @Model struct Song {
          @Indexed(.caseFolded) var field: \(type)
        }
        """,
      """
      @Model struct Song {
        var field: \(type)
      }
      """, expanding: ["Indexed"])
  }

  @Test(arguments: ["Int", "String?", "[UUID]"])
  func aRuleForWhatHoldsNoReferenceIsRefused(type: String) {
    expectMisuse(
      "relationOffReference",
      "@Relation has no effect on 'field', which holds no reference; make it a Ref, or remove "
        + "@Relation",
      line: 2, column: 3,
      in: """
        @Model struct Song {
          @Relation(onDelete: .cascade) var field: \(type)
        }
        """,
      expanded: """
        @Model struct Song {
          var field: \(type)
        }
        """,
      remedies: ["remove '@Relation(onDelete: .cascade)'"],
      fixed: """
        @Model struct Song {
          var field: \(type)
        }
        """,
      expanding: ["Relation"])
  }

  @Test(arguments: [".nullify", "DeleteRule.nullify"])
  func aRequiredReferenceIsNotNullified(rule: String) {
    expectMisuse(
      "nullifiedRequired",
      "'album' must refer to an object, so it cannot be nullified; make it optional, or choose "
        + ".cascade or .deny",
      line: 2, column: 23,
      in: """
        @Model struct Song {
          @Relation(onDelete: \(rule)) var album: Ref<Album>
        }
        """,
      expanded: """
        @Model struct Song {
          var album: Ref<Album>
        }
        """,
      expanding: ["Relation"])
  }

  @Test(arguments: ["Ref<Album>?", "[Ref<Album>]", "Set<Ref<Album>>", "Owner"])
  func otherReferencesMayBeNullified(type: String) {
    expectExpansion(
      of: """
        @Model struct Song {
          @Relation(onDelete: .nullify) var album: \(type)
        }
        """,
      """
      @Model struct Song {
        var album: \(type)
      }
      """, expanding: ["Relation"])
  }

  @Test func anOptionalOfAnOptionalIsRefused() {
    expectMisuse(
      "optionalOfOptional", "'note' cannot be an optional of an optional; write one '?'",
      line: 3, column: 13,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          var note: String??
        }
        """,
      expanded: """
        struct Song {
          var id: Int
          var note: String??
        }
        """,
      conforming: .model("Song"), remedies: ["change 'String??' to 'String?'"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: Int
          var note: String?
        }
        """)
  }

  /// The compiler spoke of key paths and their types, and not of the property that there is not.
  @Test(arguments: [
    ("nmae", "indexOfUnknown", "'Song' has no stored property 'nmae'"),
    ("length", "indexOfUnknown", "'Song' has no stored property 'length'"),
    ("theme", "indexOnCoded", "'theme' cannot be indexed, because an index cannot look into JSON"),
  ])
  func anIndexNamesStoredProperties(name: String, id: String, message: String) {
    expectMisuse(
      id, message, line: 6, column: 36,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          var name: String
          @Coded var theme: Theme
          var length: Int { 1 }
          #Unique<Song>([\\.id], [\\.name, \\.\(name).descending])
        }
        """,
      expanded: """
        struct Song {
          var id: Int
          var name: String
          var theme: Theme
          var length: Int { 1 }
        }
        """,
      conforming: .model("Song"))
  }

  /// The compiler spoke of key paths that do not convert.
  @Test(arguments: [
    ("pages", "Int"), ("day", "Date?"), ("numbers", "[Int]"), ("counts", "[String: Int]"),
    ("year", "Swift.Int"), ("author", "Ref<Author>"),
  ])
  func aSearchNamesTexts(name: String, type: String) {
    expectMisuse(
      "searchOffText",
      "'\(name)' has no text to search, because it is of type \(type); name texts, or arrays or sets of "
        + "texts",
      line: 12, column: 54,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          var name: String
          var note: String?
          var tags: Set<String>
          var pages: Int
          var day: Date?
          var numbers: [Int]
          var counts: [String: Int]
          var year = 1999
          var author: Ref<Author>
          #FullText<Song>([\\.name, \\.note, \\.tags, \\.tags, \\.\(name)])
        }
        """,
      expanded: """
        struct Song {
          var id: Int
          var name: String
          var note: String?
          var tags: Set<String>
          var pages: Int
          var day: Date?
          var numbers: [Int]
          var counts: [String: Int]
          var year = 1999
          var author: Ref<Author>
        }
        """,
      conforming: .model("Song", isSearchable: true))
  }

  @Test func aModelHasOneFullText() {
    expectMisuse(
      "secondFullText", "'Song' has a #FullText already; name all its texts in one",
      line: 6, column: 3,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          var name: String
          var note: String
          #FullText<Song>([\\.name])
          #FullText<Song>([\\.note])
        }
        """,
      expanded: """
        struct Song {
          var id: Int
          var name: String
          var note: String
        }
        """,
      conforming: .model("Song", isSearchable: true))
  }

  /// The compiler's own initializer is private where a property is: another file was told of the
  /// decoding initializer's parameters instead.
  @Test func aPrivatePropertyLeavesAnInitializerForOtherFiles() {
    expectExpansion(
      of: """
        @Model struct Counter {
          @PrimaryKey var name: String
          private var hits = 0
        }
        """,
      #"""
      struct Counter {
        var name: String
        private var hits = 0
      }

      nonisolated extension Counter: Croft.Model {
        nonisolated static let _schema = Croft._ModelSchema<Counter>(
          "Counter",
          [
            Croft._keyColumn(\Counter.name, "name"),
            Croft._column(\Counter.hits, "hits", default: {
                0
              }),
          ])

        nonisolated var _primaryKey: String {
          self.name
        }

        nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          self.name = try Self._decodeKey(&row) {
            $0.name
          }
          self.hits = try Self._decode(&row) {
            $0.hits
          }
        }

        nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encodeKey(self.name)
          row.encode(self.hits)
        }

        @_disfavoredOverload
        nonisolated init(
          name: String,
          _: Never...
        ) {
          self.name = name
        }
      }
      """#)
  }
}
