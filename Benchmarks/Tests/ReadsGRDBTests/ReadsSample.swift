import Foundation

/// The books and the reading of the tests, which are the same for each library.
enum Sample {
  static let csv = """
    isbn,title,author,country,pages,status,rating,added at,shelves
    9780000000011,Emma,Jane Austen,GB,474,wanted,,2026-01-05T09:00:00Z,classics
    9780000000012,Persuasion,Jane Austen,GB,249,wanted,,2026-01-06T09:00:00Z,classics
    9780000000013,Emergence,Steven Johnson,US,288,wanted,,2026-02-01T09:00:00Z,science
    9780000000014,소년이 온다,한강,KR,216,wanted,,2026-02-10T09:00:00Z,classics|korean
    9780000000015,채식주의자,한강,KR,247,wanted,,2026-02-11T09:00:00Z,korean
    9780000000016,토지,박경리,KR,700,wanted,,2026-03-01T09:00:00Z,classics|korean
    9780000000017,Dune,Frank Herbert,US,412,wanted,,2026-03-02T09:00:00Z,
    9780000000018,소나기,황순원,KR,64,finished,5,2025-12-01T09:00:00Z,classics|korean
    9780000000019,Middlemarch,George Eliot,GB,880,wanted,,2025-11-01T09:00:00Z,classics
    9780000000020,Sense and Sensibility,Jane Austen,GB,368,wanted,3,2026-03-05T09:00:00Z,classics
    9780000000021,Ficciones,Jorge Luis Borges,AR,174,wanted,,2026-04-01T09:00:00Z,classics
    9780000000022,Cosmos,Carl Sagan,US,396,wanted,,2026-03-20T09:00:00Z,science
    """

  /// The first date of each is when the book was begun.
  static let readings = [
    (
      isbn: "9780000000011",
      sessions: [
        ("2026-01-10T20:00:00Z", 120), ("2026-01-31T23:30:00Z", 150),
        ("2026-02-03T07:00:00Z", 104), ("2026-02-28T23:59:59Z", 100),
      ]
    ),
    (
      isbn: "9780000000014",
      sessions: [("2026-02-20T21:00:00Z", 60), ("2026-03-01T00:00:00Z", 80)]
    ),
    (isbn: "9780000000012", sessions: [("2026-03-04T22:00:00Z", 49)]),
  ]

  static let notes = [
    (isbn: "9780000000011", page: 1, text: "handsome, clever, and rich"),
    (isbn: "9780000000015", page: 10, text: "나무"),
    (isbn: "9780000000014", page: 5, text: "비가 올 것 같아"),
    (isbn: "9780000000012", page: 237, text: "half agony, half hope"),
  ]

  static func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  /// A calendar whose months begin at the same moments everywhere.
  static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  // What each library answers once all of this is stored.

  static let koreanClassics = ["토지", "소년이 온다", "소나기"]
  static let titledEm = ["Emergence", "Emma"]
  static let suggestions = ["Cosmos", "Emergence"]
  static let prolific = ["Jane Austen", "George Eliot", "박경리", "한강", "Frank Herbert"]
  static let current = ["Persuasion", "소년이 온다"]
  static let wanted = 8
  static let pages = 663
  static let pagesByAuthor = ["Jane Austen": 523, "한강": 140]
  static let months = [
    (start: "2026-01-01T00:00:00Z", sessions: 2, pages: 270),
    (start: "2026-02-01T00:00:00Z", sessions: 3, pages: 264),
    (start: "2026-03-01T00:00:00Z", sessions: 2, pages: 129),
  ]
  static let latestNotes = ["half agony, half hope", "비가 올 것 같아", "나무"]
}
