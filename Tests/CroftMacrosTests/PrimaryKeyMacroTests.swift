import Testing

@Suite struct PrimaryKeyMacroTests {
  @Test func theKeyNeedsAnAnnotation() {
    expectMisuse(
      "primaryKeyNeedsAnnotation", "the primary key 'id' needs a type annotation",
      line: 2, column: 19,
      in: """
        @Model struct Song {
          @PrimaryKey var id = UUID()
        }
        """,
      expanded: """
        struct Song {
          var id = UUID()
        }
        """,
      conforming: .model("Song", key: "Swift.Int", isIdentified: false),
      remedies: ["add a type annotation"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: <#Type#> = UUID()
        }
        """)
  }

  @Test func theKeyIsNotOptional() {
    expectMisuse(
      "optionalPrimaryKey", "the primary key 'id' cannot be optional",
      line: 2, column: 23,
      in: """
        @Model struct Song {
          @PrimaryKey var id: UUID?
        }
        """,
      expanded: """
        struct Song {
          var id: UUID?
        }
        """,
      conforming: .model("Song", key: "UUID"),
      remedies: ["change 'UUID?' to 'UUID'"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: UUID
        }
        """)
  }

  @Test func anOptionalSpelledOutIsRefusedToo() {
    expectMisuse(
      "optionalPrimaryKey", "the primary key 'id' cannot be optional",
      line: 2, column: 23,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Swift.Optional<UUID>
        }
        """,
      expanded: """
        struct Song {
          var id: Swift.Optional<UUID>
        }
        """,
      conforming: .model("Song", key: "Swift.Int", isIdentified: false))
  }

  @Test func aListIsReportedOnce() {
    expectMisuse(
      "markerOnList", "@PrimaryKey marks one property; give it a declaration of its own",
      line: 2, column: 3,
      in: """
        @Model struct Song {
          @PrimaryKey var a: Int, b: Int
        }
        """,
      expanded: """
        struct Song {
          @PrimaryKey var a: Int, b: Int
        }
        """,
      conforming: .model("Song", isIdentified: false),
      expanding: ["Model"])
  }

  @Test func aStaticPropertyIsNoKey() {
    expectMisuse(
      "markerOnStatic", "@PrimaryKey cannot mark 'id', which is static and so in no stored object",
      line: 2, column: 3,
      in: """
        @Model struct Song {
          @PrimaryKey static var id: Int = 1
        }
        """,
      expanded: """
        struct Song {
          static var id: Int = 1
        }
        """,
      conforming: .model("Song", key: "Swift.Int", isIdentified: false),
      remedies: ["remove '@PrimaryKey'"],
      fixed: """
        @Model struct Song {
          static var id: Int = 1
        }
        """)
  }

  @Test func aFunctionIsNoKey() {
    expectMisuse(
      "markerOffProperty", "@PrimaryKey marks a stored property of a model",
      line: 3, column: 3,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          @PrimaryKey func other() {}
        }
        """,
      expanded: #"""
        struct Song {
          var id: Int
          func other() {}
        }

        nonisolated extension Song: Croft.Model, Swift.Identifiable {
          nonisolated static let _schema = Croft._ModelSchema<Song>(
            "Song",
            [
              Croft._keyColumn(\Song.id, "id"),
            ])

          nonisolated var _primaryKey: Int {
            self.id
          }

          nonisolated init(_record row: inout Croft._RecordDecoder) throws {
            try self.init(
              id: Self._decodeKey(&row) {
                $0.id
              }
            )
          }

          nonisolated func _encode(into row: inout Croft._RecordEncoder) {
            row.encodeKey(self.id)
          }
        }
        """#,
      remedies: ["remove '@PrimaryKey'"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: Int
          func other() {}
        }
        """)
  }

  @Test func outsideOfAModelItIsRefused() {
    expectMisuse(
      "markerOutsideModel",
      "@PrimaryKey has no effect here, because the enclosing type is not marked with @Model",
      line: 2, column: 3,
      in: """
        struct Song {
          @PrimaryKey var id: Int
        }
        """,
      expanded: """
        struct Song {
          var id: Int
        }
        """,
      remedies: ["remove '@PrimaryKey'"],
      fixed: """
        struct Song {
          var id: Int
        }
        """)
  }
}
