import Foundation
import Testing

@testable import LineEditing

@Suite struct PlainLinesTests {
  /// What a source makes of bytes that come in the given portions.
  private func events(_ portions: [[UInt8]]) -> [LineEvent] {
    let pipe = Pipe()
    let lines = PlainLines(FileDescriptor(number: pipe.fileHandleForReading.fileDescriptor))
    var events: [LineEvent] = []
    for portion in portions {
      pipe.fileHandleForWriting.write(Data(portion))
    }
    try? pipe.fileHandleForWriting.close()
    while events.last != .end { events.append(lines.next(prompt: "")) }
    return events
  }

  @Test func givesLinesWithOrWithoutALastNewline() {
    #expect(
      events([Array("a\n\n우유\nb".utf8)]) == [
        .line("a"), .line(""), .line("우유"), .line("b"), .end,
      ])
    #expect(events([Array("a\n".utf8)]) == [.line("a"), .end])
    #expect(events([]) == [.end])
  }

  @Test func readsLinesThatAreLongerThanABuffer() {
    let long = String(repeating: "가", count: 30_000)
    let events = events([Array("\(long)\nnext\n".utf8.prefix(60_000))])
    guard case .line(let text) = events[0] else {
      Issue.record("A line must come.")
      return
    }
    #expect(text.utf8.count == 60_000)
  }

  @Test func forgivesAByteOrderMarkAndCarriageReturns() {
    #expect(
      events([[0xEF, 0xBB, 0xBF], Array("a\r\nb\r\n".utf8)]) == [
        .line("a"), .line("b"), .end,
      ])
  }

  @Test func saysWhichLineIsNotUTF8AndGoesOn() {
    #expect(
      events([Array("a\n".utf8), [0xFF, 0xFE, 0x0A], Array("b\n".utf8)]) == [
        .line("a"), .undecodable, .line("b"), .end,
      ])
  }
}
