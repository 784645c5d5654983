import Testing

@Suite struct IndexedMacroTests {
  /// What the spelling of a type tells; any other is left to the compiler.
  static let unordered = [
    ("[String: Int]", "a dictionary"), ("(Int, Int)", "a tuple"), ("() -> Int", "a function"),
    ("(@Sendable () -> Int)?", "a function"), ("any Shape", "a value of any type"),
    ("Any", "a value of any type"), ("[3 of Int]", "an inline array"),
  ]

  @Test(arguments: unordered)
  func typesWithoutAnOrderAreRefused(type: String, description: String) {
    expectMisuse(
      "unorderedIndex", "'field' cannot be indexed, because \(description) has no order",
      line: 2, column: 3,
      in: """
        @Model struct Box {
          @Indexed var field: \(type)
        }
        """,
      expanded: """
        @Model struct Box {
          var field: \(type)
        }
        """,
      remedies: ["remove '@Indexed'"],
      fixed: """
        @Model struct Box {
          var field: \(type)
        }
        """,
      expanding: ["Indexed"])
  }

  @Test(arguments: [
    ("[1: 2]", "a dictionary"), ("(1, 2)", "a tuple"),
    ("{ 1 }", "a function"),
  ])
  func defaultsWithoutAnOrderAreRefused(value: String, description: String) {
    expectMisuse(
      "unorderedIndex", "'field' cannot be indexed, because \(description) has no order",
      line: 2, column: 3,
      in: """
        @Model struct Box {
          @Indexed var field = \(value)
        }
        """,
      expanded: """
        @Model struct Box {
          var field = \(value)
        }
        """,
      remedies: ["remove '@Indexed'"], expanding: ["Indexed"])
  }

  @Test(arguments: [
    "Int", "Int?", "[Int]", "Swift.Set<Int>", "[Int]?", "(Int)", "Shop.Money", "Shop.Set",
    "Tagged<Int>",
  ])
  func otherTypesAreLeftToTheCompiler(type: String) {
    expectExpansion(
      of: """
        @Model struct Box {
          @Indexed var field: \(type)
        }
        """,
      """
      @Model struct Box {
        var field: \(type)
      }
      """, expanding: ["Indexed"])
  }

  @Test func aComputedPropertyHasNoIndex() {
    expectMisuse(
      "markerOnComputed", "@Indexed cannot mark 'twice', which is computed and so never stored",
      line: 3, column: 3,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          @Indexed var twice: Int {
            id * 2
          }
        }
        """,
      expanded: #"""
        struct Song {
          var id: Int
          var twice: Int {
            id * 2
          }
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
      remedies: ["remove '@Indexed'"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: Int
          var twice: Int {
            id * 2
          }
        }
        """)
  }

  @Test func aStaticPropertyHasNoIndex() {
    expectMisuse(
      "markerOnStatic", "@Indexed cannot mark 'limit', which is static and so in no stored object",
      line: 3, column: 3,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          @Indexed static let limit = 3
        }
        """,
      expanded: #"""
        struct Song {
          var id: Int
          static let limit = 3
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
      remedies: ["remove '@Indexed'"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: Int
          static let limit = 3
        }
        """)
  }

  @Test func aListIsReportedOnce() {
    expectMisuse(
      "markerOnList", "@Indexed marks one property; give it a declaration of its own",
      line: 3, column: 3,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          @Indexed var a, b: Int
        }
        """,
      expanded: """
        struct Song {
          @PrimaryKey var id: Int
          @Indexed var a, b: Int
        }
        """,
      conforming: .model("Song"), expanding: ["Model"])
  }

  @Test func anExtensionOfAModelIsOutsideOfIt() {
    expectMisuse(
      "markerOutsideModel",
      "@Indexed has no effect here, because the enclosing type is not marked with @Model",
      line: 2, column: 3,
      in: """
        extension Song {
          @Indexed var twice: Int {
            id * 2
          }
        }
        """,
      expanded: """
        extension Song {
          var twice: Int {
            id * 2
          }
        }
        """,
      remedies: ["remove '@Indexed'"])
  }
}
