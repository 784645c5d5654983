import Testing

@Suite struct EmbeddedMacroTests {
  @Test func anEmbeddedStructGetsFieldsAndTwoWaysToReadAndWrite() {
    expectExpansion(
      of: """
        @Embedded struct Address {
          @Renamed(from: "road") var street: String
          var city = "Seoul"
          @Coded var notes: [Int]
          @Transient var isShown = true
        }
        """,
      #"""
      struct Address {
        var street: String
        var city = "Seoul"
        var notes: [Int]
        var isShown = true
      }

      nonisolated extension Address: Croft.Embedded {
        nonisolated static let _fields = Croft._EmbeddedFields<Address>([
            Croft._field(\Address.street, "street").renamed(from: "road"),
            Croft._field(\Address.city, "city", default: {
                "Seoul"
              }),
            Croft._codedField(\Address.notes, "notes"),
          ])

        nonisolated init(_record row: inout Croft._RecordDecoder) throws {
          try self.init(
            street: Self._decode(&row) {
              $0.street
            },
            city: Self._decode(&row) {
              $0.city
            },
            notes: Self._decodeCoded(&row) {
              $0.notes
            }
          )
        }

        nonisolated init(_present row: inout Croft._RecordDecoder) throws {
          try self.init(
            street: Self._decodePresent(&row) {
              $0.street
            },
            city: Self._decodePresent(&row, default: "Seoul") {
              $0.city
            },
            notes: Self._decodePresentCoded(&row) {
              $0.notes
            }
          )
        }

        nonisolated func _encode(into row: inout Croft._RecordEncoder) {
          row.encode(self.street)
          row.encode(self.city)
          row.encode(Croft._Coded(self.notes, "notes"))
        }

        nonisolated static func _encode(
          _ value: Self?, into row: inout Croft._RecordEncoder
        ) {
          row.encode(optional: value?.street)
          row.encode(optional: value?.city)
          row.encode(optional: value.map {
              Croft._Coded($0.notes, "notes")
            })
        }
      }
      """#)
  }

  @Test func aClassIsRefused() {
    expectMisuse(
      "notAStruct",
      "@Embedded makes a struct a part of models, and this is declared with 'class'",
      line: 1, column: 11, in: "@Embedded class Point {}", expanded: "class Point {}",
      remedies: ["change 'class' to 'struct'"], fixed: "@Embedded struct Point {}")
  }

  @Test(arguments: ["PrimaryKey", "Relation"])
  func markersOfModelsHaveNoEffectInIt(marker: String) {
    expectMisuse(
      "markerInEmbedded",
      "@\(marker) has no effect in an embedded struct; it marks a property of a model",
      line: 2, column: 3,
      in: """
        @Embedded struct Point {
          @\(marker) var x: Int
        }
        """,
      expanded: """
        @Embedded struct Point {
          var x: Int
        }
        """,
      remedies: ["remove '@\(marker)'"], expanding: [marker])
  }

  @Test func anIndexInItIsDeclaredInTheModel() {
    expectMisuse(
      "markerInEmbedded",
      "@Indexed has no effect in an embedded struct; declare an #Index in the model that holds it",
      line: 2, column: 3,
      in: """
        @Embedded struct Point {
          @Indexed var x: Int
        }
        """,
      expanded: """
        @Embedded struct Point {
          var x: Int
        }
        """,
      remedies: ["remove '@Indexed'"], expanding: ["Indexed"])
  }
}
